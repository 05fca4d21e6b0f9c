// SPDX-License-Identifier: MIT
/* clprim/reference.h: plain, serial, obviously correct versions of the operations, on the host.
 *
 * Tests, examples and benchmarks compare results with them. They need no OpenCL. A function that fails writes nothing,
 * unless its comment says otherwise, and clprim_last_error() returns the reason. A NULL `how` or `order` means a
 * zeroed one. */
#ifndef CLPRIM_REFERENCE_H
#define CLPRIM_REFERENCE_H

#include <clprim/status.h>
#include <clprim/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The caller's own operator: *accumulated = *accumulated OP *element. */
typedef void (*clprim_reference_combine)(void *accumulated, const void *element);

/* The operator of reductions and scans: one of the library's, by the rules of clprim_reduce_desc, or the caller's
 * own. F16 is accumulated in F32. Integers that a float accumulator does not hold are rounded to nearest before they
 * are combined. */
typedef struct clprim_reference_operator {
    /* Type of the elements. Required, except with .combine. */
    clprim_type type;

    /* The operator. Ignored with .combine. Default: CLPRIM_SUM. */
    clprim_op op;

    /* Type of the running value and of the result, for SUM and PROD only. Default: .type. */
    clprim_type accumulator_type;

    /* Whether MIN, MAX, ARGMIN and ARGMAX propagate NaNs (clprim/types.h). Default: CLPRIM_NAN_TOTAL (they do not). */
    clprim_nan_order nan_order;

    /* The caller's own operator on elements of .size bytes, instead of .op. Default: NULL (.op). */
    clprim_reference_combine combine;

    /* Size of an element, in bytes. Required with .combine. */
    size_t size;

    /* Identity of .combine, with which reduce and scan begin. reduce_by_key does not need it. Default: NULL (reduce and
     * scan begin with the first element). */
    const void *identity;

    /* The initial value of reduce: one value of the result's type. Not for ARGMIN and ARGMAX. scan has its own, in
     * clprim_reference_scan_how; reduce_by_key has none. Default: NULL (none). */
    const void *initial;
} clprim_reference_operator;

/* Reduce in[0 .. count) from left to right. *out receives one value of the accumulator's type, a clprim_indexed for
 * ARGMIN and ARGMAX, or .size bytes with .combine. These bytes are 0 if there are no elements, no identity and no
 * initial value.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_INVALID_OPERATOR. */
CLPRIM_API clprim_status clprim_reference_reduce(void *out, const clprim_reference_operator *by, const void *in,
                                                 size_t count);

/* Reduce each segment independently, as clprim_reference_reduce() reduces an array. out[s] is the result of the
 * elements offsets[s] to offsets[s + 1] - 1. There are num_segments + 1 offsets, of offsets_type: U32 (default) or U64.
 * Indices of ARGMIN and ARGMAX count from the first element of the segment.
 * Errors: those of clprim_reference_reduce(); CLPRIM_INVALID_ARGUMENT also if the offsets do not ascend, or exceed
 * `count`. */
CLPRIM_API clprim_status clprim_reference_segmented_reduce(void *out, const clprim_reference_operator *by,
                                                           const void *in, size_t count, clprim_type offsets_type,
                                                           const void *offsets, size_t num_segments);

/* Judge the result of a float SUM or PROD, of the accumulator's type.
 *
 * *error receives the distance between *result and the value computed in higher precision. *bound receives the largest
 * distance that rounding can cause:
 *
 *     SUM     depth * u / (1 - depth * u) * sum of |x|
 *     PROD    depth * u / (1 - depth * u) * |product|
 *
 * plus the rounding of the stored result. u is the accumulator's unit roundoff, and x are the elements, converted to
 * its type. `depth` is the largest number of operations that any element went through. 0 means count - 1, or count with
 * .initial, which holds for every order of operations.
 *
 * Special values:
 * - *error is 0 if both values are the same infinity, or both are NaNs. It is infinite if only one of them is.
 * - An infinite result is correct if the exact value can be rounded to it within the bound.
 * - *bound is infinite if depth * u >= 1 (for F32 a depth of 2^24 or more), or if the sum of |x| alone can overflow.
 *   Pass a depth then.
 *
 * Pre:    a float accumulator; PROD without underflow.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_INVALID_OPERATOR. */
