// SPDX-License-Identifier: MIT
/* clprim/distributed.h: operations on arrays that are distributed over several ranks.
 *
 * Ranks are threads or processes, each with a device (clprim/comm.h). The functions are collective: all ranks call
 * them, in the same order. Each rank passes its communicator, its runtime, and a call for its own piece of the arrays.
 * The whole array is the pieces of ranks 0, 1, 2 and so on, concatenated. The result is that of the same operation on
 * the whole array.
 *
 *     clprim_comm comm;                                        one per rank: clprim/comm.h or clprim/mpi.h
 *     clprim_distributed_radix_sort(&comm, runtime, &(clprim_radix_sort_desc){.key_type = CLPRIM_F32},
 *                                   &(clprim_radix_sort_call){.keys_in = {.host = mine}, .count = n,
 *                                                             .keys_out = {.host = mine}},
 *                                   NULL, NULL);
 *
 * Descriptions and calls are those of the operation. They mean the same, with these exceptions:
 * - Arrays are on the host (.host of clprim_array). Each rank passes its piece, and .count is the number of elements of
 *   that piece. Ranks may have different counts, including 0. Indices that the operation writes count from the beginning
 *   of the whole array.
 * - All ranks pass the same description, except for .variant, .work_group_size, .items_per_work_item, .banks and
 *   .max_count, which each rank chooses. .max_count limits the elements of one rank.
 * - All ranks pass the same arrays: an optional array, such as .outside_out of a histogram, is passed by all ranks or by
 *   none. Only an array that has no elements on a rank may be left out there. Each rank chooses .offset and .length of
 *   its arrays, the counts of its call, `room`, and whether it passes `part`.
 * - Arrays in .arguments are the same on all ranks; each rank passes its own copy. The default of .length is that of the
 *   rank's own call (its .count, for most operations), also where ranks combine results: set .length if an expression
 *   reads more than that.
 * - `runtime` may be NULL, which means clprim_runtime_default().
 * - .input, .then and .count_at_type are not supported, nor are the members that the functions below name. They are
 *   refused with CLPRIM_UNSUPPORTED. adjacent_difference, find and is_sorted support .input.
 *
 * Expressions of adjacent_difference, find, is_sorted, partition, select, transform and unique see the whole array: `i`
 * counts from its beginning. If they read an argument only as name[i], each rank passes its piece of it, as of an input.
 * Other arguments are the same on all ranks, and are read at the indices of the whole array: set their .length.
 *
 * Shares. Some operations have an output that is as long as the input, or shorter. It is distributed over the ranks, in
 * the order of the ranks, and each rank gets a share. *room is the number of elements that this rank's outputs have
 * room for. NULL means .count, or .a_count + .b_count. Some ranks may pass NULL, and others a number.
 * - If the output fills the room of all ranks together, each rank gets as many elements as it has room for. Sorts,
 *   merges and shuffles require this.
 * - If it has fewer (select, unique and others), each rank gets a share in proportion to its room, no matter how the
 *   input was distributed. Of n elements, rank r gets elements floor(n * R / T) to floor(n * (R + room) / T) - 1. R is
 *   the room of all ranks before r, and T is the room of all ranks.
 *
 * If `part` is not NULL, *part says which elements the rank got.
 *
 * Errors. Ranks agree on errors: if something fails on one rank, the function fails on all ranks with the same status.
 * No rank waits for the one that failed. On all ranks, clprim_last_error() says which rank failed, and why. Inputs are
 * then unchanged, even if an output is in place of one; other outputs are unspecified.
 * - CLPRIM_INVALID_ARGUMENT also means that the ranks' descriptions differ, or that only some ranks pass an array.
 * - CLPRIM_INVALID_RANGE also means that all ranks together have 2^63 elements or more, or room for as many of a shared
 *   output.
 * - CLPRIM_COMM_FAILED means that communication itself failed. At least one rank returns it; clprim/comm.h says what
 *   happens on the others. The communicator must not be used again.
 *
 * Outputs may be in place where the operation allows it. If ranks are threads, no rank's outputs may overlap another
 * rank's inputs. */
#ifndef CLPRIM_DISTRIBUTED_H
#define CLPRIM_DISTRIBUTED_H

