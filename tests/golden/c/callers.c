/* Who knows what is passed: a function that the program calls is trusted with the values that it does not test, since
   its callers know them. What it tests it meets at the boundary, here as elsewhere. Pointers that are passed may be
   equal where the function compares them, and an assertion says what callers see to. */
#include <assert.h>
#include <stddef.h>
#include <string.h>

struct range { char *start, *end; };
struct block { int size; char bytes[4]; };
struct node { struct node *next, *bound; const char *name; };
struct pair { struct node *first, *last; };
struct scope { struct scope *parent; int depth; };
struct label { struct scope *home; };

static const unsigned char kinds[257];
static const unsigned short curve[512];

/* tested from above only; the caller passes characters */
static int kind_of_bad(int token)
{
    if (token > 256)
        return 0;
    return kinds[token + 1]; /* indict: out-of-bounds */
}

static int kind_of_ok(int token)
{
    if (token > 255)
        return 0;
    return kinds[token + 1];
}

int kinds_of_text(const char *text)
{
    return kind_of_ok((unsigned char)text[0]) + kind_of_bad((unsigned char)text[1]);
}

/* the same test, and nobody in the program calls it: whatever is left open can be passed */
int kind_from_outside_bad(int token)
{
    if (token > 255)
        return 0;
    return kinds[token + 1]; /* indict: out-of-bounds */
}

int kind_from_outside_ok(int token)
{
    if (token < -1 || token > 255)
        return 0;
    return kinds[token + 1];
}

/* tested from below only; the caller passes sixteen bits */
static int curved_bad(unsigned alpha)
{
    if (alpha < 65408)
        return 255;
    return curve[alpha * 257 >> 15]; /* indict: out-of-bounds */
}

static int curved_ok(unsigned alpha)
{
    if (alpha < 65408)
        return 255;
    return curve[alpha * 256 >> 15];
}

int curve_of(const unsigned short *pixel)
{
    return curved_ok(pixel[0]) + curved_bad(pixel[1]);
}

/* an end does not lie before its start, unless somebody asks */
void grown_bad(struct range *from, struct block *to)
{
    char copy[4];

    if (from->end - from->start > to->size || to->size > 4)
        return;
    memcpy(copy, from->start, sizeof copy + 1); /* indict: out-of-bounds */
    memcpy(to->bytes, copy, sizeof copy);
}

void grown_ok(struct range *from, struct block *to)
{
    char copy[4];

    if (from->end - from->start > to->size || to->size > 4)
        return;
    memcpy(copy, from->start, (size_t)(from->end - from->start));
    memcpy(to->bytes, copy, sizeof copy);
}

/* pointers in a structure that is passed by value may be equal */
static int is_single(struct pair list)
{
    return list.first && list.first == list.last;
}

const char *single_bad(struct pair list)
{
    if (is_single(list))
        list.first = NULL;
    else
        return "";
    return list.first->name; /* indict: null-dereference */
}

const char *single_ok(struct pair list)
{
    assert(is_single(list));
    assert(list.first->bound == NULL || list.first->bound == list.first);
    list.first->bound = list.first;
    return list.first->name;
}

/* a pointer may be the address of what it is compared with */
static struct node root;

int compared_bad(struct node *node)
{
    const char *name = NULL;

    if (node != &root)
        return 0;
    return name[0]; /* indict: null-dereference */
}

int compared_ok(struct node *node)
{
    assert(node == &root);
    return node->name != NULL;
}

/* an assertion behind a loop says in which ways the loop ends; what is used there does not */
int depth_bad(struct scope *scope, const struct label *label)
{
    while (scope && scope != label->home)
        scope = scope->parent;
    return scope->depth; /* indict: null-dereference */
}

int depth_ok(struct scope *scope, const struct label *label)
{
    while (scope && scope != label->home)
        scope = scope->parent;
    assert(scope && scope == label->home);
    return scope->depth;
}

/* what lies behind a null pointer was never there, and was not freed either */
size_t named_bad(const struct node *node)
{
    if (node->name == NULL)
        return strlen(node->name); /* indict: null-dereference */
    return 0;
}

size_t named_ok(const struct node *node)
{
    return strlen(node->next->name);
}

/* that two pointers are equal does not say that they are null; comparing with null does */
struct node *current(void *tree);

int selected_bad(__attribute__((unused)) void *tree, struct node *item)
{
    int count = 0;

    if (item == NULL)
        count = 1;
    return count + item->name[0]; /* indict: null-dereference */
}

int selected_ok(void *tree, struct node *item)
{
    int count = 0;

    if (item == current(tree))
        count = 1;
    return count + item->name[0];
}

int moved_bad(struct label *label, size_t rounds)
{
    struct scope *last = NULL;
    int moves = 0;

    while (rounds-- > 0) {
        if (label->home == NULL)
            moves++;
        moves += label->home->depth; /* indict: null-dereference */
        last = label->home;
    }
    return moves + (last != NULL);
}

int moved_ok(struct label *label, size_t rounds)
{
    struct scope *last = NULL;
    int moves = 0;

    while (rounds-- > 0) {
        if (label->home != last)
            moves++;
        moves += label->home->depth;
        last = label->home;
    }
    return moves + (last != NULL);
}

/* a callback tests its parameter, as its type admits null; that its callees are passed null does not follow. It does
   follow that the callback itself dereferences null, and of a function that anybody may call */
struct options { int flags; };
struct tree { int preview, format; };

static int has_flag(const struct options *options, int flag)
{
    return (options->flags & flag) != 0;
}

static void start_tree(struct tree *tree, const struct options *options)
{
    tree->preview = !has_flag(options, 1);
}

static void start_by_table_ok(struct tree *tree, const struct options *options)
{
    tree->format = options == NULL || !has_flag(options, 2);
    start_tree(tree, options);
}

static void start_by_table_bad(struct tree *tree, const struct options *options)
{
    tree->format = options == NULL || !has_flag(options, 2);
    tree->preview = options->flags; /* indict: null-dereference */
}

void start_from_outside_bad(struct tree *tree, const struct options *options)
{
    tree->format = options == NULL || !has_flag(options, 2);
    start_tree(tree, options); /* indict: null-dereference */
}

void start_from_outside_ok(struct tree *tree, const struct options *options)
{
    tree->format = options == NULL || !has_flag(options, 2);
    if (options != NULL)
        start_tree(tree, options);
}

static void (*const starts[])(struct tree *, const struct options *) = {start_by_table_ok, start_by_table_bad};

void start_by_number(struct tree *tree, const struct options *options, unsigned number)
{
    starts[number & 1](tree, options);
}