CLPRIM_API clprim_status clprim_reference_reduce_error(double *error, double *bound,
                                                       const clprim_reference_operator *by, const void *in,
                                                       size_t count, size_t depth, const void *result);

/* How to scan. Zeroed: inclusively, from the identity, as one segment. */
typedef struct clprim_reference_scan_how {
    /* Leave each element out of its own prefix. With .combine, this requires an identity or .initial.
     * Default: false (inclusive). */
    bool exclusive;

    /* The value that each segment begins with, of the prefixes' type. Not for ARGMIN and ARGMAX.
     * Default: NULL (the identity). */
    const void *initial;

    /* A segment begins at element i if begins[i] is not 0. The first segment begins at element 0.
     * Default: NULL (one segment). */
    const uint8_t *begins;
} clprim_reference_scan_how;

/* Write all prefixes of in[0 .. count), computed from left to right, to out[0 .. count): values of the accumulator's
 * type, clprim_indexed for ARGMIN and ARGMAX, or .size bytes each with .combine. `out` may be in place of `in` if their
 * elements have the same size.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_INVALID_OPERATOR, CLPRIM_OUT_OF_MEMORY. */
CLPRIM_API clprim_status clprim_reference_scan(void *out, const clprim_reference_operator *by,
                                               const clprim_reference_scan_how *how, const void *in, size_t count);

/* Judge the result of a scan by float SUM or PROD. *worst receives the largest ratio of an element's error to its
 * bound, both from clprim_reference_reduce_error() with its prefix and `depth`. The scan is correct if *worst is at
 * most 1. The ratio of an element without error is 0, whatever its bound is. *where receives the index of the element
 * with the largest ratio; `where` may be NULL.
 *
 * Pre:    a float accumulator; PROD without underflow.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_INVALID_OPERATOR. */
CLPRIM_API clprim_status clprim_reference_scan_error(double *worst, size_t *where, const clprim_reference_operator *by,
                                                     const clprim_reference_scan_how *how, const void *in, size_t count,
                                                     size_t depth, const void *result);

/* Copy the elements of `size` bytes whose keep[i] is not 0 to the front of `out`, in their order. *selected receives
 * the number of elements kept.
 * Errors: CLPRIM_INVALID_ARGUMENT. */
CLPRIM_API clprim_status clprim_reference_select(void *out, size_t *selected, size_t size, const uint8_t *keep,
                                                 const void *in, size_t count);

/* Copy the elements of `size` bytes whose part[i] is 0 to `out`, then the elements whose part[i] is 1, and so on for
 * `num_parts` parts. Elements of a part keep their order. counts[p] receives the number of elements of part p.
 * Errors: CLPRIM_INVALID_ARGUMENT, also if a part[i] is not less than num_parts. */
CLPRIM_API clprim_status clprim_reference_partition(void *out, size_t *counts, size_t num_parts, size_t size,
                                                    const uint8_t *part, const void *in, size_t count);

/* Whether element b belongs to the run of element a, which is right before it. */
typedef bool (*clprim_reference_equal)(const void *a, const void *b);

/* Copy the first element of each run of equal elements of `size` bytes to `out`, in order. *selected receives their
 * number. A NULL `equal` means that elements are equal if their bits are the same.
 * Errors: CLPRIM_INVALID_ARGUMENT. */
CLPRIM_API clprim_status clprim_reference_unique(void *out, size_t *selected, size_t size, clprim_reference_equal equal,
                                                 const void *in, size_t count);

/* The same for keys of key_size bytes, with the value of value_size bytes that belongs to each of them. A value_size of
 * 0 means that there are no values; values_out and values_in may then be NULL.
 * Errors: CLPRIM_INVALID_ARGUMENT. */