#include <clprim/adjacent_difference.h>
#include <clprim/comm.h>
#include <clprim/find.h>
#include <clprim/histogram.h>
#include <clprim/is_sorted.h>
#include <clprim/merge.h>
#include <clprim/nth_element.h>
#include <clprim/partition.h>
#include <clprim/radix_sort.h>
#include <clprim/reduce.h>
#include <clprim/reduce_by_key.h>
#include <clprim/run_length_encode.h>
#include <clprim/scan.h>
#include <clprim/select.h>
#include <clprim/set_operation.h>
#include <clprim/shuffle.h>
#include <clprim/sort_by_key.h>
#include <clprim/top_k.h>
#include <clprim/transform.h>
#include <clprim/unique.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The elements of the whole output that a rank got: `first` to first + count - 1 of `total`. */
typedef struct clprim_distributed_part {
    /* Index of the rank's first element in the whole output. */
    uint64_t first;

    /* Number of elements that the rank got. */
    size_t count;

    /* Number of elements of the whole output. */
    uint64_t total;
} clprim_distributed_part;

/* Reduce. All ranks get the same result, bit for bit: each rank reduces its piece, and the first rank that has elements
 * combines the results in the order of the ranks. Empty pieces are left out. The last bits of float SUM and PROD depend
 * on how the array is divided.
 * Not supported: .reproducible, .has_initial_at.
 * Memory: one result per rank. */
CLPRIM_API clprim_status clprim_distributed_reduce(const clprim_comm *comm, clprim_runtime *runtime,
                                                   const clprim_reduce_desc *desc, const clprim_reduce_call *call);

/* Scan. Each rank gets the prefixes of its own elements: it reduces its piece, and then scans it, starting from the
 * result of all previous pieces. The last bits of float SUM and PROD depend on how the array is divided.
 * Not supported: .output, .segments, .reproducible, .has_initial_at, ARGMIN, ARGMAX.
 * Memory: one result per rank; for a scan in place, also room for another output. */
CLPRIM_API clprim_status clprim_distributed_scan(const clprim_comm *comm, clprim_runtime *runtime,
                                                 const clprim_scan_desc *desc, const clprim_scan_call *call);

/* Count. All ranks get the same histogram. Float weights are added in the order of the ranks. With .accumulate, each
 * rank adds the counters of the whole array to what its own outputs hold.
 * Not supported: .output.
 * Errors: CLPRIM_INVALID_RANGE also if U32 counters cannot hold the number of all elements.
 * Memory: 16 bytes per counter; with float weights, the counters of all ranks. */
CLPRIM_API clprim_status clprim_distributed_histogram(const clprim_comm *comm, clprim_runtime *runtime,
                                                      const clprim_histogram_desc *desc,
                                                      const clprim_histogram_call *call);

/* Find the k largest or smallest keys. All ranks get the same result. The outputs have room for k elements; the
 * function writes min(k, number of all elements). With .indices, .values_out has indices in the whole array.
 * Errors: CLPRIM_INVALID_RANGE also if .index_type is U32 and an index does not fit.
 * Memory: k keys and values per rank. */
CLPRIM_API clprim_status clprim_distributed_top_k(const clprim_comm *comm, clprim_runtime *runtime,
                                                  const clprim_top_k_desc *desc, const clprim_top_k_call *call);

/* Find the keys at given ranks of the sorted order of all keys, such as their median. All ranks of the communicator pass the
 * same .ranks, which count among all keys, and get the same keys in .keys_out, also if they have no elements. A selection
 * on the digits of the keys passes over each rank's elements a few times, and sends counters alone: elements stay where
 * they are.
 * Not supported: .input.
 * Errors: CLPRIM_INVALID_ARGUMENT also if the ranks of the communicator pass other .ranks, or if one of them is not less
 * than the number of all elements.
 * Memory: about 800 KB, and 40 bytes and a key for each of .ranks. */
CLPRIM_API clprim_status clprim_distributed_nth_element(const clprim_comm *comm, clprim_runtime *runtime,
                                                        const clprim_nth_element_desc *desc,
                                                        const clprim_nth_element_call *call);

/* The differences of neighbours. Each rank gets those of its own elements: a rank's first or last element has a
 * neighbour on another rank. With .pairs_only, the first rank that has elements gets one difference less than it has
 * elements; on other ranks, the output needs room for .count.
 * Memory: two elements per rank; for a call in place, also room for another output. */
CLPRIM_API clprim_status clprim_distributed_adjacent_difference(const clprim_comm *comm, clprim_runtime *runtime,
                                                                const clprim_adjacent_difference_desc *desc,
                                                                const clprim_adjacent_difference_call *call);

/* Compute arrays from expressions. Each rank gets the values for its own elements: .count values, for the indices from
 * the beginning of its piece on.
 * Not supported: .out_index.
 * Memory: for outputs in place of an argument, room for another output. */
CLPRIM_API clprim_status clprim_distributed_transform(const clprim_comm *comm, clprim_runtime *runtime,
                                                      const clprim_transform_desc *desc,
                                                      const clprim_transform_call *call);

/* Find the first element that satisfies the predicate. All ranks get its index in the whole array, or the number of all
 * elements.
 * Errors: CLPRIM_INVALID_RANGE also if .index_type is U32 and cannot hold the number of all elements.
 * Memory: 8 bytes per rank. */
