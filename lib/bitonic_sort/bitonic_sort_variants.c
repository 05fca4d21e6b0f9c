// SPDX-License-Identifier: MIT
/* bitonic_sort_variants.c: one row per variant, and the variants' parameters. */
#include "bitonic_sort_internal.h"
#include "kernels_bitonic_sort.h"
#include "runtime_internal.h"
#include "tuning.h"
#include "variants.h"

#define SORT(name) &clprim__source_bitonic_sort_##name

/* id, name, summary, needs, origin, keeps order | steps | items | kernels: step, copy, block, local step, merge |
 * source | source for segments */
static const clprim__bitonic_sort_row rows[] = {
    {{CLPRIM_BITONIC_SORT_NAIVE, "naive", "one work-item per element, half of them idle; one launch per step", "",
      "lecture, bitonic sort 1", false},
     CLPRIM__BITONIC_SORT_ELEMENTS,
     0,
     {"bitonic_sort_naive", "bitonic_sort_copy"},
     SORT(naive),
     NULL},
    {{CLPRIM_BITONIC_SORT_BETTER, "better", "one work-item per pair, which it finds by a division", "",
      "lecture, bitonic sort 2", false},
     CLPRIM__BITONIC_SORT_PAIRS,
     0,
     {"bitonic_sort_better", "bitonic_sort_copy"},
     SORT(better),
     NULL},
    {{CLPRIM_BITONIC_SORT_BEST, "best", "one work-item per pair, which it finds by shifts", "",
      "lecture, bitonic sort 3", false},
     CLPRIM__BITONIC_SORT_PAIRS,
     0,
     {"bitonic_sort_best", "bitonic_sort_copy"},
     SORT(best),
     NULL},
    {{CLPRIM_BITONIC_SORT_MASKED, "masked", "one work-item per pair, which it finds by masks", "",
      "essay on bitonic sort in C++", false},
     CLPRIM__BITONIC_SORT_PAIRS,
     0,
     {"bitonic_sort_masked", "bitonic_sort_copy"},
     SORT(masked),
     NULL},
    {{CLPRIM_BITONIC_SORT_LOCAL_STEP, "local_step", "steps at short distances in local memory, one launch per step", "",
      "lecture, bitonic sort 4", false},
     CLPRIM__BITONIC_SORT_PAIRS,
     2,
     {"bitonic_sort_best", "bitonic_sort_copy", NULL, "bitonic_sort_local_step"},
     SORT(local_step),
     NULL},
    {{CLPRIM_BITONIC_SORT_LOCAL_BLOCK, "local_block", "one launch sorts all blocks that fit a work-group", "",
      "lecture, bitonic sort 5", false},
     CLPRIM__BITONIC_SORT_PAIRS,
     2,
     {"bitonic_sort_best", NULL, "bitonic_sort_local_block", "bitonic_sort_local_step"},
     SORT(local_block),
     NULL},
    {{CLPRIM_BITONIC_SORT_LOCAL_MERGE, "local_merge",
      "the same, and one launch for all short distances of a later stage", "", "lecture, bitonic sort 6", false},
     CLPRIM__BITONIC_SORT_PAIRS,
     2,
     {"bitonic_sort_best", NULL, "bitonic_sort_local_block", NULL, "bitonic_sort_local_merge"},
     SORT(local_merge),
     SORT(segments)},
    {{CLPRIM_BITONIC_SORT_SHARED_PAIRS, "shared_pairs", "the whole array in one work-group's local memory: one launch",
      "an array that fits local memory", "lecture, sort of keys and values", false},
     CLPRIM__BITONIC_SORT_NO_STEPS,
     0,
     {NULL, NULL, "bitonic_sort_shared_pairs"},
     SORT(shared_pairs),
     NULL},
    {{CLPRIM_BITONIC_SORT_REGISTER_BLOCK, "register_block",
      "several elements per work-item in registers, several steps per pass over memory", "",
      "lecture, \"advanced\" bitonic sort", false},
     CLPRIM__BITONIC_SORT_WINDOWS,
     0,
     {"bitonic_sort_window", NULL, "bitonic_sort_block", NULL, "bitonic_sort_merge", "bitonic_sort_strides",
      "bitonic_sort_stages"},
     SORT(stages),
     NULL},
    {{CLPRIM_BITONIC_SORT_CPU_CHUNK, "cpu_chunk", "chunks that fit a core's cache, compared vector by vector", "",
      "for CPU devices", false},
     CLPRIM__BITONIC_SORT_STREAMS,
     0,
     {"bitonic_sort_window", NULL, "bitonic_sort_block", NULL, "bitonic_sort_merge"},
     SORT(cpu_chunk),
     SORT(segments_cpu)},
};

#define FOR(name) .variant = CLPRIM_BITONIC_SORT_##name

/* Measured: docs/notebook/bitonic_sort.md. */
CLPRIM__TUNINGS(bitonic_sort) = {
    {{FOR(CPU_CHUNK)}, {.group_size = 1, .bytes = 1 << 15}},
    {{FOR(REGISTER_BLOCK), CLPRIM__ON_CPU}, {.group_size = 64, .bytes = 16, .at_once_bytes = 1 << 13}},
    {{FOR(REGISTER_BLOCK)}, {.group_size = 256, .bytes = 64, .at_once_bytes = 1 << 22}},
    {{CLPRIM__ON_CPU}, {.group_size = 256, .segment_items = 2}},
    {{0}, {.group_size = 256, .segment_items = 4}},
    {{0}, {.group_size = 256}},
};

#define TUNABLE(variant, member, ...) CLPRIM__TUNABLE(bitonic_sort, variant, member, __VA_ARGS__)

/* The parameters that a tuning file may set (docs/tuning.md): minimum, maximum, whether only powers of two. */
static const clprim__tunable tunables[] = {
    TUNABLE("register_block", group_size, 32, 1024, true),
    TUNABLE("register_block", bytes, 4, 512, true),
    TUNABLE("register_block", at_once_bytes, 1, 1 << 30, true),
    TUNABLE("cpu_chunk", bytes, 1024, 1 << 20, true),
};

CLPRIM__DEFINE_TUNABLES(bitonic_sort)
CLPRIM__DEFINE_ROWS(bitonic_sort)
CLPRIM__DEFINE_TUNING(bitonic_sort)

clprim_bitonic_sort_variant clprim__bitonic_sort_auto(const clprim_device_info *info, bool segmented)
{
    return info->kind == CLPRIM_DEVICE_CPU ? CLPRIM_BITONIC_SORT_CPU_CHUNK
           : segmented                     ? CLPRIM_BITONIC_SORT_LOCAL_MERGE
                                           : CLPRIM_BITONIC_SORT_REGISTER_BLOCK;
}
