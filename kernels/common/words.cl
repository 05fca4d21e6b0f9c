/* words.cl: a VALUE as 32-bit words, for the means that move only those (shuffles, atomics).
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
