// SPDX-License-Identifier: MIT
/* clprim/stream.h: operations on data that arrives in batches: running sums, minima, histograms, the first k, counts, and
 * transformations of a stream, of which nobody knows how long it will be.
 *
 *     clprim_stream *stream;
 *     const clprim_top_k_desc desc = {.key_type = CLPRIM_F32, .k = 10};
 *     clprim_stream_create(&stream, runtime, &clprim_top_k_operation, &desc,
 *                          &(clprim_top_k_call){.count = 1 << 20, .keys_out = {.host = best}});
 *     while ((n = receive(batch)) > 0)
 *         clprim_stream_push(stream, &(clprim_top_k_call){.keys_in = {.host = batch}, .count = n});
 *     clprim_stream_result(stream);                                   best has the first 10 of all batches
 *     clprim_stream_destroy(stream);
 *
 * The batches, one after another, are one array. The result is that of clprim_<operation>_run on this array, with the
 * same description: bit for bit, except that the last bits of float sums and products depend on the batches. Indices
 * count from the beginning of the stream. A stream needs device memory for two batches, however long it is.
 *
 * Arrays. There are two kinds of arrays of a call:
 * - Arrays with as many elements as the batch, such as `in`, or the prefixes of a scan. Each batch brings its own, on
 *   the host (.host). Arguments that expressions read as name[i], and nowhere else, are of this kind, too.
 * - All others: results (`out` of a reduction), edges of bins, values of arguments, the array that a search searches.
 *   They are given to clprim_stream_create, and stay the same, like all other members of the call but the number of
 *   elements. An argument that is an array needs a .length.
 *
 * Outputs that another output counts (the elements that `select` keeps) are written for each batch. The counting output
 * of the batch's call receives how many elements were written for this batch; that of the call that was given to create
 * receives their total number. `unique` compares a batch with the end of the batch before it. So does
 * `adjacent_difference`: with .pairs_only, the first batch gives one difference less than it has elements.
 *
 * What a stream cannot do is refused by create, with CLPRIM_UNSUPPORTED: operations that need all elements at the same
 * time (sorts, merge), or whose results depend on elements that follow. docs/scale.md has the table.
 *
 * Threads: the calls of one stream must not overlap in time. Different streams are independent, also on one runtime. */
#ifndef CLPRIM_STREAM_H
#define CLPRIM_STREAM_H

#include <clprim/operation.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clprim_stream clprim_stream;

/* Make a stream. `desc` and `call` are pointers to the structs of the operation, such as clprim_reduce_operation.
 *
 * .max_count of the description limits all elements of the stream together. Its default is 2^32 - 1. `desc` and
 * everything that it points to must stay valid until the stream is destroyed. NULL means the same as for the operation's
 * create.
 *
 * `call` has the arrays that batches do not bring; they must stay valid, too. Its count is the largest number of
 * elements that are on the device at a time; 0 means that the library chooses. Larger batches are divided.
 *
 * A NULL runtime means clprim_runtime_default(). On failure *out is untouched.
 *
 * Errors: those of the operation's create; CLPRIM_INVALID_ARGUMENT also if a pointer is NULL; CLPRIM_UNSUPPORTED also
 * if the operation cannot process batches; CLPRIM_OUT_OF_MEMORY. */
CLPRIM_API clprim_status clprim_stream_create(clprim_stream **out, clprim_runtime *runtime,
                                              const clprim_operation *operation, const void *desc, const void *call);

/* Process a batch, and wait until its outputs are written. `call` has the arrays of the batch, and the number of its
 * elements. It may be 0; then nothing happens. All batches have the same arrays: an optional array that the first batch
 * leaves out, all others leave out. The arrays of the call that was given to create must not overlap those of batches.
 *
 * Errors: those of the operation's run. CLPRIM_INVALID_ARGUMENT also if a batch lacks an array, brings one that belongs
 * to create, or brings other arrays than the first one; CLPRIM_INVALID_RANGE also if the stream would have more than
 * .max_count elements. Then the batch was not processed, and the stream continues with the next one. If a batch fails
 * half way (OpenCL's codes, CLPRIM_STOPPED, CLPRIM_OUT_OF_MEMORY), the stream returns that status from then on, and
 * takes no more batches. */
CLPRIM_API clprim_status clprim_stream_push(clprim_stream *stream, const void *call);

/* Write the results of all batches so far to the arrays of the call that was given to create. Other batches may follow,
 * and the function may be called again. Without any elements, the results are those of a call with count 0.
 * Errors: those of the operation's run; CLPRIM_INVALID_ARGUMENT if the stream is NULL. A stream that fails here takes no
 * more batches. */
CLPRIM_API clprim_status clprim_stream_result(clprim_stream *stream);

/* The number of elements that the stream has processed. 0 if it is NULL or has failed. */
CLPRIM_API uint64_t clprim_stream_count(const clprim_stream *stream);

/* NULL is allowed. */
CLPRIM_API void clprim_stream_destroy(clprim_stream *stream);

#ifdef __cplusplus
}
#endif
#endif
