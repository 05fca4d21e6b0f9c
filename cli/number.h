/* number.h: elements as text, in clPRIM's orders, and integers that sums cannot leave. */
#ifndef CLPRIM_CLI_NUMBER_H
#define CLPRIM_CLI_NUMBER_H

#include <clprim/pieces.h>
#include <clprim/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* An element's place in the order, an unsigned number. */
uint64_t number_place(const clprim_key_order *order, const void *element);

/* A sum of up to 2^63 integers of 64 bits: two's complement of 128. */
typedef struct wide {
    uint64_t low;
    uint64_t high;
} wide;

void wide_add(wide *self, bool is_signed, uint64_t bits);
void wide_add_wide(wide *self, const wide *other);
/* Can `start` and the sum of up to `count` integers from `least` to `greatest` (their bits) leave 64 bits? */
bool wide_may_leave(const wide *start, bool is_signed, size_t count, uint64_t least, uint64_t greatest);
bool wide_fits(const wide *self, bool is_signed);
void wide_text(char out[NUMBER_TEXT_SIZE], const wide *self);

/* From the command line; false: it makes no sense. */
bool number_parse_size(size_t *out, const char *text);  /* digits alone */
bool number_parse_bytes(size_t *out, const char *text); /* with K, M, G or T: powers of 1024 */
bool number_parse_range(double *low, double *high, const char *text);
bool number_parse_type(clprim_type *out, const char *text);

/* Round to the type; infinite where it is too large for a float type. False: the type has no such number at all, of
 * integers one with a fraction or out of range. */
bool number_from_double(void *element, clprim_type type, double value);

#endif
