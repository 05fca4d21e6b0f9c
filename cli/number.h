// SPDX-License-Identifier: MIT
/* number.h: elements as text, in clPRIM's orders; and integers large enough for sums. */
#ifndef CLPRIM_CLI_NUMBER_H
#define CLPRIM_CLI_NUMBER_H

#include <clprim/pieces.h>
#include <clprim/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NUMBER_TEXT_SIZE = 48 };

bool number_is_float(clprim_type type);
bool number_is_signed(clprim_type type); /* a signed integer type */

/* Write the shortest text that reads back as the same value; or "nan", "inf". */
void number_text(char out[NUMBER_TEXT_SIZE], clprim_type type, const void *element);

typedef enum number_fault {
    NUMBER_FINE,
    NUMBER_NONE,        /* the text is not a number */
    NUMBER_NO_INTEGER,  /* it is not an integer, but the type is */
    NUMBER_OUT_OF_RANGE /* it is out of the type's range */
} number_fault;

/* Parse the whole text as an element of a type, rounded to nearest. "nan" and "inf" are accepted with any sign, in
 * upper or lower case. */
number_fault number_parse(void *element, clprim_type type, const char *text);

/* The least and the greatest value of an integer type, as sign-extended bits. */
void number_limits(clprim_type type, uint64_t *least, uint64_t *greatest);

/* The element as a double; 64-bit integers may be rounded. */
double number_to_double(clprim_type type, const void *element);

/* The bits of an integer, sign-extended to 64 bits for signed types. */
uint64_t number_to_bits(clprim_type type, const void *element);

/* The position of an element in the order, as an unsigned number. */
uint64_t number_place(const clprim_key_order *order, const void *element);

/* A sum of up to 2^63 integers of 64 bits, as a 128-bit two's complement number. */
typedef struct wide {
    uint64_t low;
    uint64_t high;
} wide;

void wide_add(wide *self, bool is_signed, uint64_t bits);
void wide_add_wide(wide *self, const wide *other);
/* Whether the sum of `start` and up to `count` integers between `least` and `greatest` (given as bits) may not fit 64
 * bits. */
bool wide_may_leave(const wide *start, bool is_signed, size_t count, uint64_t least, uint64_t greatest);
bool wide_fits(const wide *self, bool is_signed);
void wide_text(char out[NUMBER_TEXT_SIZE], const wide *self);

/* Parse a number from the command line; false if it is not valid. */
bool number_parse_size(size_t *out, const char *text);  /* only digits */
bool number_parse_bytes(size_t *out, const char *text); /* with suffix K, M, G or T: powers of 1024 */
bool number_parse_range(double *low, double *high, const char *text);
bool number_parse_type(clprim_type *out, const char *text);

/* Round to the type. The result is infinite if the value is too large for a float type. Returns false if an integer
 * type cannot represent the value: it has a fraction or is out of range. */
bool number_from_double(void *element, clprim_type type, double value);

#endif
