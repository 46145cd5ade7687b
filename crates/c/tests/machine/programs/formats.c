/* printf in its many forms, and what is written elsewhere than to standard output. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char text[32];
    printf("%d %i %u %x %X %o %c %s %%\n", -1, 2, 3u, 0xabcu, 0xdefu, 8u, 'c', "text");
    printf("[%5d] [%-5d] [%05d] [%+d] [% d] [%+5d]\n", 42, 42, 42, 42, 42, -42);
    printf("[%8s] [%-8s] [%.3s] [%8.2s]\n", "abcd", "abcd", "abcd", "abcd");
    printf("[%ld] [%lu] [%zu] [%lld] [%llx]\n", -1L, 1UL << 63, sizeof text, -5LL, 0x123456789abULL);
    printf("[%hhx] [%hd] [%hu] [%hhd]\n", 0x1ff, 70000, 70000, 200);
    printf("[%#x] [%#o] [%#X] [%#x] [%08x] [%#010x]\n", 255, 8, 255, 0, 0xbeef, 0xbeef);
    printf("[%*d] [%-*d] [%.*s] [%.5d] [%8.3d] [%.0d]\n", 6, 7, 6, 7, 2, "xyz", 12, 7, 0);
    printf("[%c%c] [%3c]\n", 104, 'i', 'x');
    int length = snprintf(text, 8, "%s-%d", "truncated", 12345);
    printf("%d %s\n", length, text);
    length = sprintf(text, "%03u|%-4s|", 7u, "ab");
    printf("%d %s %zu\n", length, text, strlen(text));
    puts("a line");
    putchar('z');
    putchar('\n');
    fputs("to standard output\n", stdout);
    fprintf(stdout, "%s %d\n", "and formatted", argc);
    fprintf(stderr, "this is for standard error %d\n", 1);
    fwrite("raw bytes\n", 1, 10, stdout);
    fputc('!', stdout);
    putchar('\n');
    printf("%d\n", argv[argc] == NULL);
    fflush(stdout);
    write(1, "written\n", 8);
    exit(300 + 7);
}
