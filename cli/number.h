/* number.h: elements as text, in clPRIM's orders, and integers that sums cannot leave. */
#ifndef CLPRIM_CLI_NUMBER_H
#define CLPRIM_CLI_NUMBER_H

#include <clprim/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { NUMBER_TEXT_SIZE = 48 };

bool number_is_float(clprim_type type);
bool number_is_signed(clprim_type type); /* an integer */

/* The shortest text that reads back as the same value; "nan", "inf". */
void number_text(char out[NUMBER_TEXT_SIZE], clprim_type type, const void *element);

typedef enum number_fault {
    NUMBER_FINE,
    NUMBER_NONE,        /* the text is no number */
    NUMBER_NO_INTEGER,  /* it is one, but the type has integers alone */
    NUMBER_OUT_OF_RANGE /* the type has no such number */
} number_fault;

/* All of the text, as an element of a type, rounded to the nearest; "nan" and "inf" with any sign and case, too. */
number_fault number_parse(void *element, clprim_type type, const char *text);

/* The least and the greatest value of a type of integers: their bits, sign-extended. */
void number_limits(clprim_type type, uint64_t *least, uint64_t *greatest);

/* The element, for 64-bit integers rounded. */
double number_to_double(clprim_type type, const void *element);

/* An integer's 64 bits: of signed types sign-extended. */
uint64_t number_to_bits(clprim_type type, const void *element);

/* What turns elements to unsigned numbers in the same order: flip the sign bit, of negative floats all bits; then, if
 * NaNs come last, subtract the number of negative NaNs, which wraps them around to the end; downwards flip all bits
 * once more. */
typedef struct number_order {
    size_t size;
    uint64_t sign;
    uint64_t mask;
    uint64_t num_nans; /* that wrap around to the end */
    uint64_t last;     /* xor */
    bool is_float;
} number_order;

number_order number_order_of(clprim_type type, clprim_nan_order nan, bool descending);

static inline uint64_t number_place(const number_order *order, const void *element)
{
    uint64_t bits = 0;
    switch (order->size) {
    case 1: bits = *(const uint8_t *)element; break;
    case 2: bits = *(const uint16_t *)element; break;
    case 4: bits = *(const uint32_t *)element; break;
    default: memcpy(&bits, element, sizeof bits); break;
    }
    if (order->is_float && (bits & order->sign) != 0)
        bits ^= order->mask;
    else
        bits ^= order->sign;
    return ((bits - order->num_nans) & order->mask) ^ order->last;
}

/* A sum of up to 2^63 integers of 64 bits: two's complement of 128. */
typedef struct wide {
    uint64_t low;
    uint64_t high;
} wide;

void wide_add(wide *self, bool is_signed, uint64_t bits);
/* Can `start` and the sum of up to `count` integers from `least` to `greatest` (their bits) leave 64 bits? */
bool wide_may_leave(const wide *start, bool is_signed, size_t count, uint64_t least, uint64_t greatest);
bool wide_fits(const wide *self, bool is_signed);
void wide_text(char out[NUMBER_TEXT_SIZE], const wide *self);

/* From the command line; false: it makes no sense. */
bool number_parse_size(size_t *out, const char *text);  /* digits alone */
bool number_parse_bytes(size_t *out, const char *text); /* with K, M, G or T: powers of 1024 */
bool number_parse_range(double *low, double *high, const char *text);
bool number_parse_type(clprim_type *out, const char *text);

#endif