CLPRIM_API clprim_status clprim_reference_unique_by_key(void *keys_out, void *values_out, size_t *selected,
                                                        size_t key_size, size_t value_size,
                                                        clprim_reference_equal equal, const void *keys_in,
                                                        const void *values_in, size_t count);

/* Write the element and the length of each run of elements of `size` bytes with the same bits. *runs receives the
 * number of runs.
 * Errors: CLPRIM_INVALID_ARGUMENT. */
CLPRIM_API clprim_status clprim_reference_run_length_encode(void *out, uint64_t *lengths, size_t *runs, size_t size,
                                                            const void *in, size_t count);

/* Which runs to write, and how. Zeroed: all, compared by their bits. */
typedef struct clprim_reference_runs_how {
    size_t min_length;            /* only runs of at least so many elements. Default: 0 (all) */
    uint64_t *offsets;            /* the index of each run's first element. Default: NULL (not written) */
    clprim_reference_equal equal; /* whether elements belong to one run. Default: NULL (their bits are the same) */
} clprim_reference_runs_how;

/* Like clprim_reference_run_length_encode(), by `how`, which may be NULL.
 * Errors: CLPRIM_INVALID_ARGUMENT. */
CLPRIM_API clprim_status clprim_reference_runs(void *out, uint64_t *lengths, size_t *runs, size_t size,
                                               const clprim_reference_runs_how *how, const void *in, size_t count);

/* For each run of keys of key_size bytes with the same bits, write the key, and its values reduced by
 * clprim_reference_reduce(). Indices of ARGMIN and ARGMAX count from the first of all values. *runs receives the number
 * of runs.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_INVALID_OPERATOR. */
CLPRIM_API clprim_status clprim_reference_reduce_by_key(void *keys_out, void *values_out, size_t *runs, size_t key_size,
                                                        const clprim_reference_operator *by, const void *keys_in,
                                                        const void *values_in, size_t count);

/* The caller's own mapping: returns the bin of an element. A value outside 0 .. bins - 1 is no bin. */
typedef int64_t (*clprim_reference_bin_of)(const void *element);

/* How to count. The members and their defaults are those of clprim_histogram_desc, but .bin_of is a function. */
typedef struct clprim_reference_histogram_how {
    clprim_type type;
    clprim_histogram_mapping mapping;
    size_t bins;
    double low, high;
    const void *boundaries;
    clprim_reference_bin_of bin_of; /* for CLPRIM_HISTOGRAM_CUSTOM */
    unsigned channels, active_channels;
    clprim_histogram_channel second_channel, third_channel, fourth_channel;
    clprim_type weights_type;
    clprim_type counter_type; /* default: U32, or .weights_type */
    bool accumulate;
    bool cumulative;               /* not with .accumulate */
    size_t row_length, row_stride; /* of the call; default: 0 (elements have no gaps) */
} clprim_reference_histogram_how;

/* Write the histogram of in[0 .. count * channels) to `out`, which has active_channels * bins counters. Unless
 * `outside` is NULL, write the number of elements that belong to no bin to outside[0 .. active_channels). `weights`
 * has `count` weights if there is a .weights_type; otherwise it is NULL. Weights are added in their type, from left
 * to right.
 * Errors: CLPRIM_INVALID_ARGUMENT. */
CLPRIM_API clprim_status clprim_reference_histogram(void *out, uint64_t *outside,
                                                    const clprim_reference_histogram_how *how, const void *in,
                                                    const void *weights, size_t count);

/* How to sort. The members and their defaults are those of clprim_radix_sort_desc. */
typedef struct clprim_reference_sort_how {
    clprim_type key_type;
    size_t value_size; /* with .argsort the size of an index, in bytes: 4 (default) or 8 */
    bool argsort;
    bool descending;
    bool bit_range;
    unsigned begin_bit, end_bit;
    clprim_nan_order nan_order;
} clprim_reference_sort_how;

