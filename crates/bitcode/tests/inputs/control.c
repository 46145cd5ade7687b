// Control flow and calls: branches, switches, computed gotos, assembly, variadic functions.
// Made by: clang-N -w -O1 -Xclang -disable-llvm-passes -g -fno-discard-value-names -c -emit-llvm
//          -fdebug-compilation-dir=/inputs control.c -o control-N.bc      (N = 15, 19)
#include <stdarg.h>

extern void abort(void) __attribute__((noreturn));
extern void *my_malloc(unsigned long) __attribute__((malloc, alloc_size(1), warn_unused_result));
extern int pure(const char *) __attribute__((pure, nonnull(1)));

int classify(int n) {
    switch (n) {
    case 0: return 10;
    case -5: return 20;
    case 7 ... 9: return 30;
    default: return n < 0 ? -1 : 1;
    }
}

unsigned sum_to(unsigned n) {
    unsigned sum = 0;
    for (unsigned i = 1; i <= n && sum < 1000u; i++) sum += i;
    return sum;
}

int interpret(const unsigned char *code) {
    static void *const table[] = {&&halt, &&increment, &&twice};
    int value = 0;
    goto *table[*code];
increment:
    value++;
    goto *table[*++code];
twice:
    value *= 2;
    goto *table[*++code];
halt:
    return value;
}

long assembly(long x) {
    long y;
    __asm__ volatile("lea 1(%1), %0 # \"quoted\"" : "=r"(y) : "r"(x) : "memory", "cc");
    return y;
}

int jump_label(int x) {
    asm goto("test %0, %0; jne %l1" : : "r"(x) : : taken);
    return 0;
taken:
    return 1;
}

int total(int count, ...) {
    va_list list;
    int sum = 0;
    va_start(list, count);
    while (count-- > 0) sum += va_arg(list, int);
    va_end(list);
    return sum;
}

int call_all(int (*callback)(int, ...), const char *text) {
    int *p = my_malloc(sizeof *p);
    if (!p || !text) abort();
    *p = pure(text) + callback(1, 2, 3.0, text);
    return *p + total(2, *p, 4);
}

__attribute__((nonnull)) int dereference(const int *p) { return *p; }
