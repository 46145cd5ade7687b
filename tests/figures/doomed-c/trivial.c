/* Figure 1 (Trivial) of "It's Doomed": a pointer is dereferenced on both sides of the test against
 * null. Line n of the figure is line n + 10 here.
 *
 * Expected: one finding, `doomed`, for the side on which ptr is null: lines 5 and 6 of the figure, the
 * else and the dereference. It stands at the branch, line 3, since an else has no condition of its own.
 *
 * expect: doomed 13, fails 16
 */

#include <stdio.h>
int access(int *ptr)
{
  if (ptr)
    *ptr = 0;
  else
    printf("%d", *ptr);

  return 0;
}