/* Stably sort keys[0 .. count) in place, and their values with them, in the order of clprim/radix_sort.h. `values` is
 * NULL if there are none. With .argsort, `values` is only written.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_OUT_OF_MEMORY. */
CLPRIM_API clprim_status clprim_reference_sort(void *keys, void *values, const clprim_reference_sort_how *how,
                                               size_t count);

/* How to sort arrays by keys. The members and their defaults are those of clprim_sort_by_key_desc. */
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

/* Stably sort arrays[0 .. num_arrays), of `count` elements each, in place by keys[0 .. count), in the order of
 * clprim/radix_sort.h. The keys are sorted, too, unless .values_only is set.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_OUT_OF_MEMORY. */
CLPRIM_API clprim_status clprim_reference_sort_by_key(void *keys, void *const *arrays,
                                                      const clprim_reference_sort_by_key_how *how, size_t count);

/* Sort each segment as clprim_reference_sort() sorts an array. Segment s has the elements offsets[s] to offsets[s + 1]
 * - 1. There are num_segments + 1 offsets, of offsets_type: U32 (default) or U64. With .argsort, values are indices in
 * the whole array. Elements outside all segments are unchanged.
 *
 * Errors:
 * - CLPRIM_INVALID_ARGUMENT, also if the offsets do not ascend, or exceed `count`.
 * - CLPRIM_OUT_OF_MEMORY. Some segments may then be sorted. */
CLPRIM_API clprim_status clprim_reference_segmented_sort(void *keys, void *values, const clprim_reference_sort_how *how,
                                                         size_t count, clprim_type offsets_type, const void *offsets,
                                                         size_t num_segments);

/* How to find the first k. The members and their defaults are those of clprim_top_k_desc. */
typedef struct clprim_reference_top_k_how {
    clprim_type key_type;
    size_t k;
    bool smallest;
    size_t value_size; /* with .indices the size of an index, in bytes: 4 (default) or 8 */
    bool indices;
    bool unsorted;
    clprim_nan_order nan_order;
} clprim_reference_top_k_how;

/* Write the first min(k, count) of keys[0 .. count), in the order of clprim/top_k.h, and their values or indices.
 * `values` is NULL if there are no values to read, and values_out if there are no values to write.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_OUT_OF_MEMORY. */
CLPRIM_API clprim_status clprim_reference_top_k(void *keys_out, void *values_out, const clprim_reference_top_k_how *how,
                                                const void *keys, const void *values, size_t count);

/* Find the first k elements of each segment, as clprim_reference_top_k() does for an array. The results of segment s
 * begin at element s * how->k of the outputs. If segment_length is not 0, each segment has that many elements, and
 * count must be num_segments * segment_length. If it is 0, there are num_segments + 1 offsets of offsets_type: U32
 * (default) or U64.
 * Errors: as clprim_reference_top_k(); CLPRIM_INVALID_ARGUMENT also if the count or the offsets are wrong. */
CLPRIM_API clprim_status clprim_reference_segmented_top_k(void *keys_out, void *values_out,
                                                          const clprim_reference_top_k_how *how, const void *keys,
                                                          const void *values, size_t count, size_t segment_length,
                                                          clprim_type offsets_type, const void *offsets,
                                                          size_t num_segments);

/* Copy segments, of elements of element_size bytes: out[out_begins[s] + j] = in[in_begins[s] + j], for each segment s
 * and each j < offsets[s + 1] - offsets[s]. There are num_segments + 1 offsets and num_segments begins, of
 * offsets_type: U32 (default) or U64. in_begins or out_begins NULL: segments begin at offsets[s] there. The caller
 * ensures that they do not reach past the end of either array.
 * Errors: CLPRIM_INVALID_ARGUMENT (an array is NULL, or offsets do not ascend). */
CLPRIM_API clprim_status clprim_reference_batched_copy(void *out, const void *in, size_t element_size,
                                                       clprim_type offsets_type, const void *in_begins,
                                                       const void *offsets, const void *out_begins,
                                                       size_t num_segments);

