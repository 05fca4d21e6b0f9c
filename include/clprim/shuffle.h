// SPDX-License-Identifier: MIT
/* clprim/shuffle.h: put the elements of an array into a pseudo-random order, or write a pseudo-random permutation of
 * 0 .. count - 1.
 *
 *     clprim_plan *plan;
 *     clprim_shuffle_create(&plan, runtime, &(clprim_shuffle_desc){.element_size = 8});
 *     clprim_shuffle_enqueue(
 *         plan, queue, &(clprim_shuffle_call){.in = {.buffer = in}, .count = n, .seed = 2024, .out = {.buffer = out}},
 *         0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * out[i] = in[p(i)], where p is a permutation of 0 .. count - 1 that depends only on the seed and the count. So several
 * arrays of one length that are shuffled with one seed stay in step, and the indices (.indices) say where each element
 * came from.
 *
 * Guarantees:
 * - The same seed and count give the same permutation with every variant, on every device and in every version of the
 *   library with the same major.minor.
 * - Each element is written exactly once, and no bit of it changes.
 * - Over many seeds, each element comes to each place equally often, as far as tests of thousands of seeds can tell
 *   (docs/shuffle.md). Up to 2^64 of the count! permutations can occur. The generator is not cryptographic: whoever
 *   sees a few elements may be able to find the seed.
 *
 * Each place of the output is computed by itself: there are no passes, and no scratch memory.
 *
 * Queues, events, overlaps, threads and failures: clprim/plan.h.
 *
 * Source: Mitchell, Stokes, Frank and Holmes 2022, Bandwidth-Optimal Random Shuffling for GPUs (a Feistel network as
 * the permutation); Black and Rogaway 2002, Ciphers with Arbitrary Finite Domains (its domain); Steele, Lea and Flood
 * 2014, Fast Splittable Pseudorandom Number Generators (its keys, from the seed). */
#ifndef CLPRIM_SHUFFLE_H
#define CLPRIM_SHUFFLE_H

#include <clprim/plan.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kernels are in kernels/shuffle/; clprim_shuffle_operation.variants describes the variants. */
typedef enum clprim_shuffle_variant {
    CLPRIM_SHUFFLE_AUTO = 0,
    CLPRIM_SHUFFLE_TILES,
    CLPRIM_SHUFFLE_CPU_CHUNK
} clprim_shuffle_variant;

/* What to shuffle. Zeroed: elements of 4 bytes. */
typedef struct clprim_shuffle_desc {
    /* Size of an element, in bytes: 1 to 256. Not with .indices. Default: 0 (4). */
    size_t element_size;

    /* Write p(i) itself. Calls have no .in. Default: false. */
    bool indices;

    /* Type of these indices: U32 or U64. U64 is required if .max_count is 2^32 or more. Only with .indices.
     * Default: U32. */
    clprim_type index_type;

    /* The largest count of any call, in elements. Default: 0 (2^32 - 1). */
    size_t max_count;

    /* The implementation. Default: CLPRIM_SHUFFLE_AUTO (the library chooses). */
    clprim_shuffle_variant variant;

    /* Work-items per work-group: a power of two, adapted to the device and the variant. Default: 0 (tuned). */
    size_t work_group_size;
} clprim_shuffle_desc;

/* One shuffle. */
typedef struct clprim_shuffle_call {
    /* `count` elements. Not with .indices. */
    clprim_array in;

    /* The number of elements, at most .max_count and at most (2^32 - 1)^2. */
    size_t count;

    /* Which permutation: any number. Default: 0, which is a seed like any other. */
    uint64_t seed;

    /* `count` elements or indices. */
    clprim_array out;
} clprim_shuffle_call;

/* Make a plan. A NULL desc means a zeroed one. On failure *out is untouched. Errors: see CREATE in clprim/plan.h. */
CLPRIM_API clprim_status clprim_shuffle_create(clprim_plan **out, clprim_runtime *runtime,
                                               const clprim_shuffle_desc *desc);

/* Enqueue one shuffle. Errors: see ENQUEUE in clprim/plan.h. */
CLPRIM_API clprim_status clprim_shuffle_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                const clprim_shuffle_call *call, cl_uint num_waits,
                                                const cl_event *waits, cl_event *done);

/* Make a plan, run one shuffle, and wait for the result. Arrays may be on the host, on the device, or both. A NULL
 * runtime means clprim_runtime_default(). Errors: see RUN in clprim/plan.h. */
CLPRIM_API clprim_status clprim_shuffle_run(clprim_runtime *runtime, const clprim_shuffle_desc *desc,
                                            const clprim_shuffle_call *call);

/* The description and the call as data: see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_shuffle_operation;

#ifdef __cplusplus
}
#endif
#endif
