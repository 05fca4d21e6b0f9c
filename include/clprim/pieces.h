// SPDX-License-Identifier: MIT
/* clprim/pieces.h: cut sorted runs in host memory at given ranks, and merge them.
 *
 * These are the building blocks of a sort that is too large for one device, or that uses several devices. Each device
 * sorts a run. Then all runs are cut at the same ranks, where a rank is a position in the sorted order of all elements.
 * For each range of ranks, one device or thread merges the slices of all runs.
 *
 * The functions work on arrays in host memory. They need no OpenCL and do not communicate. clprim_radix_sort_run uses
 * them for arrays larger than the device. A program with its own communication layer can build its own sort on them:
 *
 *     size_t begin[K], end[K];                                    of each of K sorted runs
 *     clprim_runs_split(begin, &order, runs, K, first);           elements first .. last - 1 of the whole order
 *     clprim_runs_split(end, &order, runs, K, last);              are begin[i] .. end[i] - 1 of each run i
 *
 * A run is an array that is sorted in one of the orders of clprim/radix_sort.h. Elements of several runs are ordered by
 * key, then by run, then by position in the run. So if the runs are consecutive parts of an array, each sorted stably,
 * the whole sort is stable.
 *
 * Threads: any number of threads may call the functions at the same time. They share no state.
 *
 * Errors: a function that fails writes nothing, and clprim_last_error() returns the reason. */
#ifndef CLPRIM_PIECES_H
#define CLPRIM_PIECES_H

#include <clprim/export.h>
#include <clprim/status.h>
#include <clprim/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An order of keys, with members of clprim_radix_sort_desc. Zeroed: U32 in ascending order. A NULL order means a
 * zeroed one. */
typedef struct clprim_key_order {
    /* Type of the keys. Default: U32. */
    clprim_type key_type;

    /* The order is descending. Default: false. */
    bool descending;

    /* Where NaNs stand in the order (clprim/types.h). Default: CLPRIM_NAN_TOTAL. */
    clprim_nan_order nan_order;

    /* Compare only the bits begin_bit to end_bit - 1 of each key's image (clprim/radix_sort.h). Default: false (all
     * bits); begin_bit and end_bit must then be 0. */
    bool bit_range;

    /* First bit of the range, at most .end_bit. Default: 0. */
    unsigned begin_bit;

    /* One past the last bit of the range. Default: 0. */
    unsigned end_bit;
} clprim_key_order;

/* An array on the host, sorted in the order that is passed with it. The functions do not check this. */
typedef struct clprim_sorted_run {
    /* The keys. NULL only if `count` is 0. */
    const void *keys;

    /* The value of each key, for clprim_runs_merge with a value_size. Otherwise not read. */
    const void *values;

    /* Number of elements. */
    size_t count;
} clprim_sorted_run;

/* Write the images of keys[0 .. count) to `out`: unsigned integers that compare like the keys in `order`, even if it is
 * descending. Keys have equal images if they are equal in this order. The image of a b-bit key is below 2^b, or with
 * .bit_range below 2^(end_bit - begin_bit).
 * Errors: CLPRIM_INVALID_ARGUMENT (NULL, an invalid order). */
CLPRIM_API clprim_status clprim_key_images(uint64_t *out, const clprim_key_order *order, const void *keys,
                                           size_t count);

/* Cut sorted runs at a rank: out[i] is the number of elements of run i that are among the first `rank` elements of all
 * runs together. The sum of out[0 .. num_runs) is exactly `rank`, even if there are many duplicates.
 *
 * Method: multi-sequence selection, a bisection on the bits of the image. It reads few elements: for keys of b bits it
 * makes O(num_runs * b * log(count)) comparisons. It allocates 16 bytes per run.
 *
 * Errors:
 * - CLPRIM_INVALID_ARGUMENT: NULL, or an invalid order.
 * - CLPRIM_INVALID_RANGE: `rank` exceeds the number of elements, or that number does not fit size_t.
 * - CLPRIM_OUT_OF_MEMORY. */
CLPRIM_API clprim_status clprim_runs_split(size_t *out, const clprim_key_order *order, const clprim_sorted_run *runs,
                                           size_t num_runs, size_t rank);

/* Merge sorted runs into keys_out and, if value_size is not 0, their values of value_size bytes each into values_out.
 * The outputs need room for all elements and must not overlap any input.
 *
 * Method: a heap of the first elements of the runs (Knuth, The Art of Computer Programming 3, 5.4.1), in one thread,
 * in O(n * log(num_runs)). It allocates 24 bytes per run.
 *
 * Errors:
 * - CLPRIM_INVALID_ARGUMENT: NULL, or an invalid order.
 * - CLPRIM_OUT_OF_MEMORY. */
CLPRIM_API clprim_status clprim_runs_merge(void *keys_out, void *values_out, const clprim_key_order *order,
                                           size_t value_size, const clprim_sorted_run *runs, size_t num_runs);

/* Write num_samples keys from keys[0 .. count) to `out`. They are at equal distances, and the first is half a distance
 * from the beginning. Samples of a sorted run are sorted. To choose splitters, sort the samples of all runs and take
 * every k-th. key_type 0 means U32.
 * Errors: CLPRIM_INVALID_ARGUMENT (NULL, an unknown key_type, samples of an empty array). */
CLPRIM_API clprim_status clprim_keys_sample(void *out, size_t num_samples, clprim_type key_type, const void *keys,
                                            size_t count);

/* Write the number of keys in each part to counts[0 .. num_splitters]. The splitters are sorted keys, which divide the
 * keys into num_splitters + 1 parts. Part p has the keys that come before splitter p, but not before splitter p - 1: a
 * key equal to a splitter belongs to the part after it. The keys need not be sorted.
 * Errors: CLPRIM_INVALID_ARGUMENT (NULL, an invalid order, splitters that are not sorted). */
CLPRIM_API clprim_status clprim_keys_count(size_t *counts, const clprim_key_order *order, const void *keys,
                                           size_t count, const void *splitters, size_t num_splitters);

/* Write the keys to keys_out part by part and, if value_size is not 0, their values of value_size bytes each to
 * values_out. The parts are those of clprim_keys_count(). Keys keep their order within a part. `counts` receives the
 * number of keys in each part; it may be NULL. The outputs must not overlap any input. It allocates 8 bytes per part.
 *
 * Errors:
 * - CLPRIM_INVALID_ARGUMENT: NULL, an invalid order, or splitters that are not sorted.
 * - CLPRIM_OUT_OF_MEMORY. */
CLPRIM_API clprim_status clprim_keys_partition(void *keys_out, void *values_out, size_t *counts,
                                               const clprim_key_order *order, const void *keys, const void *values,
                                               size_t value_size, size_t count, const void *splitters,
                                               size_t num_splitters);

#ifdef __cplusplus
}
#endif
#endif
