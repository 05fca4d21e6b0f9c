/* number.c: elements as text, in clPRIM's total order, and integers that sums cannot leave. */
#include "number.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "files are taken as they are: the host must be little-endian"
#endif

bool number_is_float(clprim_type type)
{
    return type >= CLPRIM_F16;
}

bool number_is_signed(clprim_type type)
{
    return type == CLPRIM_I8 || type == CLPRIM_I16 || type == CLPRIM_I32 || type == CLPRIM_I64;
}

uint64_t number_to_bits(clprim_type type, const void *element)
{
    const size_t size = clprim_type_size(type);
    uint64_t bits = 0;
    memcpy(&bits, element, size);
    if (number_is_signed(type) && size < 8 && bits >> (8 * size - 1) != 0)
        bits |= UINT64_MAX << 8 * size;
    return bits;
}

double number_to_double(clprim_type type, const void *element)
{
    const uint64_t bits = number_to_bits(type, element);
    float single = 0;
    double value = 0;
    switch (type) {
    case CLPRIM_F16: return (double)clprim_half_to_float((uint16_t)bits);
    case CLPRIM_F32: memcpy(&single, element, sizeof single); return (double)single;
    case CLPRIM_F64: memcpy(&value, element, sizeof value); return value;
    default: return number_is_signed(type) ? (double)(int64_t)bits : (double)bits;
    }
}

/* Does the text read back as this value of the type? */
static bool reads_back(clprim_type type, double value, const char *text)
{
    if (type == CLPRIM_F64)
        return strtod(text, NULL) == value;
    const float single = strtof(text, NULL);
    if (type == CLPRIM_F16)
        return clprim_half_from_float(single) == clprim_half_from_float((float)value);
    return single == (float)value;
}

void number_text(char out[NUMBER_TEXT_SIZE], clprim_type type, const void *element)
{
    if (!number_is_float(type)) {
        const uint64_t bits = number_to_bits(type, element);
        if (number_is_signed(type))
            (void)snprintf(out, NUMBER_TEXT_SIZE, "%" PRId64, (int64_t)bits);
        else
            (void)snprintf(out, NUMBER_TEXT_SIZE, "%" PRIu64, bits);
        return;
    }
    const double value = number_to_double(type, element);
    if (isnan(value)) {
        (void)snprintf(out, NUMBER_TEXT_SIZE, "%snan", signbit(value) ? "-" : "");
        return;
    }
    /* The first that is exact: values of few digits are common, and 17 are always enough. */
    for (int digits = type == CLPRIM_F64 ? 15 : type == CLPRIM_F32 ? 6 : 3; digits <= 17; digits++) {
        (void)snprintf(out, NUMBER_TEXT_SIZE, "%.*g", digits, value);
        if (isinf(value) || reads_back(type, value, out))
            return;
    }
}

number_order number_order_of(clprim_type type, bool descending)
{
    const size_t bits = 8 * clprim_type_size(type);
    const uint64_t mask = UINT64_MAX >> (64 - bits);
    const bool is_float = number_is_float(type);
    const bool has_sign = is_float || number_is_signed(type);
    return (number_order){.size = bits / 8,
                          .sign = has_sign ? (uint64_t)1 << (bits - 1) : 0,
                          .mask = mask,
                          .last = descending ? mask : 0,
                          .is_float = is_float};
}

void wide_add(wide *self, bool is_signed, uint64_t bits)
{
    self->low += bits;
    self->high += self->low < bits ? 1 : 0;
    if (is_signed && bits >> 63 != 0)
        self->high -= 1;
}

bool wide_fits(const wide *self, bool is_signed)
{
    if (!is_signed)
        return self->high == 0;
    return self->high == (self->low >> 63 != 0 ? UINT64_MAX : 0);
}

bool wide_may_leave(const wide *start, bool is_signed, size_t count, uint64_t least, uint64_t greatest)
{
    const uint64_t most = (is_signed ? (uint64_t)INT64_MAX : UINT64_MAX) / count;
    const uint64_t below = is_signed && least >> 63 != 0 ? 0 - least : 0;
    const uint64_t above = is_signed && greatest >> 63 != 0 ? 0 : greatest;
    wide low = *start;
    wide high = *start;
    if (below > most || above > most)
        return true;
    wide_add(&low, is_signed, 0 - below * count);
    wide_add(&high, is_signed, above * count);
    return !wide_fits(&low, is_signed) || !wide_fits(&high, is_signed);
}

void wide_text(char out[NUMBER_TEXT_SIZE], const wide *self)
{
    const bool is_negative = self->high >> 63 != 0;
    char digits[NUMBER_TEXT_SIZE];
    size_t at = sizeof digits;
    uint64_t low = is_negative ? ~self->low + 1 : self->low;
    uint64_t high = is_negative ? ~self->high + (low == 0 ? 1 : 0) : self->high;
    uint32_t limbs[4] = {(uint32_t)(high >> 32), (uint32_t)high, (uint32_t)(low >> 32), (uint32_t)low};
    digits[--at] = '\0';
    do {
        uint64_t rest = 0;
        for (size_t i = 0; i < 4; i++) {
            rest = rest << 32 | limbs[i];
            limbs[i] = (uint32_t)(rest / 10);
            rest %= 10;
        }
        digits[--at] = (char)('0' + rest);
    } while ((limbs[0] | limbs[1] | limbs[2] | limbs[3]) != 0);
    if (is_negative)
        digits[--at] = '-';
    memcpy(out, digits + at, sizeof digits - at);
}

static bool parse_digits(uint64_t *out, const char *text, char **end)
{
    errno = 0;
    if (text[0] < '0' || text[0] > '9')
        return false;
    *out = strtoull(text, end, 10);
    return errno == 0;
}

bool number_parse_size(size_t *out, const char *text)
{
    char *end = NULL;
    uint64_t value = 0;
    if (!parse_digits(&value, text, &end) || *end != '\0' || value > SIZE_MAX)
        return false;
    *out = (size_t)value;
    return true;
}

bool number_parse_bytes(size_t *out, const char *text)
{
    static const char units[] = "KMGT";
    char *end = NULL;
    uint64_t value = 0;
    unsigned shift = 0;
    if (!parse_digits(&value, text, &end))
        return false;
    const char *unit = *end != '\0' ? strchr(units, *end) : NULL;
    if (unit != NULL) {
        shift = 10 * (unsigned)(unit - units + 1);
        end++;
    }
    if (*end != '\0' || value > SIZE_MAX >> shift)
        return false;
    *out = (size_t)value << shift;
    return true;
}

bool number_parse_range(double *low, double *high, const char *text)
{
    char *end = NULL;
    *low = strtod(text, &end);
    if (end == text || *end != ',')
        return false;
    const char *second = end + 1;
    *high = strtod(second, &end);
    return end != second && *end == '\0' && isfinite(*low) && isfinite(*high) && *low < *high;
}

bool number_parse_type(clprim_type *out, const char *text)
{
    for (int type = CLPRIM_TYPE_DEFAULT + 1; type < CLPRIM_TYPE_END; type++) {
        if (strcmp(text, clprim_type_name((clprim_type)type)) == 0) {
            *out = (clprim_type)type;
            return true;
        }
    }
    return false;
}