CLPRIM_API clprim_status clprim_distributed_find(const clprim_comm *comm, clprim_runtime *runtime,
                                                 const clprim_find_desc *desc, const clprim_find_call *call);

/* Find out how many elements of the whole array are sorted, from its beginning on. All ranks get this number.
 * Errors: CLPRIM_INVALID_RANGE also if .index_type is U32 and cannot hold the number of all elements.
 * Memory: two elements and 8 bytes per rank. */
CLPRIM_API clprim_status clprim_distributed_is_sorted(const clprim_comm *comm, clprim_runtime *runtime,
                                                      const clprim_is_sorted_desc *desc,
                                                      const clprim_is_sorted_call *call);

/* Select. Each rank gets its share of the selected elements, and .out_count the number of elements in that share.
 * Errors: CLPRIM_INVALID_RANGE also if the ranks do not have room for the output, or if .index_type is U32 and a rank
 * has room for 2^32 elements or more.
 * Memory: room for another output of `count` elements, and 56 bytes per rank. */
CLPRIM_API clprim_status clprim_distributed_select(const clprim_comm *comm, clprim_runtime *runtime,
                                                   const clprim_select_desc *desc, const clprim_select_call *call,
                                                   const size_t *room, clprim_distributed_part *part);

/* Partition. Each rank gets its share of all elements, and .out_count and .second_count the numbers of elements in that
 * share that are in the first part and in the second part.
 * Not supported: .separate, .reversed_rest.
 * Errors: CLPRIM_INVALID_RANGE also if the ranks do not have room for the output, or if .index_type is U32 and a rank
 * has room for 2^32 elements or more.
 * Memory: room for another output of `count` elements, and 56 bytes per rank. */
CLPRIM_API clprim_status clprim_distributed_partition(const clprim_comm *comm, clprim_runtime *runtime,
                                                      const clprim_partition_desc *desc,
                                                      const clprim_partition_call *call, const size_t *room,
                                                      clprim_distributed_part *part);

/* Keep the first element of each run. A run that extends over several ranks is one run. Each rank gets its share of
 * these elements, and .out_count the number of elements in that share.
 * Not supported: .value_size, .indices.
 * Errors: CLPRIM_INVALID_RANGE also if the ranks do not have room for the output, or if .index_type is U32 and a rank
 * has room for 2^32 elements or more.
 * Memory: room for another output of `count` elements, and 56 bytes and one element per rank. */
CLPRIM_API clprim_status clprim_distributed_unique(const clprim_comm *comm, clprim_runtime *runtime,
                                                   const clprim_unique_desc *desc, const clprim_unique_call *call,
                                                   const size_t *room, clprim_distributed_part *part);

/* Encode runs. A run that extends over several ranks is one run. Each rank gets its share of the runs, and .out_count
 * the number of runs in that share.
 * Not supported: .min_length, .offsets, .type_name, .equal.
 * Errors: CLPRIM_INVALID_RANGE also if the ranks do not have room for the output, or if .index_type is U32 and cannot
 * hold the number of all elements.
 * Memory: room for other outputs of `count` elements, and two keys and four values per rank. */
CLPRIM_API clprim_status clprim_distributed_run_length_encode(const clprim_comm *comm, clprim_runtime *runtime,
                                                              const clprim_run_length_encode_desc *desc,
                                                              const clprim_run_length_encode_call *call,
                                                              const size_t *room, clprim_distributed_part *part);

/* Reduce the values of each run. A run that extends over several ranks is one run; the last bits of its float SUM or
 * PROD depend on how the array is divided. Each rank gets its share of the runs, and .out_count the number of runs in
 * that share. Indices of ARGMIN and ARGMAX count from the beginning of the whole array.
 * Not supported: .output, .key_type_name, .equal.
 * Errors: CLPRIM_INVALID_RANGE also if the ranks do not have room for the output, or if .index_type is U32 and cannot
 * hold the number of all elements.
 * Memory: room for other outputs of `count` elements, and two keys and four values per rank. */
CLPRIM_API clprim_status clprim_distributed_reduce_by_key(const clprim_comm *comm, clprim_runtime *runtime,
                                                          const clprim_reduce_by_key_desc *desc,
                                                          const clprim_reduce_by_key_call *call, const size_t *room,
                                                          clprim_distributed_part *part);

