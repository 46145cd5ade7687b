/* Pieces of text and of memory: what is found from behind, in the middle, between separators. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fields(const char *line)
{
    char copy[64];
    char *rest = copy;
    char *field;

    strcpy(copy, line);
    while ((field = strsep(&rest, ",;")) != NULL)
        printf("[%s]", field);
    puts(rest == NULL ? " all" : " some");
}

static void part(const char *text, const char *wanted)
{
    const char *found = memmem(text, strlen(text), wanted, strlen(wanted));

    printf("%s in %s: %d\n", wanted, text, found == NULL ? -1 : (int)(found - text));
}

int main(void)
{
    static const char path[] = "/usr/share/doc";
    char text[16] = "secret";
    div_t parts = div(-17, 5);
    const char *last = memrchr(path, '/', sizeof path);
    int length;

    fields("one,two;;three,");
    fields("");
    part("abababc", "ababc");
    part("abc", "abcd");
    part("abc", "");
    printf("%s %d\n", last, memrchr(path, '#', sizeof path) == NULL);
    printf("%d %d\n", parts.quot, parts.rem);
    explicit_bzero(text, 3);
    printf("%d %s\n", text[0], text + 3);
    length = snprintf(text, sizeof text, "%s-%04d", "page", 7);
    printf("%d %s %d\n", length, text, memcmp(text, "page-0008", 9) < 0);
    length = snprintf(NULL, 0, "%d%%", 100);
    printf("%d\n", length);
    length = sprintf(text + 2, "%5.2s|%-3c|", "xyz", 'k');
    printf("%d %s\n", length, text);
    fputs("the end", stdout);
    return fputc('\n', stdout);
}
