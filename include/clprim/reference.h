/* clprim/reference.h: the plain, serial, obviously right versions, on the host.
 * Tests, examples and benchmarks compare with these. They need no OpenCL. */
#ifndef CLPRIM_REFERENCE_H
#define CLPRIM_REFERENCE_H

#include <clprim/status.h>
#include <clprim/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* accumulated = accumulated OP element, for an operator that only the caller knows. */
typedef void (*clprim_reference_combine)(void *accumulated, const void *element);

/* What the reference folds with: one of the library's operators, by the rules of clprim_reduce_desc; or the caller's own.
 * F16 is accumulated in F32; integers that a float accumulator does not hold are rounded to nearest before they are
 * added. */
typedef struct clprim_reference_operator {
    clprim_type type; /* of the elements */
    clprim_op op;
    clprim_type accumulator_type; /* default: the type of the elements */
    clprim_nan_order nan_order;   /* of MIN, MAX, ARGMIN and ARGMAX */
    /* The caller's own operator, on elements of `size` bytes; NULL: the one above. reduce and scan begin with *identity, or
     * if it is NULL with the first element; reduce_by_key begins each run with its first value and needs none. */
    clprim_reference_combine combine;
    size_t size;
    const void *identity;
    /* reduce begins with this value of the result's type; NULL: with the identity. Not for ARGMIN and ARGMAX. scan takes
     * that of clprim_reference_scan_how instead, and reduce_by_key takes none. */
    const void *initial;
} clprim_reference_operator;

/* Fold in[0 .. count) from left to right into *out: one value of the accumulator's type, a clprim_indexed for ARGMIN and
 * ARGMAX, or `size` bytes. Without elements, identity and initial these bytes are 0.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_INVALID_OPERATOR; then *out is untouched. */
CLPRIM_API clprim_status clprim_reference_reduce(void *out, const clprim_reference_operator *by, const void *in,
                                                 size_t count);

/* The same for each segment independently: out[s] is the fold of the elements from offsets[s] up to offsets[s + 1], which
 * are numbers of offsets_type, U32 (default) or U64. For ARGMIN and ARGMAX the index counts from the segment's first
 * element. Errors: as clprim_reference_reduce; CLPRIM_INVALID_ARGUMENT if offsets do not ascend or exceed count; then
 * nothing is written. */
CLPRIM_API clprim_status clprim_reference_segmented_reduce(void *out, const clprim_reference_operator *by,
                                                           const void *in, size_t count, clprim_type offsets_type,
                                                           const void *offsets, size_t num_segments);

/* Judge a float SUM or PROD: how far *result (of the accumulator's type) is from the value computed in higher
 * precision, and how far rounding alone may put it: depth * u / (1 - depth * u) times the sum of |x| (SUM) or the
 * product's magnitude (PROD), u the accumulator's unit roundoff, plus what storing the result rounds. x are the
 * elements as the accumulator takes them. `depth` is the
 * longest chain of operations any element went through; 0 means count - 1 (with .initial: count), which bounds every
 * order there is.
 * *error is 0 where both are the same infinity, or both NaN, and infinite where only one of them is; an infinite
 * result counts as right where the exact value may, within the bound, be rounded to it. *bound is infinite where
 * depth * u >= 1 (F32: depth 2^24 and more) or the sum of |x| alone may overflow: give a depth then.
 * Pre:    a float accumulator; PROD without underflow.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_INVALID_OPERATOR. */
CLPRIM_API clprim_status clprim_reference_reduce_error(double *error, double *bound,
                                                       const clprim_reference_operator *by, const void *in,
                                                       size_t count, size_t depth, const void *result);

/* How the reference scans. Zeroed: inclusive, from the identity, the array as one segment. */
typedef struct clprim_reference_scan_how {
    bool exclusive;
    const void *initial;   /* one value of the output's type; NULL: the identity. `exclusive` needs one of them */
    const uint8_t *begins; /* [i] not 0: a segment begins at element i; NULL: none but the first */
} clprim_reference_scan_how;