/* Stably sort keys, alone or with values: equal keys are in the order of the ranks, and keep their order within a rank.
 * With .argsort, .values_out has indices in the whole array.
 *
 * Method: each rank sorts its piece on its device. A selection on the digits of the keys finds exact splitters, so
 * shares are exact even if there are many duplicates. Each rank receives its share and sorts it on its device.
 *
 * Errors: CLPRIM_INVALID_RANGE also if the rooms of all ranks do not add up to the number of elements, or if
 * .index_type is U32 and an index does not fit.
 *
 * Memory of this rank on the host, if a key and its value have e bytes:
 * - count * e bytes;
 * - room * e bytes more for outputs that are in place or left out;
 * - about 2.2 KB per rank;
 * - the size of its arrays once more (clprim_run_limits.allocate) for a sort that does not fit its device.
 *
 * Memory on the device: what clprim_radix_sort_run takes for `count` elements, and later for `room` elements.
 *
 * Shared memory: if all ranks are on one host (.share of clprim_comm), and all devices have their own memory, ranks
 * send no elements. Each rank sorts pieces of its elements into memory that all ranks read, and takes its share from the
 * pieces of all ranks. Kernels and transfers in both directions run at the same time. The count * e bytes then belong to
 * the communicator, which keeps them for later sorts. The second sort pins this memory (see .share of clprim_comm), so
 * it takes longer, and later sorts are faster. On the device, a rank uses at most .device_memory of clprim_run_limits.
 * If half of that is enough for count * e bytes, the sorted pieces also stay on the device, and a rank does not transfer
 * its own pieces again. If there is not enough memory to share, the sort works as described above. */
CLPRIM_API clprim_status clprim_distributed_radix_sort(const clprim_comm *comm, clprim_runtime *runtime,
                                                       const clprim_radix_sort_desc *desc,
                                                       const clprim_radix_sort_call *call, const size_t *room,
                                                       clprim_distributed_part *part);

/* Stably sort several arrays by one array of keys. Method, order, errors and memory are those of
 * clprim_distributed_radix_sort, where e is the size of a key and its elements in all arrays. */
CLPRIM_API clprim_status clprim_distributed_sort_by_key(const clprim_comm *comm, clprim_runtime *runtime,
                                                        const clprim_sort_by_key_desc *desc,
                                                        const clprim_sort_by_key_call *call, const size_t *room,
                                                        clprim_distributed_part *part);

/* Merge two sorted arrays. Each rank passes its piece of both: .a_count and .b_count keys. The concatenated pieces of
 * `a` must be sorted, and those of `b`; otherwise the order of the result is unspecified. Each rank gets its share of the
 * merged keys and values; equal keys of `a` come before those of `b`. NULL for `room` means .a_count + .b_count.
 * Not supported: .less, .type_name. Not in place.
 * Errors: CLPRIM_INVALID_RANGE also if the rooms do not add up to the number of all elements.
 * Memory: another copy of the rank's share, and 2200 bytes per rank. */
CLPRIM_API clprim_status clprim_distributed_merge(const clprim_comm *comm, clprim_runtime *runtime,
                                                  const clprim_merge_desc *desc, const clprim_merge_call *call,
                                                  const size_t *room, clprim_distributed_part *part);

/* Union, intersection, difference or symmetric difference of two sorted arrays. Each rank passes its piece of both, as
 * for a merge. Each rank gets its share of the result, and .out_count the number of elements in that share. NULL for
 * `room` means .a_count + .b_count.
 * Not supported: .less, .type_name. Not in place.
 * Errors: CLPRIM_INVALID_RANGE also if the ranks do not have room for the output, or if .index_type is U32 and a rank
 * has room for 2^32 elements or more.
 * Memory: two more copies of the rank's elements of both arrays, and 2200 bytes per rank. */
CLPRIM_API clprim_status clprim_distributed_set_operation(const clprim_comm *comm, clprim_runtime *runtime,
                                                          const clprim_set_operation_desc *desc,
                                                          const clprim_set_operation_call *call, const size_t *room,
                                                          clprim_distributed_part *part);

/* Shuffle. Each rank gets its share of the shuffled array, or of the permutation (.indices). The permutation is that of
 * one array with all elements: .seed must be the same on all ranks. Method: a sort of the elements by their places in
 * the output.
 * Errors: CLPRIM_INVALID_ARGUMENT also if the ranks pass different seeds; CLPRIM_INVALID_RANGE also if the rooms do not add
 * up to the number of all elements, or if .index_type is U32 and cannot hold the indices of all elements.
 * Memory: that of a sort by keys of 4 bytes, or of 8 bytes from 2^32 elements on, and these keys: 4 or 8 bytes for each
 * of the rank's elements; with .indices, none. */
CLPRIM_API clprim_status clprim_distributed_shuffle(const clprim_comm *comm, clprim_runtime *runtime,
                                                    const clprim_shuffle_desc *desc, const clprim_shuffle_call *call,
                                                    const size_t *room, clprim_distributed_part *part);

#ifdef __cplusplus
}
#endif
#endif
