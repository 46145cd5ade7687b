/* Shifts by the width of the type or more, or by a negative number, for the rule that is off unless
 * asked for. */
#include <stdint.h>

uint32_t mask_of_bad(unsigned bits)
{
    if (bits > 32)
        return ~0u;
    return (1u << bits) - 1; /* indict: shift */
}

uint32_t mask_of_ok(unsigned bits)
{
    if (bits > 31)
        return ~0u;
    return (1u << bits) - 1;
}

uint32_t rotate_bad(uint32_t word, unsigned by)
{
    by &= 31;
    return word << by | word >> (32 - by); /* indict: shift */
}

uint32_t rotate_ok(uint32_t word, unsigned by)
{
    by &= 31;
    return word << by | word >> (-by & 31);
}

uint32_t prefix_length_bad(int length)
{
    if (length < 0 || length > 32)
        return 0;
    return ~0u << (32 - length); /* indict: shift */
}

uint32_t prefix_length_ok(int length)
{
    if (length <= 0 || length > 32)
        return 0;
    return ~0u << (32 - length);
}

uint64_t wide_constant_bad(unsigned bit)
{
    if (bit < 32 || bit >= 64)
        return 0;
    return 1u << bit; /* indict: shift */
}

uint64_t wide_constant_ok(unsigned bit)
{
    if (bit < 32 || bit >= 64)
        return 0;
    return 1ull << bit;
}

uint32_t read_varint_bad(const uint8_t *bytes)
{
    uint32_t value = 0;
    int shift = 0;

    for (int i = 0; i < 6; i++) {
        value |= (uint32_t)(bytes[i] & 0x7f) << shift; /* indict: shift */
        if ((bytes[i] & 0x80) == 0)
            break;
        shift += 7;
    }
    return value;
}

uint32_t read_varint_ok(const uint8_t *bytes)
{
    uint32_t value = 0;
    int shift = 0;

    for (int i = 0; i < 6; i++) {
        value |= (uint32_t)(bytes[i] & 0x7f) << shift;
        if ((bytes[i] & 0x80) == 0)
            break;
        if ((shift += 7) > 28) break;
    }
    return value;
}

int negative_shift_bad(unsigned value, int exponent)
{
    if (exponent > 24 || exponent < 0)
        return 0;
    return (int)(value >> (exponent - 8)); /* indict: shift */
}

int negative_shift_ok(unsigned value, int exponent)
{
    if (exponent > 24 || exponent < 8)
        return 0;
    return (int)(value >> (exponent - 8));
}