/* All prefixes of in[0 .. count), folded from left to right, into out[0 .. count): values of the accumulator's type,
 * clprim_indexed for ARGMIN and ARGMAX (there without initial), or `size` bytes each. how NULL: zeroed. out may be in
 * where their elements have one size.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_INVALID_OPERATOR, CLPRIM_OUT_OF_MEMORY; then out is untouched. */
CLPRIM_API clprim_status clprim_reference_scan(void *out, const clprim_reference_operator *by,
                                               const clprim_reference_scan_how *how, const void *in, size_t count);

/* Judge a scan by float SUM or PROD: *worst is the greatest error of any element, in units of what rounding alone may
 * make of it (the bound of clprim_reference_reduce_error for that prefix and `depth`): right where it is at most 1. An
 * element whose error is 0 counts as 0 whatever its bound. *where (may be NULL) is that element's index.
 * Pre:    a float accumulator; PROD without underflow.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_INVALID_OPERATOR. */
CLPRIM_API clprim_status clprim_reference_scan_error(double *worst, size_t *where, const clprim_reference_operator *by,
                                                     const clprim_reference_scan_how *how, const void *in, size_t count,
                                                     size_t depth, const void *result);

/* Move those of the `count` elements of `size` bytes whose keep[i] is not 0 to the front of out, in their order; with
 * partition the others follow. *selected is their number.
 * Errors: CLPRIM_INVALID_ARGUMENT; then nothing is written. */
CLPRIM_API clprim_status clprim_reference_select(void *out, size_t *selected, size_t size, const uint8_t *keep,
                                                 bool partition, const void *in, size_t count);

/* Whether b, the element after a, belongs to a's run. */
typedef bool (*clprim_reference_equal)(const void *a, const void *b);

/* Copy of each run of equal elements of `size` bytes the first one to out, in their order; equal NULL: all bits are the
 * same. *selected is their number.
 * Errors: CLPRIM_INVALID_ARGUMENT; then nothing is written. */
CLPRIM_API clprim_status clprim_reference_unique(void *out, size_t *selected, size_t size, clprim_reference_equal equal,
                                                 const void *in, size_t count);

/* Each run of elements of `size` bytes with the same bits: the element, and how many there are. *runs is their number.
 * Errors: CLPRIM_INVALID_ARGUMENT; then nothing is written. */
CLPRIM_API clprim_status clprim_reference_run_length_encode(void *out, uint64_t *lengths, size_t *runs, size_t size,
                                                            const void *in, size_t count);

/* For each run of keys of key_size bytes with the same bits the key, and the fold of its values from left to right, as
 * by clprim_reference_reduce; of ARGMIN and ARGMAX the index counts from the first of all values. *runs is their
 * number. Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_INVALID_OPERATOR; then nothing is written. */
CLPRIM_API clprim_status clprim_reference_reduce_by_key(void *keys_out, void *values_out, size_t *runs, size_t key_size,
                                                        const clprim_reference_operator *by, const void *keys_in,
                                                        const void *values_in, size_t count);

/* The bin of an element, the caller's own mapping; anything outside 0 .. bins - 1 is no bin. */
typedef int64_t (*clprim_reference_bin_of)(const void *element);

/* How the reference counts; the fields are those of clprim_histogram_desc, and zeroed ones mean the same. */
typedef struct clprim_reference_histogram_how {
    clprim_type type;
    clprim_histogram_mapping mapping;
    size_t bins;
    double low, high;
    const void *boundaries;
    clprim_reference_bin_of bin_of; /* of CUSTOM */
    unsigned channels, active_channels;
    clprim_type weights_type;
    clprim_type counter_type; /* default U32 */
    bool accumulate;
} clprim_reference_histogram_how;

/* The histogram of in[0 .. count * channels) into out, active_channels * bins counters, and how many elements belong to
 * no bin into outside[0 .. active_channels), which may be NULL. weights[0 .. count) where there is a weights_type, else
 * NULL. Weights are added up in their type from left to right.
 * Errors: CLPRIM_INVALID_ARGUMENT; then nothing is written. */
