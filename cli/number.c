// SPDX-License-Identifier: MIT
/* number.c: elements as text, in clPRIM's orders; and integers large enough for sums. */
#include "number.h"

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

void number_limits(clprim_type type, uint64_t *least, uint64_t *greatest)
{
    const size_t bits = 8 * clprim_type_size(type);
    const bool is_signed = number_is_signed(type);
    *greatest = UINT64_MAX >> (64 - bits + (is_signed ? 1 : 0));
    *least = is_signed ? ~*greatest : 0;
}

/* Round a double to half only once. Before that, if a float cannot represent the value, only the float's last bit is
 * set. */
static uint16_t half_of(double value)
{
    float single = (float)value;
    uint32_t bits = 0;
    memcpy(&bits, &single, sizeof bits);
    if (isfinite(single) && (double)single != value && (bits & 1) == 0)
        single = nextafterf(single, value > (double)single ? INFINITY : -INFINITY);
    return clprim_half_from_float(single);
}

bool number_from_double(void *element, clprim_type type, double value)
{
    const float single = (float)value;
    const uint16_t half = type == CLPRIM_F16 ? half_of(value) : 0;
    uint64_t least = 0;
    uint64_t greatest = 0;
    uint64_t bits = 0;
    switch (type) {
    case CLPRIM_F16: memcpy(element, &half, sizeof half); return true;
    case CLPRIM_F32: memcpy(element, &single, sizeof single); return true;
    case CLPRIM_F64: memcpy(element, &value, sizeof value); return true;
    default: break;
    }
    number_limits(type, &least, &greatest);
    const double low = number_is_signed(type) ? (double)(int64_t)least : (double)least;
    if (value != floor(value) || value < low || value > (double)greatest || value >= 0x1p64 ||
        (number_is_signed(type) && value >= 0x1p63))
        return false;
    bits = value < 0 ? 0 - (uint64_t)-value : (uint64_t)value;
    memcpy(element, &bits, clprim_type_size(type));
    return true;
}

static number_fault parse_real(void *element, clprim_type type, const char *text)
{
    static const char more[] = "xXpP("; /* strtod accepts more than decimal numbers */
    char *end = NULL;
    const double value = strtod(text, &end);
    const float single = type == CLPRIM_F32 ? strtof(text, NULL) : 0;
    const uint16_t half = half_of(value);
    if (end == text || *end != '\0' || strpbrk(text, more) != NULL || strchr(" \t\n\v\f\r", text[0]) != NULL)
        return NUMBER_NONE;
    memcpy(element,
           type == CLPRIM_F64   ? (const void *)&value
           : type == CLPRIM_F32 ? (const void *)&single
                                : &half,
           clprim_type_size(type));
    const bool is_infinite = isinf(number_to_double(type, element));
    return is_infinite && strpbrk(text, "iI") == NULL ? NUMBER_OUT_OF_RANGE : NUMBER_FINE;
}

number_fault number_parse(void *element, clprim_type type, const char *text)
{
    const bool is_negative = text[0] == '-';
    const char *digit = text + (is_negative || text[0] == '+' ? 1 : 0);
    uint64_t magnitude = 0;
    uint64_t least = 0;
    uint64_t greatest = 0;
    double real = 0;
    bool fits = true;
    if (number_is_float(type))
        return parse_real(element, type, text);
    if (*digit == '\0')
        return NUMBER_NONE;
    for (; *digit >= '0' && *digit <= '9'; digit++) {
        const uint64_t value = (uint64_t)(*digit - '0');
        fits = fits && magnitude <= (UINT64_MAX - value) / 10;
        magnitude = magnitude * 10 + value;
    }
    if (*digit != '\0')
        return parse_real(&real, CLPRIM_F64, text) != NUMBER_NONE ? NUMBER_NO_INTEGER : NUMBER_NONE;
    number_limits(type, &least, &greatest);
    if (!fits || magnitude > (is_negative ? 0 - least : greatest))
        return NUMBER_OUT_OF_RANGE;
    magnitude = is_negative ? 0 - magnitude : magnitude;
    memcpy(element, &magnitude, clprim_type_size(type));
    return NUMBER_FINE;
}

/* The number of digits to try first. Every type can represent a certain number of decimal digits, and so many are
 * needed to tell its normal values apart: fewer are not enough. Integers that the type represents exactly are written
 * without an exponent. */
static int first_digits(clprim_type type, double value)
{
    static const struct {
        double least_normal, integers, integers_end;
        int digits, integer_digits;
    } rows[] = {
        {0x1p-14, 1e3, 0x1p16, 3, 5}, {(double)FLT_MIN, 1e6, 0x1p24, FLT_DIG, 8}, {DBL_MIN, 1e15, 0x1p53, DBL_DIG, 16}};
    const double size = fabs(value);
    const size_t row = (size_t)(type - CLPRIM_F16);
    if (size < rows[row].least_normal)
        return 1;
    return size >= rows[row].integers && size < rows[row].integers_end ? rows[row].integer_digits : rows[row].digits;
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
    if (!isfinite(value)) {
        (void)snprintf(out, NUMBER_TEXT_SIZE, "%s%s", signbit(value) ? "-" : "", isnan(value) ? "nan" : "inf");
        return;
    }
    for (int digits = first_digits(type, value); digits <= DBL_DIG + 2; digits++) {
        uint64_t again = 0;
        (void)snprintf(out, NUMBER_TEXT_SIZE, "%.*g", digits, value);
        if (number_parse(&again, type, out) == NUMBER_FINE && memcmp(&again, element, clprim_type_size(type)) == 0)
            return;
    }
}

uint64_t number_place(const clprim_key_order *order, const void *element)
{
    uint64_t place = 0;
    (void)clprim_key_images(&place, order, element, 1); /* it cannot fail for a valid order */
    return place;
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

void wide_add_wide(wide *self, const wide *other)
{
    self->low += other->low;
    self->high += other->high + (self->low < other->low);
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
