/* clprim/pieces.h: sorted runs on the host: where to cut them, and how to merge them.
 *
 * These are the parts of a sort that is too large for one device, or spread over several: each device sorts a run, the
 * runs are cut into pieces of equal ranks, and whoever gets the pieces of one range merges them. The functions work on
 * arrays in host memory; they need no OpenCL, and nothing is communicated. clprim_radix_sort_run uses them for arrays
 * larger than the device. A program with a communication layer of its own can use them for its own sort:
 *
 *     size_t begin[K], end[K];                                    of each of K sorted runs
 *     clprim_runs_split(begin, &order, runs, K, first);           elements first .. last - 1 of the whole order
 *     clprim_runs_split(end, &order, runs, K, last);              are begin[i] .. end[i] - 1 of each run i
 *
 * Orders are those of clprim/radix_sort.h. A run is sorted in such an order. The order of elements from several runs is
 * by key, then by run, then by place in the run; so a stable sort whose runs are consecutive parts of an array stays
 * stable.
 *
 * Threads: the functions share nothing and may be called by any number of threads.
 * Errors: a function that fails writes nothing, and clprim_last_error() says why. */
#ifndef CLPRIM_PIECES_H
#define CLPRIM_PIECES_H

#include <clprim/export.h>
#include <clprim/status.h>
#include <clprim/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An order of keys. The members are those of clprim_radix_sort_desc, and zeroed members mean the same: ascending keys
 * of U32. Functions take NULL for a zeroed order. */
typedef struct clprim_key_order {
    clprim_type key_type; /* default U32 */
    bool descending;
    clprim_nan_order nan_order;
    bool bit_range; /* only the bits begin_bit .. end_bit - 1 of a key's image decide */
    unsigned begin_bit;
    unsigned end_bit;
} clprim_key_order;

/* An array on the host that is sorted in the order it is used with. The functions do not check that it is. */
typedef struct clprim_sorted_run {
    const void *keys;   /* NULL only if count is 0 */
    const void *values; /* of clprim_runs_merge, with a value_size; else not read */
    size_t count;
} clprim_sorted_run;

/* Write the images of keys[0 .. count) to out: unsigned integers that compare as the keys do in this order, also where
 * it is descending. Equal images belong to keys that are equal in this order. A key of b bits has an image below 2^b;
 * with .bit_range, below 2^(end_bit - begin_bit).
 * Errors: CLPRIM_INVALID_ARGUMENT (NULL, an invalid order). */
CLPRIM_API clprim_status clprim_key_images(uint64_t *out, const clprim_key_order *order, const void *keys,
                                           size_t count);

/* Cut sorted runs at a rank: write to out[i] how many elements of run i are among the first `rank` elements of all runs
 * together. The sum of out[0 .. num_runs) is exactly `rank`, whatever duplicates there are.
 * Multi-sequence selection: a bisection on the bits of the image, O(num_runs * b * log(count)) comparisons for keys of
 * b bits; it reads few elements.
 * Errors: CLPRIM_INVALID_ARGUMENT (NULL, an invalid order), CLPRIM_INVALID_RANGE (rank exceeds the number of elements),
 * CLPRIM_OUT_OF_MEMORY (it allocates 16 bytes per run). */
CLPRIM_API clprim_status clprim_runs_split(size_t *out, const clprim_key_order *order, const clprim_sorted_run *runs,
                                           size_t num_runs, size_t rank);

/* Merge sorted runs into keys_out, and their values of value_size bytes, if that is not 0, into values_out. The outputs
 * have room for all elements and overlap no input. One thread; O(n * log(num_runs)).
 * Errors: CLPRIM_INVALID_ARGUMENT (NULL, an invalid order), CLPRIM_OUT_OF_MEMORY (it allocates 16 bytes per run). */
CLPRIM_API clprim_status clprim_runs_merge(void *keys_out, void *values_out, const clprim_key_order *order,
                                           size_t value_size, const clprim_sorted_run *runs, size_t num_runs);

/* Take num_samples keys at equal distances from keys[0 .. count), the first of them half a distance from the beginning.
 * Samples of a sorted run are sorted, and every k-th of the sorted samples of all runs is a splitter.
 * Errors: CLPRIM_INVALID_ARGUMENT (NULL, an unknown key_type, samples of an empty array). */
CLPRIM_API clprim_status clprim_keys_sample(void *out, size_t num_samples, clprim_type key_type, const void *keys,
                                            size_t count);

/* Count the keys of each part. The splitters are keys, in order; there are num_splitters + 1 parts. Part p has the keys
 * that are not before splitter p - 1, but before splitter p: a key that equals a splitter is in the part behind it. The
 * keys need not be sorted.
 * Errors: CLPRIM_INVALID_ARGUMENT (NULL, an invalid order, splitters that are not in order). */
CLPRIM_API clprim_status clprim_keys_count(size_t *counts, const clprim_key_order *order, const void *keys,
                                           size_t count, const void *splitters, size_t num_splitters);

/* Write the keys to keys_out part by part, and their values of value_size bytes, if that is not 0, to values_out.
 * Within a part, keys keep their order. counts, which may be NULL, gets what clprim_keys_count() writes. The outputs
 * overlap no input.
 * Errors: as clprim_keys_count; CLPRIM_OUT_OF_MEMORY (it allocates 8 bytes per part). */
CLPRIM_API clprim_status clprim_keys_partition(void *keys_out, void *values_out, size_t *counts,
                                               const clprim_key_order *order, const void *keys, const void *values,
                                               size_t value_size, size_t count, const void *splitters,
                                               size_t num_splitters);

#ifdef __cplusplus
}
#endif
#endif
