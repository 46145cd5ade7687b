/* Control flow: switch with and without break, goto, error codes, early exits, loops that are left in
 * several ways, volatile registers. */
#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum token { T_NUMBER, T_PLUS, T_MINUS, T_END };

extern volatile uint32_t status_register;

int fall_through_bad(enum token token, int *value)
{
    int *target = value;

    switch (token) {
    case T_END:
        target = NULL;
    case T_NUMBER:
        *target = 1; /* indict: null-dereference */
        break;
    case T_PLUS:
    case T_MINUS:
        *value = 2;
        break;
    }
    return *value;
}

int fall_through_ok(enum token token, int *value)
{
    int *target = value;

    switch (token) {
    case T_END:
        target = NULL;
        break;
    case T_NUMBER:
        *target = 1;
        break;
    case T_PLUS:
    case T_MINUS:
        *value = 2;
        break;
    }
    return *value;
}

int missing_case_bad(enum token token, int left, int right)
{
    int divisor = 0;

    switch (token) {
    case T_PLUS:
        divisor = 1;
        break;
    case T_MINUS:
        divisor = 2;
        break;
    default:
        break;
    }
    return (left - right) / divisor; /* indict: division-by-zero */
}

int missing_case_ok(enum token token, int left, int right)
{
    int divisor = 0;

    switch (token) {
    case T_PLUS:
        divisor = 1;
        break;
    case T_MINUS:
        divisor = 2;
        break;
    default:
        return 0;
    }
    return (left - right) / divisor;
}

const char *range_of_cases_bad(int code)
{
    static const char *const names[4] = {"a", "b", "c", "d"};

    switch (code) {
    case 0 ... 4:
        return names[code]; /* indict: out-of-bounds */
    default:
        return "other";
    }
}

const char *range_of_cases_ok(int code)
{
    static const char *const names[4] = {"a", "b", "c", "d"};

    switch (code) {
    case 0 ... 3:
        return names[code];
    default:
        return "other";
    }
}

int retry_bad(const int *results)
{
    int attempts = 0;
    int delay = 4;

again:
    if (results[attempts] == 0)
        return attempts;
    attempts++;
    delay--;
    if (attempts < 4)
        goto again;
    return 100 / delay; /* indict: division-by-zero */
}

int retry_ok(const int *results)
{
    int attempts = 0;
    int delay = 4;

again:
    if (results[attempts] == 0)
        return attempts;
    attempts++;
    delay--;
    if (attempts < 3)
        goto again;
    return 100 / delay;
}

int error_code_bad(const char *path, char **out)
{
    int error = path[0] == '/' ? 0 : -EINVAL;
    char *copy = NULL;

    if (error == 0) {
        copy = strdup(path);
        if (copy == NULL)
            error = -ENOMEM;
    }
    if (error != -EINVAL)
        copy[0] = '.'; /* indict: null-dereference */
    *out = copy;
    return error;
}

int error_code_ok(const char *path, char **out)
{
    int error = path[0] == '/' ? 0 : -EINVAL;
    char *copy = NULL;

    if (error == 0) {
        copy = strdup(path);
        if (copy == NULL)
            error = -ENOMEM;
    }
    if (error == 0)
        copy[0] = '.';
    *out = copy;
    return error;
}

static int lookup(int key, int **out)
{
    static int cell;

    *out = NULL;
    if (key > 9)
        return ENOENT;
    cell = key;
    *out = &cell;
    return 0;
}

int positive_errno_bad(int key)
{
    int *cell;
    int error = lookup(key, &cell);

    if (error < 0)
        return error;
    return *cell; /* indict: null-dereference */
}

int positive_errno_ok(int key)
{
    int *cell;
    int error = lookup(key, &cell);

    if (error != 0)
        return error;
    return *cell;
}

int break_out_of_switch_bad(const char *text)
{
    int seen[3] = {0}, n = 0;

    for (;;) {
        switch (text[n]) {
        case 'x':
            seen[n]++; /* indict: out-of-bounds */
            break;
        default:
            return seen[0];
        }
        if (++n == 4) break;
    }
    return n;
}

int break_out_of_switch_ok(const char *text)
{
    int seen[3] = {0}, n = 0;

    for (;;) {
        switch (text[n]) {
        case 'x':
            seen[n]++;
            break;
        default:
            return seen[0];
        }
        if (++n == 3) break;
    }
    return n;
}

int volatile_once_bad(void)
{
    static const int speeds[4] = {10, 100, 1000, 10000};
    uint32_t status = status_register & 7;

    if (status <= 4)
        return speeds[status]; /* indict: out-of-bounds */
    return 0;
}

int volatile_once_ok(void)
{
    static const int speeds[4] = {10, 100, 1000, 10000};
    uint32_t status = status_register & 7;

    if (status < 4)
        return speeds[status];
    return 0;
}

int comma_and_post_bad(const int *in)
{
    int a[3] = {in[0], in[1], in[2]};
    int i = 0, sum = 0;

    while (i++ < 3)
        sum += a[i] & 0xff; /* indict: out-of-bounds */
    return sum;
}

int comma_and_post_ok(const int *in)
{
    int a[3] = {in[0], in[1], in[2]};
    int i = 0, sum = 0;

    while (++i < 3)
        sum += a[i] & 0xff;
    return sum;
}

int short_circuit_bad(const char *s, size_t length)
{
    char text[4] = "";

    if (length > 4)
        return -1;
    memcpy(text, s, length);
    if (text[length] == '\0' || length == 4) /* indict: out-of-bounds */
        return 0;
    return 1;
}

int short_circuit_ok(const char *s, size_t length)
{
    char text[4] = "";

    if (length > 4)
        return -1;
    memcpy(text, s, length);
    if (length == 4 || text[length - (length > 0)] == '\0')
        return 0;
    return 1;
}

int unwind_bad(int stage)
{
    int *a = NULL, *b = NULL;
    int error = -1;

    a = malloc(sizeof *a);
    if (a == NULL)
        goto fail;
    if (stage == 1)
        goto fail_b;
    b = malloc(sizeof *b);
    if (b == NULL)
        goto fail_a;
    *b = stage;
    if (stage == 2)
        goto fail_b;
    error = 0;
fail_b:
    *b = 0; /* indict: null-dereference */
    free(b);
fail_a:
    free(a);
fail:
    return error;
}

int unwind_ok(int stage)
{
    int *a = NULL, *b = NULL;
    int error = -1;

    a = malloc(sizeof *a);
    if (a == NULL)
        goto fail;
    if (stage == 1)
        goto fail_a;
    b = malloc(sizeof *b);
    if (b == NULL)
        goto fail_a;
    *b = stage;
    if (stage == 2)
        goto fail_b;
    error = 0;
fail_b:
    *b = 0;
    free(b);
fail_a:
    free(a);
fail:
    return error;
}

int do_once_bad(const char *digits, int count)
{
    int values[4] = {0}, i = 0;

    if (count < 0 || count > 4)
        return -1;
    do {
        values[i] = digits[i] - '0';
        i++;
    } while (i < count);
    return values[count - 1]; /* indict: out-of-bounds */
}

int do_once_ok(const char *digits, int count)
{
    int values[4] = {0}, i = 0;

    if (count < 0 || count > 4)
        return -1;
    do {
        values[i] = digits[i] - '0';
        i++;
    } while (i < count);
    return values[i - 1];
}