/* Write the elements of in[0 .. count), of element_size bytes, in the order of clprim/shuffle.h. in NULL: write the
 * indices, of 4 or 8 bytes. `count` is at most (2^32 - 1)^2.
 * Errors: CLPRIM_INVALID_ARGUMENT (out is NULL, or element_size is wrong). */
CLPRIM_API clprim_status clprim_reference_shuffle(void *out, const void *in, size_t element_size, size_t count,
                                                  uint64_t seed);

/* The order in which ranks count. The members and their defaults are those of clprim_nth_element_desc. */
typedef struct clprim_reference_nth_element_how {
    clprim_type key_type;
    bool descending;
    clprim_nan_order nan_order;
} clprim_reference_nth_element_how;

/* Write to keys_out[i] the key at rank ranks[i] of keys[0 .. count), in the order of clprim/nth_element.h, for each of
 * rank_count ranks. A rank of `count` or more counts as count - 1. If count is 0, nothing is written.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_OUT_OF_MEMORY. */
CLPRIM_API clprim_status clprim_reference_nth_element(void *keys_out, const clprim_reference_nth_element_how *how,
                                                      const void *keys, size_t count, const uint64_t *ranks,
                                                      size_t rank_count);

/* The caller's own order: whether *a must come before *b. */
typedef bool (*clprim_reference_before)(const void *a, const void *b);

/* The order of elements for merge, set_operation, search and is_sorted. Zeroed: U32 in ascending order. */
typedef struct clprim_reference_order {
    /* Type of the elements. Default: U32. */
    clprim_type type;

    /* The caller's own order. Default: NULL (the total order of clprim/types.h). */
    clprim_reference_before before;

    /* Size of an element, in bytes. Only with .before. Default: 0 (the size of .type). */
    size_t size;

    /* Descending order. Default: false. */
    bool descending;

    /* Where NaNs stand in the order (clprim/types.h). Not with .before. Default: CLPRIM_NAN_TOTAL. */
    clprim_nan_order nan_order;
} clprim_reference_order;

/* Stably merge the sorted ranges a[0 .. a_count) and b[0 .. b_count) into `out`: elements of a come before equal
 * elements of b. A value of value_size bytes moves with each element. If value_size is 0, there are no values, and
 * their arrays are NULL.
 * Errors: CLPRIM_INVALID_ARGUMENT. */
CLPRIM_API clprim_status clprim_reference_merge(void *out, void *out_values, const clprim_reference_order *order,
                                                size_t value_size, const void *a, const void *a_values, size_t a_count,
                                                const void *b, const void *b_values, size_t b_count);

/* Write the union, intersection, difference or symmetric difference of the sorted arrays a[0 .. a_count) and
 * b[0 .. b_count) to `out`, by the rule of clprim/set_operation.h, and the number of its elements to *out_count. `out`
 * has the room that clprim/set_operation.h requires. A value of value_size bytes moves with each element. If value_size
 * is 0, there are no values, and their arrays are NULL. b_values is NULL for intersections and differences, too.
 * Errors: CLPRIM_INVALID_ARGUMENT. */
CLPRIM_API clprim_status clprim_reference_set_operation(void *out, void *out_values, size_t *out_count,
                                                        clprim_set_op op, const clprim_reference_order *order,
                                                        size_t value_size, const void *a, const void *a_values,
                                                        size_t a_count, const void *b, const void *b_values,
                                                        size_t b_count);

/* *out receives the length of the longest sorted prefix of in[0 .. count): `count` if the array is sorted.
 * Errors: CLPRIM_INVALID_ARGUMENT. */
CLPRIM_API clprim_status clprim_reference_is_sorted(size_t *out, const clprim_reference_order *order, const void *in,
                                                    size_t count);

