/* Blocks that are freed twice: on an error path and at the end, through two owners, by clean-up code
 * that runs again. */
#include <stdlib.h>
#include <string.h>

struct image {
    unsigned char *pixels;
    unsigned char *palette;
    int width;
};

int load_image_bad(struct image *image, int width)
{
    unsigned char *row = malloc(64);
    int status = -1;

    if (row == NULL)
        return -1;
    if (width < 0)
        goto out;
    if (width > 64) {
        free(row);
        goto out;
    }
    memset(row, 0, 64);
    image->width = row[0];
    status = 0;
out:
    free(row); /* indict: double-free */
    return status;
}

int load_image_ok(struct image *image, int width)
{
    unsigned char *row = malloc(64);
    int status = -1;

    if (row == NULL)
        return -1;
    if (width < 0)
        goto out;
    if (width > 64) {
        free(row);
        return -1;
    }
    memset(row, 0, 64);
    image->width = row[0];
    status = 0;
out:
    free(row);
    return status;
}

int two_labels_bad(struct image *image, int depth)
{
    image->pixels = malloc(32);
    if (image->pixels == NULL)
        return -1;
    image->palette = malloc(16);
    if (image->palette == NULL)
        goto free_pixels;
    if (depth > 8)
        goto free_palette;
    return 0;
free_palette:
    free(image->palette);
    image->palette = image->pixels;
free_pixels:
    free(image->pixels);
    free(image->palette); /* indict: double-free */
    return -1;
}

int two_labels_ok(struct image *image, int depth)
{
    image->pixels = malloc(32);
    if (image->pixels == NULL)
        return -1;
    image->palette = malloc(16);
    if (image->palette == NULL)
        goto free_pixels;
    if (depth > 8)
        goto free_palette;
    return 0;
free_palette:
    free(image->palette);
    image->palette = NULL;
free_pixels:
    free(image->pixels);
    free(image->palette);
    return -1;
}

static void image_clear(struct image *image)
{
    free(image->pixels);
    free(image->palette);
    image->palette = NULL;
}

int clear_twice_bad(int width)
{
    struct image image = {0};

    image.pixels = malloc(8);
    if (image.pixels == NULL)
        return -1;
    if (width == 0)
        image_clear(&image);
    free(image.pixels); /* indict: double-free */
    return 0;
}

int clear_twice_ok(int width)
{
    struct image image = {0};

    image.pixels = malloc(8);
    if (image.pixels == NULL)
        return -1;
    if (width == 0)
        image_clear(&image);
    if (width != 0) free(image.pixels);
    return 0;
}

unsigned char *realloc_failed_bad(unsigned char *old, size_t size)
{
    unsigned char *bigger = realloc(old, size + 16);

    if (bigger == NULL) {
        free(old);
        return NULL;
    }
    free(old); /* indict: double-free */
    return bigger;
}

unsigned char *realloc_failed_ok(unsigned char *old, size_t size)
{
    unsigned char *bigger = realloc(old, size + 16);

    if (bigger == NULL) {
        free(old);
        return NULL;
    }
    bigger[0] = 0;
    return bigger;
}

int swap_owners_bad(int which)
{
    char *a = malloc(4), *b = malloc(4);

    if (a == NULL || b == NULL)
        goto out;
    if (which != 0) {
        free(b);
        b = a;
    }
out:
    free(a);
    free(b); /* indict: double-free */
    return 0;
}

int swap_owners_ok(int which)
{
    char *a = malloc(4), *b = malloc(4);

    if (a == NULL || b == NULL)
        goto out;
    if (which != 0) {
        free(b);
        b = NULL;
    }
out:
    free(a);
    free(b);
    return 0;
}

int free_in_loop_bad(const char *lines, int count)
{
    char *scratch = malloc(8);
    int errors = 0;

    if (scratch == NULL)
        return -1;
    for (int i = 0; i < count; i++) {
        if (lines[i] == '!') {
            free(scratch); /* indict: double-free */
            errors++;
            continue;
        }
    }
    if (errors == 0)
        free(scratch);
    return errors;
}

int free_in_loop_ok(const char *lines, int count)
{
    char *scratch = malloc(8);
    int errors = 0;

    if (scratch == NULL)
        return -1;
    for (int i = 0; i < count; i++) {
        if (lines[i] == '!') {
            free(scratch);
            errors++;
            return errors;
        }
    }
    if (errors == 0)
        free(scratch);
    return errors;
}

static void release(char **p)
{
    free(*p);
}

int scoped_bad(const char *text)
{
    __attribute__((cleanup(release))) char *copy = strdup(text);
    int first;

    if (copy == NULL)
        return -1;
    first = copy[0];
    if (first == '#')
        free(copy);
    return first;
} /* indict: double-free */

int scoped_ok(const char *text)
{
    __attribute__((cleanup(release))) char *copy = strdup(text);
    int first;

    if (copy == NULL)
        return -1;
    first = copy[0];
    if (first == '#')
        first = 0;
    return first;
}

void shared_field_bad(struct image *a, struct image *b)
{
    a->pixels = malloc(4);
    b->pixels = a->pixels;
    free(a->pixels);
    free(b->pixels); /* indict: double-free */
    a->pixels = NULL;
    b->pixels = NULL;
}

void shared_field_ok(struct image *a, struct image *b)
{
    a->pixels = malloc(4);
    b->pixels = malloc(4);
    free(a->pixels);
    free(b->pixels);
    a->pixels = NULL;
    b->pixels = NULL;
}
