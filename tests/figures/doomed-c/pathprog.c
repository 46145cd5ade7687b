/* Figure 6 (PathProg) of "It's Doomed": what comes before the branch dooms it. The figure is the body
 * of this function; its line n is line n + 10 here.
 *
 * Expected: one finding, `doomed`, for the assignment in line 3 of the figure, with line 1 to blame. It
 * stands at the branch, line 2.
 *
 * expect: doomed 12, fails 13
 */

void pathprog(int k) {
  int *i = 0;
  if (k != 0)
    *i = 3;
}
