/* Figure 3 (Complex) of "It's Doomed": a search in a sorted tree that relies on the key being there.
 * Line n of the figure's left half is line n + 10 here, of its right half, which begins with a second
 * line 12, line n + 11.
 *
 * Expected: silent. Some runs fail, where the key is missing, but no code is doomed, and the pointers
 * are trusted.
 *
 * expect: nothing
 */

/* Sorted tree */

typedef void* T;
typedef struct
  entry *Entry;
struct entry
{
  Entry left;
  Entry right;
  int key;
  T data;
};
void update(Entry root,
            int key, T dat) {
  Entry x = root;
  while (x->key != key) {
    if (key < x->key)
      x = x->left;
    else
      x = x->right;
  }
  x->data = dat;
}
