/* Variables of blocks that have ended, and whose address somebody still has. */
#include <stddef.h>
#include <string.h>

struct view {
    const int *first;
    int count;
};

int ended_block_bad(int value)
{
    const int *kept = &value;

    {
        int doubled = 2 * (value & 7);

        kept = &doubled;
    }
    return *kept; /* indict: use-after-free */
}

int ended_block_ok(int value)
{
    const int *kept = &value;

    {
        int doubled = 2 * (value & 7);

        value = doubled;
    }
    return *kept;
}

int view_of_branch_bad(int wide)
{
    static const int narrow[1] = {7};
    struct view v = {narrow, 1};

    if (wide) {
        int table[2] = {3, 4};

        v.first = table;
    }
    return v.first[0]; /* indict: use-after-free */
}

int view_of_branch_ok(int wide)
{
    static const int narrow[1] = {7};
    struct view v = {narrow, 1};

    if (wide) {
        static int table[2] = {3, 4};

        v.first = table;
    }
    return v.first[0];
}

int last_line_bad(const char *text)
{
    const char *last = text;

    for (int i = 0; i < 2; i++) {
        char line[4] = "abc";

        line[0] = text[0];
        last = line;
    }
    return last[0]; /* indict: use-after-free */
}

int last_line_ok(const char *text)
{
    const char *last = text;

    for (int i = 0; i < 2; i++) {
        char line[4] = "abc";

        line[0] = text[0];
        last = text + (line[0] != '\0');
    }
    return last[0];
}

/* Each time round the variable is another, and the pointer follows it. */
int pointer_within(const int *values)
{
    int sum = 0;

    for (int i = 0; i < 3; i++) {
        int value = values[i] & 3;
        const int *at = &value;

        sum += *at;
    }
    return sum;
}

/* The pointer is there for longer than the variable, and not used. */
int pointer_forgotten(int flag)
{
    const int *at = NULL;
    int result = 0;

    if (flag) {
        int local = 4;

        at = &local;
        result = *at;
    }
    return result + (at == NULL);
}
