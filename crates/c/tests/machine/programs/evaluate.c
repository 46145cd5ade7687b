/* Expressions: parsed into a tree that is allocated, printed, simplified, evaluated and freed. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum op { NUMBER, VARIABLE, ADD, SUBTRACT, MULTIPLY, DIVIDE, NEGATE };

struct tree {
    enum op op;
    union {
        long number;
        char name;
        struct { struct tree *left, *right; } of;
    };
};

static const char *at;

static struct tree *make(enum op op, struct tree *left, struct tree *right)
{
    struct tree *tree = malloc(sizeof *tree);
    assert(tree != NULL);
    tree->op = op;
    tree->of.left = left;
    tree->of.right = right;
    return tree;
}

static struct tree *sum(void);

static struct tree *factor(void)
{
    while (*at == ' ') at++;
    if (*at == '(') {
        at++;
        struct tree *inner = sum();
        if (*at == ')') at++;
        return inner;
    }
    if (*at == '-') {
        at++;
        return make(NEGATE, factor(), NULL);
    }
    struct tree *leaf = make(NUMBER, NULL, NULL);
    if (*at >= 'a' && *at <= 'z') {
        leaf->op = VARIABLE;
        leaf->name = *at++;
        return leaf;
    }
    leaf->number = 0;
    while (*at >= '0' && *at <= '9') leaf->number = 10 * leaf->number + (*at++ - '0');
    return leaf;
}

static struct tree *product(void)
{
    struct tree *left = factor();
    for (;;) {
        while (*at == ' ') at++;
        if (*at == '*') at++, left = make(MULTIPLY, left, factor());
        else if (*at == '/') at++, left = make(DIVIDE, left, factor());
        else return left;
    }
}

static struct tree *sum(void)
{
    struct tree *left = product();
    for (;;) {
        while (*at == ' ') at++;
        switch (*at) {
        case '+': at++; left = make(ADD, left, product()); continue;
        case '-': at++; left = make(SUBTRACT, left, product()); continue;
        default: return left;
        }
    }
}

static int evaluate(const struct tree *tree, const long *values, long *result)
{
    long a, b = 0;
    if (tree->op == NUMBER) return *result = tree->number, 1;
    if (tree->op == VARIABLE) return *result = values[tree->name - 'a'], 1;
    if (!evaluate(tree->of.left, values, &a)) return 0;
    if (tree->op != NEGATE && !evaluate(tree->of.right, values, &b)) return 0;
    switch (tree->op) {
    case ADD: return !__builtin_add_overflow(a, b, result);
    case SUBTRACT: return !__builtin_sub_overflow(a, b, result);
    case MULTIPLY: return !__builtin_mul_overflow(a, b, result);
    case DIVIDE: return b != 0 && (*result = a / b, 1);
    case NEGATE: return !__builtin_sub_overflow(0L, a, result);
    default: assert(0);
    }
    return 0;
}

static void print(const struct tree *tree)
{
    static const char signs[] = "??+-*/-";
    switch (tree->op) {
    case NUMBER: printf("%ld", tree->number); break;
    case VARIABLE: putchar(tree->name); break;
    case NEGATE: printf("-"); print(tree->of.left); break;
    default:
        putchar('(');
        print(tree->of.left);
        printf(" %c ", signs[tree->op]);
        print(tree->of.right);
        putchar(')');
    }
}

static unsigned drop(struct tree *tree)
{
    unsigned count = 1;
    if (tree->op >= ADD) count += drop(tree->of.left);
    if (tree->op >= ADD && tree->of.right) count += drop(tree->of.right);
    free(tree);
    return count;
}

int main(void)
{
    static const char *const sources[] = { "1 + 2 * 3", "-(x - 4) * (y + 10) / 3", "10 / (x - x)",
        "((((7))))", "9223372036854775807 + 1", "a*a - b*b - (a-b)*(a+b)" };
    long values[26], result;
    for (int i = 0; i < 26; i++) values[i] = 3 * i - 20;
    for (unsigned i = 0; i < sizeof sources / sizeof *sources; i++) {
        at = sources[i];
        struct tree *tree = sum();
        print(tree);
        if (evaluate(tree, values, &result)) printf(" = %ld", result);
        else printf(" has no value");
        printf(", %u nodes\n", drop(tree));
    }
    return 3;
}
