/* A tokenizer by hand, strtok, and the functions on characters and numbers in text. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { END, NAME, NUMBER, STRING, SIGN };

struct token {
    enum kind kind;
    int length;
    const char *text;
};

static const char *skip(const char *at)
{
    while (isspace((unsigned char)*at)) at++;
    return at;
}

static struct token next(const char **source)
{
    struct token token = { END, 0, skip(*source) };
    const char *at = token.text;
    if (isalpha((unsigned char)*at) || *at == '_') {
        token.kind = NAME;
        while (isalnum((unsigned char)*at) || *at == '_') at++;
    } else if (isdigit((unsigned char)*at)) {
        token.kind = NUMBER;
        while (isxdigit((unsigned char)*at) || *at == 'x') at++;
    } else if (*at == '"') {
        token.kind = STRING;
        for (at++; *at && *at != '"'; at++)
            if (*at == '\\' && at[1]) at++;
        if (*at) at++;
    } else if (*at) {
        token.kind = SIGN;
        at += strchr("=<>&|", *at) && at[1] == *at ? 2 : 1;
    }
    token.length = at - token.text;
    *source = at;
    return token;
}

int main(void)
{
    static const char *const kinds[] = { "end", "name", "number", "string", "sign" };
    const char *source = "  while (count_1 >> 3 == 0x2a && s[i] != \"a \\\" b\") { x=y; }\n";
    struct token token;
    do {
        token = next(&source);
        printf("%-6s %2d [%.*s]\n", kinds[token.kind], token.length, token.length, token.text);
    } while (token.kind != END);

    char line[] = "one,two;;three four";
    for (char *word = strtok(line, ",; "); word; word = strtok(NULL, ",; ")) {
        for (char *c = word; *c; c++) *c = c == word ? toupper(*c) : tolower(*c);
        printf("%s.", word);
    }
    char *end;
    long value = strtol("  -123abc", &end, 10);
    printf("\n%ld [%s] %ld %lu %d\n", value, end, strtol("0x1fz", NULL, 0), strtoul("777", NULL, 8), atoi(" 42 "));
    errno = 0;
    value = strtol("99999999999999999999", &end, 10);
    printf("%d %d %d\n", value == 0x7fffffffffffffffL, errno == ERANGE, *end);
    printf("%zu %zu %s %s %s\n", strspn("aabbcc", "ab"), strcspn("hello", "lo"), strstr("haystack", "st"),
           strpbrk("key=value", "=:"), strrchr("a/b/c", '/'));
    char *copy = strdup("duplicate"), *part = strndup("duplicate", 4);
    if (copy && part) printf("%s %s %d\n", copy, part, strncasecmp(copy, "DUPL", 4));
    free(copy);
    free(part);
    printf("%d %d %d %d %d\n", !!isupper('A'), !!islower('A'), !!ispunct('!'), !!iscntrl('\n'), !!isprint(' '));
    printf("%d %ld %d\n", abs(-5), labs(-6L), memchr("abc", 'b', 3) != NULL);
    return token.kind;
}
