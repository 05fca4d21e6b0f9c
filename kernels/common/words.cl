// SPDX-License-Identifier: MIT
/* words.cl: a VALUE as 32-bit words, for shuffles and atomics, which move only words.
 *
 * Parameters: VALUE, VALUE_SIZE. */
#if !defined(VALUE) || !defined(VALUE_SIZE)
#error "VALUE and VALUE_SIZE must be given"
#endif

#define VALUE_WORDS ((VALUE_SIZE + 3) / 4)

typedef union {
    uint words[VALUE_WORDS];
    VALUE value;
} value_words;
