/* clprim/distributed.h: operations on arrays that lie in parts on several ranks.
 *
 * Ranks are threads or processes, each with a device (clprim/comm.h). Each rank calls the function with its
 * communicator, its runtime, and a call for its own part; the functions are collective: all ranks call them, in the
 * same order. The result is that of the same operation on one array, which is the parts of ranks 0, 1, 2 and so on,
 * one after the other.
 *
 *     clprim_comm comm;                                        one per rank: clprim/comm.h or clprim/mpi.h
 *     clprim_distributed_radix_sort(&comm, runtime, &(clprim_radix_sort_desc){.key_type = CLPRIM_F32},
 *                                   &(clprim_radix_sort_call){.keys_in = {.host = mine}, .count = n,
 *                                                             .keys_out = {.host = mine}},
 *                                   NULL, NULL);
 *
 * Descriptions and calls are those of the operation itself. They mean the same, except for this:
 * - Arrays are on the host (.host of clprim_array). Each rank gives its part; .count is its number of elements. Ranks
 *   may have different counts, and 0. Indices that the operation writes count from the beginning of the whole array.
 * - The description is the same on all ranks, but for .variant, .work_group_size, .items_per_work_item, .banks and
 *   .max_count. .max_count is about one rank's elements. `runtime` may be NULL: clprim_runtime_default().
 * - Not supported: .input, .then, and counts on the device. The functions below name what else is not. They refuse it
 *   with CLPRIM_UNSUPPORTED.
 * - Arrays of .arguments, for texts, are the same on all ranks; each rank gives a copy of its own.
 *
 * Shares. An operation whose output is as long as its input, or a part of it, distributes its output over the ranks.
 * By default each rank has room for as many elements as it has of the input: .count. `room` says something else: this
 * rank's outputs have room for *room elements. The output is in the order of the ranks. If it has as many elements as
 * there is room on all ranks, as the output of a sort has, each rank gets exactly its room. If it has fewer (select,
 * unique), rank r gets the elements from floor(n * R / T) to floor(n * (R + room) / T) - 1 of n, where R is the room
 * of all ranks before r, and T that of all ranks. So each rank gets its proportional share, exactly, however the
 * input was distributed. `room` may be NULL on some ranks and not on others. Where `part` is not NULL, *part says
 * what the rank has got.
 *
 * Errors are agreed: if something fails on one rank, the function fails on all ranks with the same status, and
 * clprim_last_error() says on each of them which rank failed, and why: no rank waits for it. Then inputs are as they
 * were, also if an output is in their place; other outputs are undefined. Ranks whose descriptions differ are such an
 * error (CLPRIM_INVALID_ARGUMENT). If communication itself fails, the status is CLPRIM_COMM_FAILED, at least on one
 * rank; clprim/comm.h says what becomes of the others, and the communicator must not be used again.
 *
 * Outputs may be in place exactly where the operation allows it. Where ranks are threads, one rank's outputs overlap
 * no other rank's inputs. */
#ifndef CLPRIM_DISTRIBUTED_H
#define CLPRIM_DISTRIBUTED_H

#include <clprim/comm.h>
#include <clprim/histogram.h>
#include <clprim/radix_sort.h>
#include <clprim/reduce.h>
#include <clprim/reduce_by_key.h>
#include <clprim/run_length_encode.h>
#include <clprim/scan.h>
#include <clprim/select.h>
#include <clprim/sort_by_key.h>
#include <clprim/top_k.h>
#include <clprim/unique.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which elements of the whole output a rank has got: `first` up to first + count - 1 of `total`. */
typedef struct clprim_distributed_part {
    uint64_t first;
    size_t count;
    uint64_t total;
} clprim_distributed_part;

/* Reduce: all ranks get the same result, bit for bit. Each rank reduces its part, and rank 0 folds the results of the
 * ranks in their order; parts without elements are left out. Float SUM and PROD differ in their last bits from those
 * of one array, and depend on how it is divided; all other results are the same. Not supported: .reproducible,
 * .has_initial_at. Memory: the size of one result per rank. */
CLPRIM_API clprim_status clprim_distributed_reduce(const clprim_comm *comm, clprim_runtime *runtime,
                                                   const clprim_reduce_desc *desc, const clprim_reduce_call *call);

/* Scan: each rank gets the prefixes of its own elements. Each rank reduces its part, then scans it from what the parts
 * before it fold to. Float SUM and PROD differ in their last bits from those of one array.
 * Not supported: .output, .segments, .reproducible, .has_initial_at, ARGMIN, ARGMAX.
 * Memory: the size of one result per rank; the output once more where it is in place of the input. */
CLPRIM_API clprim_status clprim_distributed_scan(const clprim_comm *comm, clprim_runtime *runtime,
                                                 const clprim_scan_desc *desc, const clprim_scan_call *call);

/* Count: all ranks get the same histogram. With .accumulate each rank's counters are added to what its own outputs
 * held, so all ranks give the same or each accumulates for itself. Sums of float weights are added in the order of
 * the ranks. Not supported: .output. Errors: CLPRIM_INVALID_RANGE also if counters of U32 do not hold the number of
 * all elements. Memory: 16 bytes per counter; with float weights the counters of all ranks. */
