/* SHA-256, CRC-32, a Murmur-like hash, FNV-1a and Adler-32 of some texts. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const uint32_t k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

struct sha {
    uint32_t state[8];
    uint64_t length;
    unsigned char block[64];
    unsigned used;
};

static uint32_t rotate(uint32_t x, int by)
{
    return x >> by | x << (32 - by);
}

static void transform(struct sha *s)
{
    uint32_t w[64], v[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)s->block[4 * i] << 24 | s->block[4 * i + 1] << 16 | s->block[4 * i + 2] << 8
             | s->block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        uint32_t s0 = rotate(a, 7) ^ rotate(a, 18) ^ a >> 3;
        uint32_t s1 = rotate(b, 17) ^ rotate(b, 19) ^ b >> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    memcpy(v, s->state, sizeof v);
    for (int i = 0; i < 64; i++) {
        uint32_t e = v[4], a = v[0];
        uint32_t t1 = v[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & v[5]) ^ (~e & v[6]))
                    + k[i] + w[i];
        uint32_t t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22))
                    + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++) s->state[i] += v[i];
}

static void begin(struct sha *s)
{
    static const uint32_t start[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
    memcpy(s->state, start, sizeof start);
    s->length = 0;
    s->used = 0;
}

static void update(struct sha *s, const void *data, size_t size)
{
    const unsigned char *at = data;
    s->length += 8 * (uint64_t)size;
    while (size--) {
        s->block[s->used++] = *at++;
        if (s->used == sizeof s->block) {
            transform(s);
            s->used = 0;
        }
    }
}

static void finish(struct sha *s, unsigned char digest[32])
{
    uint64_t length = s->length;
    update(s, "\x80", 1);
    while (s->used != 56) update(s, "", 1);
    for (int i = 7; i >= 0; i--) {
        unsigned char byte = length >> 8 * i;
        update(s, &byte, 1);
    }
    for (int i = 0; i < 32; i++) digest[i] = s->state[i / 4] >> (24 - i % 4 * 8);
}

static uint32_t crc32(const char *text, size_t size)
{
    static uint32_t table[256];
    if (!table[1])
        for (uint32_t i = 0; i < 256; i++) {
            uint32_t c = i;
            for (int j = 0; j < 8; j++) c = c & 1 ? 0xedb88320 ^ c >> 1 : c >> 1;
            table[i] = c;
        }
    uint32_t crc = ~0u;
    while (size--) crc = table[(crc ^ *text++) & 0xff] ^ crc >> 8;
    return ~crc;
}

static uint32_t murmur(const char *text, size_t size, uint32_t h)
{
    size_t left = size;
    for (; left >= 4; left -= 4, text += 4) {
        uint32_t word;
        memcpy(&word, text, 4);
        word *= 0xcc9e2d51;
        word = word << 15 | word >> 17;
        h ^= word * 0x1b873593;
        h = (h << 13 | h >> 19) * 5 + 0xe6546b64;
    }
    uint32_t tail = 0;
    switch (left) {
    case 3: tail ^= (uint32_t)(unsigned char)text[2] << 16; /* fall through */
    case 2: tail ^= (uint32_t)(unsigned char)text[1] << 8; /* fall through */
    case 1:
        tail ^= (unsigned char)text[0];
        tail *= 0xcc9e2d51;
        h ^= (tail << 15 | tail >> 17) * 0x1b873593;
    }
    h ^= size;
    h ^= h >> 16;
    h *= 0x85ebca6b;
    h ^= h >> 13;
    h *= 0xc2b2ae35;
    return h ^ h >> 16;
}

static uint64_t fnv(const char *text)
{
    uint64_t h = 0xcbf29ce484222325;
    for (; *text; text++) h = (h ^ (unsigned char)*text) * 0x100000001b3;
    return h;
}

static unsigned adler(const char *text)
{
    unsigned a = 1, b = 0;
    for (; *text; text++) {
        a = (a + (unsigned char)*text) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

int main(void)
{
    static const char *const texts[] = { "", "abc", "The quick brown fox jumps over the lazy dog",
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq\n\xe4\xff" };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct sha s;
        unsigned char digest[32];
        begin(&s);
        update(&s, texts[i], strlen(texts[i]));
        finish(&s, digest);
        for (int j = 0; j < 32; j++) printf("%02x", digest[j]);
        printf(" %08x %08x %016llx %08x\n", crc32(texts[i], strlen(texts[i])),
               murmur(texts[i], strlen(texts[i]), 42), (unsigned long long)fnv(texts[i]), adler(texts[i]));
    }
    return 0;
}
