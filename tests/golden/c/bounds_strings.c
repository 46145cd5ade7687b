/* Strings and the library functions that copy them: the terminating zero, lengths that were measured
 * and compared, pieces that are appended. The call is what goes out of bounds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct account {
    int id;
    char name[12];
};

int set_name_bad(struct account *a, const char *name)
{
    char local[12];

    if (strlen(name) > sizeof local)
        return -1;
    strcpy(local, name); /* indict: out-of-bounds */
    memcpy(a->name, local, sizeof local);
    return 0;
}

int set_name_ok(struct account *a, const char *name)
{
    char local[12];

    if (strlen(name) >= sizeof local)
        return -1;
    strcpy(local, name);
    memcpy(a->name, local, sizeof local);
    return 0;
}

char *duplicate_bad(const char *text)
{
    size_t length = strlen(text);
    char *copy = malloc(length);

    if (copy == NULL)
        return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0'; /* indict: out-of-bounds */
    return copy;
}

char *duplicate_ok(const char *text)
{
    size_t length = strlen(text);
    char *copy = malloc(length + 1);

    if (copy == NULL)
        return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

void greeting_bad(char *out, size_t size)
{
    char text[12];

    strcpy(text, "hello, world"); /* indict: out-of-bounds */
    strncpy(out, text, size);
}

void greeting_ok(char *out, size_t size)
{
    char text[16];

    strcpy(text, "hello, world");
    strncpy(out, text, size);
}

int join_path_bad(char *out, const char *file)
{
    char path[16] = "/etc/";

    if (strlen(file) > 11)
        return -1;
    strcat(path, file); /* indict: out-of-bounds */
    memcpy(out, path, sizeof path);
    return 0;
}

int join_path_ok(char *out, const char *file)
{
    char path[16] = "/etc/";

    if (strlen(file) > 10)
        return -1;
    strcat(path, file);
    memcpy(out, path, sizeof path);
    return 0;
}

void terminate_bad(char *out, const char *from)
{
    char field[8];

    strncpy(field, from, sizeof field);
    field[sizeof field] = '\0'; /* indict: out-of-bounds */
    strcpy(out, field);
}

void terminate_ok(char *out, const char *from)
{
    char field[8];

    strncpy(field, from, sizeof field);
    field[sizeof field - 1] = '\0';
    strcpy(out, field);
}

size_t unterminated_bad(const char *key)
{
    char tag[4];

    memcpy(tag, "RIFF", 4);
    if (strlen(tag) == 4) /* indict: out-of-bounds */
        return strlen(key);
    return 0;
}

size_t unterminated_ok(const char *key)
{
    char tag[4];

    memcpy(tag, "RIFF", 4);
    if (memcmp(tag, "RIFF", 4) == 0)
        return strlen(key);
    return 0;
}

void copy_bound_bad(char *out, const char *from)
{
    char line[10];

    strncpy(line, from, 11); /* indict: out-of-bounds */
    memcpy(out, line, sizeof line);
}

void copy_bound_ok(char *out, const char *from)
{
    char line[10];

    strncpy(line, from, 10);
    memcpy(out, line, sizeof line);
}

int format_id_bad(char *out, const struct account *a)
{
    char text[8];

    if (a->id < 0)
        return -1;
    sprintf(text, "id-%08d", a->id); /* indict: out-of-bounds */
    strcpy(out, text);
    return 0;
}

int format_id_ok(char *out, const struct account *a)
{
    char text[16];

    if (a->id < 0)
        return -1;
    sprintf(text, "id-%08d", a->id);
    strcpy(out, text);
    return 0;
}

char last_character_bad(const char *word)
{
    char buffer[32];
    size_t length = strlen(word);

    if (length >= sizeof buffer)
        return 0;
    strcpy(buffer, word);
    return buffer[length - 1]; /* indict: out-of-bounds */
}

char last_character_ok(const char *word)
{
    char buffer[32];
    size_t length = strlen(word);

    if (length >= sizeof buffer || length == 0)
        return 0;
    strcpy(buffer, word);
    return buffer[length - 1];
}

int read_line_bad(int fd, char *out)
{
    char line[64];
    ssize_t got = read(fd, line, sizeof line);

    if (got <= 0)
        return -1;
    line[got] = '\0'; /* indict: out-of-bounds */
    strcpy(out, line);
    return (int)got;
}

int read_line_ok(int fd, char *out)
{
    char line[64];
    ssize_t got = read(fd, line, sizeof line - 1);

    if (got <= 0)
        return -1;
    line[got] = '\0';
    strcpy(out, line);
    return (int)got;
}

int scan_quoted_bad(const char *in, char *out)
{
    char token[8];
    int n = 0;

    while (*in && *in != '"') {
        if (n > 8)
            return -1;
        token[n++] = *in++; /* indict: out-of-bounds */
    }
    token[n] = '\0';
    strcpy(out, token);
    return n;
}

int scan_quoted_ok(const char *in, char *out)
{
    char token[8];
    int n = 0;

    while (*in && *in != '"') {
        if (n >= 7)
            return -1;
        token[n++] = *in++;
    }
    token[n] = '\0';
    strcpy(out, token);
    return n;
}

const char *skip_prefix_bad(void)
{
    static const char banner[] = "SSH-";

    return strchr(banner + sizeof banner, '-'); /* indict: out-of-bounds */
}

const char *skip_prefix_ok(void)
{
    static const char banner[] = "SSH-";

    return strchr(banner, '-');
}

void hex_dump_bad(const unsigned char *bytes, char *out)
{
    static const char digits[] = "0123456789abcdef";
    char text[2 * 4];
    int n = 0;

    for (int i = 0; i < 4; i++) {
        text[n++] = digits[bytes[i] >> 4];
        text[n++] = digits[bytes[i] & 15];
    }
    text[n] = '\0'; /* indict: out-of-bounds */
    strcpy(out, text);
}

void hex_dump_ok(const unsigned char *bytes, char *out)
{
    static const char digits[] = "0123456789abcdef";
    char text[2 * 4 + 1];
    int n = 0;

    for (int i = 0; i < 4; i++) {
        text[n++] = digits[bytes[i] >> 4];
        text[n++] = digits[bytes[i] & 15];
    }
    text[n] = '\0';
    strcpy(out, text);
}

char *append_twice_bad(const char *word)
{
    size_t length = strlen(word);
    char *twice = malloc(2 * length);

    if (twice == NULL || length == 0)
        return twice;
    strcpy(twice, word);
    strcat(twice, word); /* indict: out-of-bounds */
    return twice;
}

char *append_twice_ok(const char *word)
{
    size_t length = strlen(word);
    char *twice = malloc(2 * length + 1);

    if (twice == NULL || length == 0)
        return twice;
    strcpy(twice, word);
    strcat(twice, word);
    return twice;
}

int printed_length_bad(const char *directory, char *out)
{
    char path[24];
    int n = snprintf(path, sizeof path, "%s", directory);

    if (n < 0)
        return -1;
    path[n] = '/'; /* indict: out-of-bounds */
    path[n + 1] = '\0';
    strcpy(out, path);
    return n + 1;
}

int printed_length_ok(const char *directory, char *out)
{
    char path[24];
    int n = snprintf(path, sizeof path, "%s", directory);

    if (n < 0 || n >= (int)sizeof path - 1)
        return -1;
    path[n] = '/';
    path[n + 1] = '\0';
    strcpy(out, path);
    return n + 1;
}

int append_rest_bad(char *out, const char *rest)
{
    char line[16] = "value: ";

    if (strlen(rest) > 12)
        return -1;
    strncat(line, rest, sizeof line); /* indict: out-of-bounds */
    strcpy(out, line);
    return 0;
}

int append_rest_ok(char *out, const char *rest)
{
    char line[16] = "value: ";

    if (strlen(rest) > 12)
        return -1;
    strncat(line, rest, sizeof line - strlen(line) - 1);
    strcpy(out, line);
    return 0;
}

int read_record_bad(FILE *f, int *out)
{
    int fields[4];
    size_t n = fread(fields, sizeof fields[0], 4, f);

    if (n > 4)
        return -1;
    fields[n] = 0; /* indict: out-of-bounds */
    memcpy(out, fields, sizeof fields[0]);
    return (int)n;
}

int read_record_ok(FILE *f, int *out)
{
    int fields[4];
    size_t n = fread(fields, sizeof fields[0], 4, f);

    if (n >= 4)
        return -1;
    fields[n] = 0;
    memcpy(out, fields, sizeof fields[0]);
    return (int)n;
}