CLPRIM_API clprim_status clprim_distributed_histogram(const clprim_comm *comm, clprim_runtime *runtime,
                                                      const clprim_histogram_desc *desc,
                                                      const clprim_histogram_call *call);

/* Find the first k keys of all ranks: all ranks get the same result. The outputs have room for k elements; min(k,
 * number of all elements) are written. With .indices, values_out are indices in the whole array: CLPRIM_INVALID_RANGE
 * where .index_type U32 does not hold them. Memory: k keys and values per rank. */
CLPRIM_API clprim_status clprim_distributed_top_k(const clprim_comm *comm, clprim_runtime *runtime,
                                                  const clprim_top_k_desc *desc, const clprim_top_k_call *call);

/* Select. The selected elements are distributed over the ranks: each gets its share, and *out_count is the number of
 * elements in it. With .partition all elements are distributed, and *out_count is how many of this rank's share were
 * selected: they come first. CLPRIM_INVALID_RANGE if the ranks do not have room for all of them. Outputs and inputs
 * do not overlap. Not supported: the index i in .predicate and .output. Memory: the output of a call of `count`
 * elements once more, and 56 bytes per rank. */
CLPRIM_API clprim_status clprim_distributed_select(const clprim_comm *comm, clprim_runtime *runtime,
                                                   const clprim_select_desc *desc, const clprim_select_call *call,
                                                   const size_t *room, clprim_distributed_part *part);

/* Keep the first element of each run, also of runs that reach over several ranks. Shares, errors and memory: as
 * clprim_distributed_select; and an element per rank. Not supported: the index i in .output. */
CLPRIM_API clprim_status clprim_distributed_unique(const clprim_comm *comm, clprim_runtime *runtime,
                                                   const clprim_unique_desc *desc, const clprim_unique_call *call,
                                                   const size_t *room, clprim_distributed_part *part);

/* Runs and their lengths, also of runs that reach over several ranks: such a run is one. Shares as
 * clprim_distributed_select; *out_count is the number of runs in this rank's share. CLPRIM_INVALID_RANGE also where
 * .index_type U32 does not hold the number of all elements. Memory: the outputs of a call of `count` elements once
 * more; two keys and four values per rank. */
CLPRIM_API clprim_status clprim_distributed_run_length_encode(const clprim_comm *comm, clprim_runtime *runtime,
                                                              const clprim_run_length_encode_desc *desc,
                                                              const clprim_run_length_encode_call *call,
                                                              const size_t *room, clprim_distributed_part *part);

/* The same with what the values of each run fold to; indices of ARGMIN and ARGMAX count from the beginning of the whole
 * array. Float SUM and PROD of runs that reach over several ranks differ in their last bits. Not supported: .output. */
CLPRIM_API clprim_status clprim_distributed_reduce_by_key(const clprim_comm *comm, clprim_runtime *runtime,
                                                          const clprim_reduce_by_key_desc *desc,
                                                          const clprim_reduce_by_key_call *call, const size_t *room,
                                                          clprim_distributed_part *part);

/* Sort keys, alone or with values, stably: equal keys are in the order of the ranks, and on one rank in the order in
 * which they were. With .argsort, values_out are indices in the whole array. Each rank sorts its part on its device;
 * exact splitters are found by a selection on the digits of the keys, which duplicates cannot unbalance; each rank
 * receives its share, and sorts it on its device.
 *
 * The rooms of all ranks must add up to the number of elements: CLPRIM_INVALID_RANGE otherwise. It is also the status
 * where .index_type U32 does not hold every index. Memory on the host, of this rank, with e = bytes of a key and its
 * value: count * e; room * e more where outputs are in place of inputs, or left out; about 2.2 KB for each rank. On
 * the device: what clprim_radix_sort_run takes for `count` and for `room` elements, not at the same time. A sort of a
 * rank that does not fit its device takes the size of its arrays once more on the host (clprim_run_limits.allocate).
 *
 * If all devices have memory of their own, and all ranks are on one host (clprim_comm's .share), no elements are sent:
 * each rank sorts parts of its elements into runs in memory that all ranks read, and takes its share of all runs, while
 * transfers in both directions and kernels work at once. The count * e bytes then belong to the communicator, which
 * keeps them for later sorts; on the device a rank uses at most clprim_run_limits.device_memory. Without enough memory
 * to share, the sort works as described above. */
CLPRIM_API clprim_status clprim_distributed_radix_sort(const clprim_comm *comm, clprim_runtime *runtime,
                                                       const clprim_radix_sort_desc *desc,
                                                       const clprim_radix_sort_call *call, const size_t *room,
                                                       clprim_distributed_part *part);

/* The same for several arrays, by one array of keys. e is then the bytes of a key and its elements of all arrays. */
CLPRIM_API clprim_status clprim_distributed_sort_by_key(const clprim_comm *comm, clprim_runtime *runtime,
                                                        const clprim_sort_by_key_desc *desc,
                                                        const clprim_sort_by_key_call *call, const size_t *room,
                                                        clprim_distributed_part *part);

#ifdef __cplusplus
}
#endif
#endif
