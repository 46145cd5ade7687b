/* A compressor in the manner of LZ77 with a hash of the last places, its inverse, and a run-length code. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 255, LEAST = 3, MOST = 66, BUCKETS = 64 };

typedef unsigned char byte;

static unsigned hash(const byte *at)
{
    return (at[0] * 31u + at[1] * 7u + at[2]) % BUCKETS;
}

static size_t compress(const byte *in, size_t size, byte *out)
{
    int last[BUCKETS];
    byte *to = out, *count = NULL;
    for (int i = 0; i < BUCKETS; i++) last[i] = -1;
    for (size_t at = 0; at < size;) {
        size_t length = 0, distance = 0;
        if (at + LEAST <= size) {
            int before = last[hash(in + at)];
            last[hash(in + at)] = at;
            if (before >= 0 && (distance = at - before) <= WINDOW)
                while (at + length < size && length < MOST && in[before + length] == in[at + length]) length++;
        }
        if (length >= LEAST) {
            *to++ = 0x80 | (length - LEAST);
            *to++ = distance;
            at += length;
            count = NULL;
        } else {
            if (!count || *count == 0x7f) *(count = to++) = 0;
            ++*count;
            *to++ = in[at++];
        }
    }
    return to - out;
}

static size_t expand(const byte *in, size_t size, byte *out)
{
    byte *to = out;
    for (const byte *end = in + size; in < end;) {
        byte head = *in++;
        if (head & 0x80) {
            const byte *from = to - *in++;
            for (int left = (head & 0x7f) + LEAST; left > 0; left--) *to++ = *from++;
        } else {
            memcpy(to, in, head);
            to += head;
            in += head;
        }
    }
    return to - out;
}

static void check(const char *name, const byte *text, size_t size)
{
    byte *packed = malloc(2 * size + 2), *again = calloc(size + 1, 1);
    if (!packed || !again) abort();
    size_t length = compress(text, size, packed);
    size_t back = expand(packed, length, again);
    unsigned sum = 0;
    for (size_t i = 0; i < length; i++) sum = sum * 131 + packed[i];
    printf("%s: %zu -> %zu (%08x), %s\n", name, size, length, sum,
           back == size && !memcmp(text, again, size) ? "the same" : "different");
    free(packed);
    free(again);
}

int main(void)
{
    const char *text = "she sells sea shells on the sea shore; the shells she sells are sea shells, I'm sure";
    byte noise[100], runs[200];
    unsigned seed = 1;
    for (size_t i = 0; i < sizeof noise; i++) noise[i] = (seed = seed * 69069 + 1) >> 24;
    for (size_t i = 0; i < sizeof runs; i++) runs[i] = i / 70;
    check("text", (const byte *)text, strlen(text));
    check("noise", noise, sizeof noise);
    check("runs", runs, sizeof runs);
    check("nothing", noise, 0);
    return 0;
}
