/* What every such program has. Nothing is included but the source itself, so that nothing can be in
   its way. */

static int indict_case;
static int indict_counts;
static unsigned long indict_allocations;

static void indict_bytes(void *to, const char *bytes, unsigned long count)
{
    unsigned char *at = to;

    for (unsigned long i = 0; i < count; i++)
        at[i] = (unsigned char)bytes[i];
}

static void indict_address(void *to, void *address)
{
    indict_bytes(to, (const char *)&address, sizeof address);
}

static unsigned char *indict_block(unsigned long size)
{
    return __builtin_calloc(1, size);
}

static float indict_float(unsigned bits)
{
    float number;

    indict_bytes(&number, (const char *)&bits, sizeof number);
    return number;
}

static double indict_double(unsigned long bits)
{
    double number;

    indict_bytes(&number, (const char *)&bits, sizeof number);
    return number;
}

static int indict_number(const char *text)
{
    int number = 0;

    while (*text >= '0' && *text <= '9')
        number = 10 * number + (*text++ - '0');
    return number;
}
