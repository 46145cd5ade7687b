/* Assertions that state what callers owe, and code that is meant never to run: nothing here is a
 * finding. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define BUG() do { fprintf(stderr, "bug at %s:%d\n", __FILE__, __LINE__); abort(); } while (0)
#define BUG_ON(condition) do { if (condition) BUG(); } while (0)

enum shape { CIRCLE, SQUARE, TRIANGLE };

struct queue {
    int items[16];
    unsigned head, tail;
    struct queue *owner;
};

int positive(int n)
{
    assert(n > 0);
    return 100 / n;
}

int not_null(const int *p)
{
    assert(p != NULL);
    return *p;
}

int in_range(int i)
{
    static const int table[10];

    assert(i >= 0 && i < 10);
    return table[i];
}

int of_memory(const struct queue *q)
{
    assert(q->head < 16);
    return q->items[q->head];
}

int of_two_inputs(unsigned low, unsigned high)
{
    assert(low <= high);
    return (int)(high - low);
}

int of_owner(const struct queue *q)
{
    assert(q->owner != NULL && q->owner != q);
    return q->owner->items[0];
}

int after_other_work(struct queue *q, int item)
{
    q->items[0] = item;
    assert(q->head <= q->tail);
    return (int)(q->tail - q->head);
}

int corners(enum shape shape)
{
    switch (shape) {
    case CIRCLE:
        return 0;
    case SQUARE:
        return 4;
    case TRIANGLE:
        return 3;
    default:
        assert(0);
        return -1;
    }
}

int corners_unreachable(enum shape shape)
{
    switch (shape) {
    case CIRCLE:
        return 0;
    case SQUARE:
        return 4;
    case TRIANGLE:
        return 3;
    }
    __builtin_unreachable();
}

int corners_named(int shape)
{
    if (shape == SQUARE)
        return 4;
    if (shape == TRIANGLE)
        return 3;
    assert(!"no such shape");
    return -1;
}

int stop_on_negative(int n)
{
    if (n < 0)
        abort();
    return n;
}

int leave_on_zero(int n)
{
    if (n == 0) {
        fputs("zero\n", stderr);
        exit(2);
    }
    return 12 / n;
}

int bug_on_full(struct queue *q, int item)
{
    BUG_ON(q->tail >= 16);
    q->items[q->tail] = item;
    return 0;
}

int bug_in_branch(int mode)
{
    if (mode == 1)
        return 10;
    if (mode == 2)
        return 20;
    BUG();
}

static _Noreturn void fail(const char *why)
{
    fputs(why, stderr);
    exit(1);
}

int checked_divide(int x, int y)
{
    if (y == 0)
        fail("division by zero\n");
    return x / y;
}

int checked_pointer(const int *p)
{
    if (p == NULL)
        fail("no pointer\n");
    return *p;
}

int trap_on_overflow(unsigned n)
{
    static const int table[4];

    if (n > 3)
        __builtin_trap();
    return table[n];
}

int documented_impossible(unsigned bits)
{
    switch (bits & 3) {
    case 0:
    case 1:
        return 1;
    case 2:
    case 3:
        return 2;
    default:
        abort();
    }
}

int asserted_after_test(const int *p, int n)
{
    if (n > 0)
        assert(p != NULL);
    return n > 0 ? p[0] : 0;
}

void count_down_contract(unsigned *credits)
{
    assert(*credits > 0);
    --*credits;
}

void room_either_way(unsigned used, unsigned room, long more)
{
    assert((more >= 0 && room - used >= (unsigned long)more) || (more < 0 && used >= (unsigned long)-more));
}

#define likely(condition) __builtin_expect(!!(condition), 1)
#define insist(condition) (likely(condition) ? (void)0 : (abort(), __builtin_unreachable()))

void room_insisted_on(unsigned used, unsigned room, long more)
{
    switch (used & 1) {
    case 0:
        insist((more > 0 && used + more < 32) || (more < 0 && used >= (unsigned)-more));
        break;
    default:
        insist((more > 0 && room >= (unsigned)more) || (more < 0 && used >= (unsigned)-more));
    }
}

/* a library function that returns its argument if it succeeds */
void without_input(void)
{
    assert(freopen("/dev/null", "r", stdin));
}