CLPRIM_API clprim_status clprim_reference_histogram(void *out, uint64_t *outside,
                                                    const clprim_reference_histogram_how *how, const void *in,
                                                    const void *weights, size_t count);

/* How the reference sorts; the fields are those of clprim_radix_sort_desc, and zeroed ones mean the same. */
typedef struct clprim_reference_sort_how {
    clprim_type key_type;
    size_t value_size;
    bool argsort;
    bool descending;
    bool bit_range;
    unsigned begin_bit, end_bit;
    clprim_nan_order nan_order;
} clprim_reference_sort_how;

/* Sort keys[0 .. count), and values with them, where they lie: stably, in the order of clprim/radix_sort.h. values is
 * NULL where there are none; with argsort it is only written.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_OUT_OF_MEMORY; then nothing is written. */
CLPRIM_API clprim_status clprim_reference_sort(void *keys, void *values, const clprim_reference_sort_how *how,
                                               size_t count);

/* How the reference sorts arrays by keys; the fields are those of clprim_sort_by_key_desc, and zeroed ones mean the
 * same. */
typedef struct clprim_reference_sort_by_key_how {
    clprim_type key_type;
    bool descending;
    bool bit_range;
    unsigned begin_bit, end_bit;
    bool values_only;
    size_t num_arrays;
    size_t element_sizes[CLPRIM_SORT_BY_KEY_MAX_ARRAYS];
    clprim_nan_order nan_order;
} clprim_reference_sort_by_key_how;

/* Sort keys[0 .. count), unless values_only, and with them arrays[0 .. num_arrays), each of `count` elements, where
 * they lie: stably, in the order of clprim/radix_sort.h.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_OUT_OF_MEMORY; then nothing is written. */
CLPRIM_API clprim_status clprim_reference_sort_by_key(void *keys, void *const *arrays,
                                                      const clprim_reference_sort_by_key_how *how, size_t count);

/* The same for each segment independently: segment s has the elements from offsets[s] up to offsets[s + 1], which are
 * numbers of offsets_type, U32 (default) or U64. With argsort values are indices in the array. What is in no segment
 * stays as it is. Errors: as clprim_reference_sort; CLPRIM_INVALID_ARGUMENT for offsets that are not ascending, or
 * beyond count. */
CLPRIM_API clprim_status clprim_reference_segmented_sort(void *keys, void *values, const clprim_reference_sort_how *how,
                                                         size_t count, clprim_type offsets_type, const void *offsets,
                                                         size_t num_segments);

/* How the reference finds the first k; the fields are those of clprim_top_k_desc, and zeroed ones mean the same. */
typedef struct clprim_reference_top_k_how {
    clprim_type key_type;
    size_t k;
    bool smallest;
    size_t value_size;
    bool indices;
    bool unsorted;
    clprim_nan_order nan_order;
} clprim_reference_top_k_how;

/* The first min(k, count) of keys[0 .. count), and of their values, in the order of clprim/top_k.h. values is NULL
 * where there are none to read, values_out where there are none to write. Errors: CLPRIM_INVALID_ARGUMENT,
 * CLPRIM_OUT_OF_MEMORY; then nothing is written. */
CLPRIM_API clprim_status clprim_reference_top_k(void *keys_out, void *values_out, const clprim_reference_top_k_how *how,
                                                const void *keys, const void *values, size_t count);

/* Must *a come before *b? An order that only the caller knows. */
typedef bool (*clprim_reference_before)(const void *a, const void *b);

/* The order of elements that merges, searches and tests of order go by; zeroed: U32 upwards. */
typedef struct clprim_reference_order {
    clprim_type type;               /* of the elements; default U32 */
    clprim_reference_before before; /* NULL: the total order of clprim/types.h */
    size_t size;                    /* of an element, where there is a `before`; 0: that of the type */
    bool descending;
    clprim_nan_order nan_order; /* not with a `before` */
} clprim_reference_order;

/* Merge a[0 .. a_count) and b[0 .. b_count), each in order, into out: stably, a's elements before b's where they are
 * equal. Each element's value, of value_size bytes, goes with it; 0: there are none, and their arrays are NULL. order
 * NULL: zeroed. Errors: CLPRIM_INVALID_ARGUMENT; then nothing is written. */
