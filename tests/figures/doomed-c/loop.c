/* Figure 2 (Loop) of "It's Doomed": the outer loop runs until i is negative, and then a[i] is read.
 * Line n of the figure is line n + 10 here.
 *
 * Expected: one finding, `doomed`, the access in line 12 of the figure, with the bound of the loop in line 3
 * to blame. The index is a variable on a parameter that has not moved, so that a negative one is out of
 * bounds; no other access is reported, since nothing says how long the array is.
 *
 * expect: doomed 22, because 13
 */

int getMin(int *a, int x) {
  int i, j, temp;
  for (i = x-1; i >= 0; i--)
    for (j=1; j <= i; j++)
      if (a[j-1] > a[j]) {
        temp = a[j-1];
        a[j-1] = a[j];
        a[j] = temp;
      }


  return a[i];
}
