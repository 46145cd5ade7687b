// Types, globals, constants and memory: aggregates, bit-fields, unions, vectors, atomics.
// Made by: clang-N -w -O1 -Xclang -disable-llvm-passes -g -fno-discard-value-names -c -emit-llvm
//          -undef -fdebug-macro -fdebug-compilation-dir=/inputs data.c -o data-N.bc      (N = 15, 19)
#define LIMIT 4
#define SQUARE(x) ((x) * (x))

enum colour { RED, GREEN = -3, BLUE = 1 << 20 };
typedef struct node {
    struct node *next;
    const char *name;
    unsigned flag : 1, kind : 6;
    signed rest : 25;
    union { double number; char bytes[12]; } value;
    enum colour colour;
    int grid[LIMIT][2];
} node_t;
struct __attribute__((packed)) header { char tag; long size; short tail; };
struct incomplete;
typedef int vector __attribute__((vector_size(16)));

static node_t second = {.name = "second", .kind = 5, .rest = -7, .value.bytes = "abc"};
node_t first = {&second, "first \"quoted\"\n", 1, .colour = GREEN, .grid = {[1] = {3, 4}}};
const char text[] = "no terminator after this";
short primes[] = {2, 3, 5, -7};
double measures[] = {0.5, 0.1, -0.0};
char *inside = &second.value.bytes[2];
long difference = (long)&first + 8;
_Thread_local int per_thread = SQUARE(3);
int tentative;
extern struct incomplete *elsewhere;
extern int weak_one __attribute__((weak));
int placed __attribute__((section(".special"), aligned(64), visibility("hidden"))) = 1;
long double extended = 3.25L;
__int128 wide = (__int128)1 << 100;
int alias_target(void) { return 1; }
int alias_name(void) __attribute__((alias("alias_target")));
static int (*resolve(void))(void) { return alias_target; }
int chosen(void) __attribute__((ifunc("resolve")));

int walk(node_t *list) {
    int count = 0;
    for (node_t *n = list; n; n = n->next) {
        n->kind++;
        count += n->flag ? n->rest : (int)n->value.number;
        n->grid[count & 3][1] = count;
    }
    return count;
}

float mix(float a, double b, unsigned char c, _Bool d) {
    return d ? -a * (float)b : (float)(c >> 1) / 3;
}

vector shuffle(vector a, vector b, int i) {
    vector c = __builtin_shufflevector(a, b, 0, 5, 2, 7);
    c[i] = a[3];
    return (c < b) + a;
}

// The memory orders by number, because -undef removes their names: 0 relaxed, 2 acquire, 4, 5.
int atomic(int *p, _Atomic long *q, volatile int *v) {
    int old = 3;
    __atomic_compare_exchange_n(p, &old, 4, 1, 4, 0);
    __atomic_fetch_or(p, 8, 5);
    __atomic_signal_fence(2);
    *q += 1;
    *v = *v + __atomic_load_n(p, 2);
    return old;
}

struct header pass(struct header by_value, int n) {
    int sized[n];
    sized[0] = by_value.tail;
    by_value.size = sizeof sized + sized[n - 1];
    return by_value;
}