/* Find the bound of each needle in the sorted array in[0 .. count). out[i] receives the lower bound of needle i, which
 * is the number of elements that come before it. With `upper`, it receives the upper bound, which is the number of
 * elements that do not come after it.
 * Errors: CLPRIM_INVALID_ARGUMENT. */
CLPRIM_API clprim_status clprim_reference_search(uint64_t *out, const clprim_reference_order *order, bool upper,
                                                 const void *in, size_t count, const void *needles, size_t num_needles);

/* The steps of the course's article on bitonic sort (docs/bitonic_sort.md), from the easiest to read to one that is
 * nearly a kernel. All of them except RECURSIVE compare the same pairs in the same order. */
typedef enum clprim_reference_bitonic_step {
    /* Sort both halves in opposite directions, then merge them. */
    CLPRIM_REFERENCE_BITONIC_RECURSIVE = 0,

    /* Loop over all elements, and skip the half whose partner comes before them. */
    CLPRIM_REFERENCE_BITONIC_PARTNER_TEST,

    /* Loop over blocks, and over the first half of each. */
    CLPRIM_REFERENCE_BITONIC_TWO_LOOPS,

    /* Loop over pairs, and find each by a division. */
    CLPRIM_REFERENCE_BITONIC_DIVISION,

    /* Loop over pairs, and find each by shifts. */
    CLPRIM_REFERENCE_BITONIC_SHIFTS,

    /* One past the last step. */
    CLPRIM_REFERENCE_BITONIC_STEP_END
} clprim_reference_bitonic_step;

/* How to sort with a bitonic network. Zeroed: U32 in ascending order, by RECURSIVE. */
typedef struct clprim_reference_bitonic_how {
    /* Type of the elements. Default: U32. */
    clprim_type type;

    /* The caller's own order. Default: NULL (the total order of clprim/types.h). */
    clprim_reference_before before;

    /* Size of an element, in bytes. Only with .before. Default: 0 (the size of .type). */
    size_t size;

    /* Size of the value that moves with each element, in bytes. Default: 0 (no values). */
    size_t value_size;

    /* Descending order. Default: false. */
    bool descending;

    /* The step of the course's article (docs/sources.md). Default: CLPRIM_REFERENCE_BITONIC_RECURSIVE. */
    clprim_reference_bitonic_step step;

    /* Where NaNs stand in the order (clprim/types.h). Not with .before. Default: CLPRIM_NAN_TOTAL. */
    clprim_nan_order nan_order;
} clprim_reference_bitonic_how;

/* Sort data[0 .. count) in place, and the values with it, with a network, which is not stable. `values` is NULL if
 * there are none. Without .before and values, the loops are compiled for the size of an element, so that their times
 * can be compared.
 * Errors: CLPRIM_INVALID_ARGUMENT. */
CLPRIM_API clprim_status clprim_reference_bitonic_sort(void *data, void *values,
                                                       const clprim_reference_bitonic_how *how, size_t count);

/* How to sort by comparisons. Zeroed: U32 in ascending order. */
typedef struct clprim_reference_comparison_how {
    /* Type of the elements. Default: U32. */
    clprim_type type;

    /* The caller's own order. Default: NULL (the total order of clprim/types.h). */
    clprim_reference_before before;

    /* Size of an element, in bytes. Only with .before. Default: 0 (the size of .type). */
    size_t size;

    /* Size of the value that moves with each element, in bytes. Default: 0 (no values). */
    size_t value_size;

    /* Descending order. Equal elements still keep their order. Default: false. */
    bool descending;

    /* Where NaNs stand in the order (clprim/types.h). Not with .before. Default: CLPRIM_NAN_TOTAL. */
    clprim_nan_order nan_order;
} clprim_reference_comparison_how;

/* Stably sort data[0 .. count) in place, and the values with it. `values` is NULL if there are none.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_OUT_OF_MEMORY. */
CLPRIM_API clprim_status clprim_reference_comparison_sort(void *data, void *values,
                                                          const clprim_reference_comparison_how *how, size_t count);

#ifdef __cplusplus
}
#endif
#endif
