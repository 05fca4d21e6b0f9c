// SPDX-License-Identifier: MIT
/* reduce_variants.c: one row per variant, and the variants' parameters. */
#include "error.h"
#include "kernels_reduce.h"
#include "reduce_internal.h"
#include "runtime_internal.h"
#include "tuning.h"
#include "variants.h"

static const char HARRIS[] = "Harris 2007, Optimizing Parallel Reduction";

/* id, name, summary, needs, origin, keeps order | kernel, collects, largest group, local values | source */
static const clprim__reduce_row rows[] = {
    {{CLPRIM_REDUCE_INTERLEAVED, "interleaved", "neighbours first, with branches on tid % 2s", "",
      "lecture, reduction 1", true},
     "reduce_interleaved",
     false,
     0,
     0,
     &clprim__source_reduce_interleaved},
    {{CLPRIM_REDUCE_STRIDED, "strided", "consecutive work-items fold the same pairs: bank conflicts", "",
      "lecture, reduction 2", true},
     "reduce_strided",
     false,
     0,
     0,
     &clprim__source_reduce_strided},
    {{CLPRIM_REDUCE_SEQUENTIAL, "sequential", "the distance is halved in each step: no conflicts", "",
      "lecture, reduction 3", false},
     "reduce_sequential",
     false,
     0,
     0,
     &clprim__source_reduce_sequential},
    {{CLPRIM_REDUCE_FIRST_ADD, "first_add", "the same, but work-items make the first step while they load", "",
      "lecture, reduction 4", false},
     "reduce_first_add",
     false,
     0,
     0,
     &clprim__source_reduce_first_add},
    {{CLPRIM_REDUCE_UNROLLED, "unrolled",
      "the same, but the last sub-group continues without barriers, whatever its width", "", "lecture, reduction 5",
      false},
     "reduce_unrolled",
     false,
     0,
     0,
     &clprim__source_reduce_unrolled},
    {{CLPRIM_REDUCE_MASTER, "master", "K elements per work-item, one work-item folds the group", "",
      "lecture, sum with local reduction: master", false},
     "reduce_master",
     false,
     0,
     0,
     &clprim__source_reduce_master},
    {{CLPRIM_REDUCE_TREE, "tree", "K elements per work-item, a tree folds the group", "",
      "lecture, sum with local reduction: tree", false},
     "reduce_tree",
     false,
     0,
     0,
     &clprim__source_reduce_tree},
    {{CLPRIM_REDUCE_CPU_CHUNK, "cpu_chunk", "one chunk per core, wide vectors; the last group folds the chunks' values",
      "", "for CPU devices", true},
     "reduce_cpu_chunk",
     true,
     1,
     0,
     &clprim__source_reduce_cpu_chunk},
    {{CLPRIM_REDUCE_SINGLE_PASS, "single_pass", "16-byte loads; the last group folds the groups' values: one launch",
      "", HARRIS, false},
     "reduce_single_pass",
     true,
     0,
     0,
     &clprim__source_reduce_single_pass},
    {{CLPRIM_REDUCE_FIXED_TREE, "fixed_tree", "a tree whose shape depends on n alone: the same bits everywhere", "",
      "pairwise summation of fixed chunks", false},
     "reduce_fixed_tree",
     false,
     256,
     256,
     &clprim__source_reduce_fixed_tree},
    {{CLPRIM_REDUCE_NATIVE, CLPRIM__NATIVE_TEXTS, true}, NULL, false, 0, 0, NULL},
};

#define FOR(name) .variant = CLPRIM_REDUCE_##name

/* Measured: docs/notebook/reduce.md. */
CLPRIM__TUNINGS(reduce) = {
    {{FOR(SINGLE_PASS), CLPRIM__ON_GPU, .vendor = CLPRIM_VENDOR_NVIDIA, .size = 1},
     {.group_size = 512, .items = 2, .share = 1, .groups_per_unit = 2}},
    {{FOR(SINGLE_PASS), CLPRIM__ON_GPU, .vendor = CLPRIM_VENDOR_NVIDIA},
     {.group_size = 512, .items = 4, .share = 1, .groups_per_unit = 2}},
    {{FOR(SINGLE_PASS)}, {.group_size = 256, .items = 4, .share = 1, .groups_per_unit = 4}},
    {{FOR(CPU_CHUNK)}, {.group_size = 1, .items = 8192, .share = 8192, .groups_per_unit = 4}},
    {{FOR(FIXED_TREE), CLPRIM__ON_CPU}, {.group_size = 1, .items = 4096, .share = 4096}},
    {{FOR(FIXED_TREE)}, {.group_size = 256, .items = 16, .share = 16}},
    {{FOR(MASTER)}, {.group_size = 256, .items = 16, .share = 16}},
    {{FOR(TREE)}, {.group_size = 256, .items = 16, .share = 16}},
    {{FOR(FIRST_ADD)}, {.group_size = 256, .items = 2, .share = 2}},
    {{FOR(UNROLLED)}, {.group_size = 256, .items = 2, .share = 2}},
    {{0}, {.group_size = 256, .items = 1, .share = 1}},
};

#define TUNABLE(variant, member, ...) CLPRIM__TUNABLE(reduce, variant, member, __VA_ARGS__)

/* The parameters that a tuning file may set (docs/tuning.md): minimum, maximum, whether only powers of two. */
static const clprim__tunable tunables[] = {
    TUNABLE("single_pass", group_size, 1, 1024, true), TUNABLE("single_pass", items, 1, 16, false),
    TUNABLE("single_pass", share, 1, 1024, true),      TUNABLE("single_pass", groups_per_unit, 1, 64, false),
    TUNABLE("cpu_chunk", share, 256, 1 << 20, true),   TUNABLE("cpu_chunk", groups_per_unit, 1, 64, false),
    TUNABLE("tree", group_size, 2, 1024, true),        TUNABLE("tree", items, 1, 64, false),
};

CLPRIM__DEFINE_TUNABLES(reduce)
CLPRIM__DEFINE_ROWS(reduce)
CLPRIM__DEFINE_TUNING(reduce)

clprim_reduce_variant clprim__reduce_auto(const clprim_device_info *info, bool keep_order, bool reproducible)
{
    if (reproducible)
        return CLPRIM_REDUCE_FIXED_TREE;
    if (info->kind == CLPRIM_DEVICE_CPU)
        return CLPRIM_REDUCE_CPU_CHUNK;
    if (keep_order)
        return CLPRIM_REDUCE_STRIDED;
    return CLPRIM_REDUCE_SINGLE_PASS;
}