CLPRIM_API clprim_status clprim_reference_merge(void *out, void *out_values, const clprim_reference_order *order,
                                                size_t value_size, const void *a, const void *a_values, size_t a_count,
                                                const void *b, const void *b_values, size_t b_count);

/* *out: how many of in[0 .. count) are in order, from the first one on; `count` where all are.
 * Errors: CLPRIM_INVALID_ARGUMENT; then *out is untouched. */
CLPRIM_API clprim_status clprim_reference_is_sorted(size_t *out, const clprim_reference_order *order, const void *in,
                                                    size_t count);

/* For each needle out[i]: how many of in[0 .. count), which are in order, come before it; with `upper`, how many it
 * does not come before. Errors: CLPRIM_INVALID_ARGUMENT; then out is untouched. */
CLPRIM_API clprim_status clprim_reference_search(uint64_t *out, const clprim_reference_order *order, bool upper,
                                                 const void *in, size_t count, const void *needles, size_t num_needles);

/* The steps of the course's article on bitonic sort, from what explains it to what a kernel can be made of. All of them
 * compare the same pairs in the same order but for RECURSIVE. */
typedef enum clprim_reference_bitonic_step {
    CLPRIM_REFERENCE_BITONIC_RECURSIVE = 0, /* sort both halves in opposite directions, merge */
    CLPRIM_REFERENCE_BITONIC_PARTNER_TEST,  /* loops over all elements, of which half have their partner before them */
    CLPRIM_REFERENCE_BITONIC_TWO_LOOPS,     /* over blocks, and the first halves of them */
    CLPRIM_REFERENCE_BITONIC_DIVISION,      /* one loop over pairs, which are found by a division */
    CLPRIM_REFERENCE_BITONIC_SHIFTS,        /* or by shifts */
    CLPRIM_REFERENCE_BITONIC_STEP_END       /* one past the last step */
} clprim_reference_bitonic_step;

/* How the reference sorts by a bitonic network. Zeroed: U32 upwards, RECURSIVE. */
typedef struct clprim_reference_bitonic_how {
    clprim_type type;               /* of the elements; default U32 */
    clprim_reference_before before; /* NULL: the total order of clprim/bitonic_sort.h */
    size_t size;                    /* of an element, where there is a `before`; 0: that of the type */
    size_t value_size;              /* bytes of the value that goes with each element; 0: none */
    bool descending;
    clprim_reference_bitonic_step step;
    clprim_nan_order nan_order; /* not with a `before` */
} clprim_reference_bitonic_how;

/* Sort data[0 .. count), and values with it, where they lie: by a network, not stable. values is NULL where there are
 * none. Without `before` and values the loops are compiled for the element's size, so that their times can be compared.
 * Errors: CLPRIM_INVALID_ARGUMENT; then nothing is written. */
CLPRIM_API clprim_status clprim_reference_bitonic_sort(void *data, void *values,
                                                       const clprim_reference_bitonic_how *how, size_t count);

/* How the reference sorts by comparisons. Zeroed: U32 upwards. */
typedef struct clprim_reference_comparison_how {
    clprim_type type;               /* of the elements; default U32 */
    clprim_reference_before before; /* NULL: the total order of clprim/comparison_sort.h */
    size_t size;                    /* of an element, where there is a `before`; 0: that of the type */
    size_t value_size;              /* bytes of the value that goes with each element; 0: none */
    bool descending;                /* equal elements keep their order all the same */
    clprim_nan_order nan_order;     /* not with a `before` */
} clprim_reference_comparison_how;

/* Sort data[0 .. count), and values with it, where they lie: stably. values is NULL where there are none.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_OUT_OF_MEMORY; then nothing is written. */
CLPRIM_API clprim_status clprim_reference_comparison_sort(void *data, void *values,
                                                          const clprim_reference_comparison_how *how, size_t count);

#ifdef __cplusplus
}
#endif
#endif
