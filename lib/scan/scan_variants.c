// SPDX-License-Identifier: MIT
/* scan_variants.c: one row per variant, and the variants' parameters. */
#include "build.h"
#include "device.h"
#include "error.h"
#include "kernels_common.h"
#include "kernels_scan.h"
#include "runtime_internal.h"
#include "scan_internal.h"
#include "tuning.h"
#include "variants.h"

#define SCAN(name) &clprim__source_scan_##name

/* id, name, summary, needs, origin, keeps order | shape | kernels | largest group, block, in tiles | source */
static const clprim__scan_row rows[] = {
    {{CLPRIM_SCAN_NAIVE, "naive", "each step doubles the distance: log2(n) passes over two buffers", "",
      "essay: naive; Hillis, Steele 1986", true},
     CLPRIM__SCAN_STEPS,
     {"scan_load", "scan_step", "scan_store"},
     0,
     0,
     false,
     SCAN(naive)},
    {{CLPRIM_SCAN_WORK_EFFICIENT, "work_efficient", "up and down a tree in global memory, one launch per level", "",
      "essay: work-efficient; Blelloch 1990", true},
     CLPRIM__SCAN_TREE,
     {"scan_load", "scan_up_sweep", "scan_down_sweep", "scan_store"},
     0,
     0,
     false,
     SCAN(work_efficient)},
    {{CLPRIM_SCAN_BIT_REVERSED, "bit_reversed",
      "the same tree on reversed indices: coalesced, but the array must be permuted", "", "essay: the open question",
      true},
     CLPRIM__SCAN_TREE,
     {"scan_load", "scan_up_sweep", "scan_down_sweep", "scan_store"},
     0,
     0,
     false,
     SCAN(bit_reversed)},
    {{CLPRIM_SCAN_BLELLOCH, "blelloch", "the tree in local memory, two elements per work-item; then the blocks' sums",
      "", "lecture, scan 1", true},
     CLPRIM__SCAN_BLOCKS,
     {"scan_blelloch", "scan_distribute"},
     0,
     0,
     false,
     SCAN(blelloch)},
    {{CLPRIM_SCAN_BLELLOCH_PADDED, "blelloch_padded", "the same, padded against bank conflicts", "",
      "lecture, scan 2; GPU Gems 3", true},
     CLPRIM__SCAN_BLOCKS,
     {"scan_blelloch_padded", "scan_distribute"},
     0,
     0,
     false,
     SCAN(blelloch_padded)},
    {{CLPRIM_SCAN_CPU_CHUNK, "cpu_chunk", "one chunk per core, folded and then scanned in vectors", "",
      "for CPU devices", true},
     CLPRIM__SCAN_CHUNKS,
     {"scan_chunk_sums", "scan_chunks"},
     1,
     0,
     false,
     SCAN(cpu_chunk)},
    {{CLPRIM_SCAN_REDUCE_THEN_SCAN, "reduce_then_scan",
      "sums of chunks, then a scan of each chunk: two passes, no waiting", "", "Merrill, Grimshaw 2009", true},
     CLPRIM__SCAN_CHUNKS,
     {"scan_chunk_sums", "scan_chunks"},
     0,
     0,
     true,
     SCAN(reduce_then_scan)},
    {{CLPRIM_SCAN_LOOK_BACK, "look_back", "one pass: each tile looks back over those before it", "",
      "Merrill, Garland 2016; Smith, Levien, Owens 2025", true},
     CLPRIM__SCAN_ONE_LAUNCH,
     {"scan_look_back"},
     0,
     0,
     true,
     SCAN(look_back)},
    {{CLPRIM_SCAN_FIXED_TREE, "fixed_tree", "blocks whose shape depends on n alone: the same bits everywhere", "",
      "lecture, scan 1, with fixed blocks", true},
     CLPRIM__SCAN_BLOCKS,
     {"scan_fixed_tree", "scan_distribute"},
     256,
     512,
     false,
     SCAN(fixed_tree)},
    {{CLPRIM_SCAN_FIXED_LOOK_BACK, "fixed_look_back", "the same bits as fixed_tree, in one pass",
      "forward progress between work-groups", "Blelloch 1990; Merrill, Garland 2016", true},
     CLPRIM__SCAN_ONE_LAUNCH,
     {"scan_fixed_look_back"},
     0,
     512,
     true,
     SCAN(fixed_look_back)},
    {{CLPRIM_SCAN_FIXED_CHUNK, "fixed_chunk", "the same bits as fixed_tree, one chunk of blocks per core, in vectors",
      "", "for CPU devices", true},
     CLPRIM__SCAN_FIXED_CHUNKS,
     {"scan_block_folds", "scan_block_prefixes", "scan_fixed_chunks"},
     1,
     512,
     false,
     SCAN(fixed_chunk)},
    {{CLPRIM_SCAN_FIXED_REDUCE_THEN_SCAN, "fixed_reduce_then_scan",
      "the same bits as fixed_tree, in two passes, or one for few elements: no waiting",
      "a built-in operator without segments", "Blelloch 1990; Merrill, Grimshaw 2009; Smith, Levien, Owens 2025", true},
     CLPRIM__SCAN_FIXED_TILES,
     {"scan_fixed_folds", "scan_fixed_tiles", "scan_fixed_once"},
     0,
     512,
     true,
     SCAN(fixed_reduce_then_scan)},
    {.info = {CLPRIM_SCAN_NATIVE, CLPRIM__NATIVE_TEXTS, true}},
};

/* Tiles need different amounts of memory besides elements and totals: for runs, or for the beginnings of segments. */
typedef enum scan_kind {
    OF_ALL, /* in a row of the tuning: for all kinds without a row above it */
    OF_HEADS,
    OF_OFFSETS,
    OF_RUNS /* except spans, which need less */
} scan_kind;

int clprim__scan_kind_of(const clprim__scan_plan *self)
{
    if (self->runs != CLPRIM__SCAN_NO_RUNS)
        return self->runs == CLPRIM__SCAN_RUN_SPANS ? OF_ALL : OF_RUNS;
    return self->segments == CLPRIM_SEGMENTS_NONE ? OF_ALL : self->offset_size > 0 ? OF_OFFSETS : OF_HEADS;
}

#define FOR(name) .variant = CLPRIM_SCAN_##name

/* Measured: docs/notebook/scan.md. */
CLPRIM__TUNINGS(scan) = {
    {{FOR(LOOK_BACK), CLPRIM__ON_GPU, .vendor = CLPRIM_VENDOR_NVIDIA, .without = CLPRIM__NO_SHUFFLES, .of = OF_RUNS},
     {.group_size = 128, .items = 8, .looks = CLPRIM__LOOKS}},
    {{FOR(LOOK_BACK), CLPRIM__ON_GPU, .vendor = CLPRIM_VENDOR_NVIDIA, .without = CLPRIM__NO_SHUFFLES, .of = OF_HEADS},
     {.group_size = 256, .items = 4, .looks = CLPRIM__LOOKS}},
    {{FOR(LOOK_BACK), CLPRIM__ON_GPU, .vendor = CLPRIM_VENDOR_NVIDIA, .without = CLPRIM__NO_SHUFFLES, .of = OF_OFFSETS},
     {.group_size = 256, .items = 8, .looks = CLPRIM__LOOKS}},
    {{FOR(LOOK_BACK), CLPRIM__ON_GPU, .vendor = CLPRIM_VENDOR_NVIDIA, .without = CLPRIM__NO_SHUFFLES, .size = 4},
     {.group_size = 512, .items = 8, .looks = CLPRIM__LOOKS}},
    {{FOR(LOOK_BACK), CLPRIM__ON_GPU, .vendor = CLPRIM_VENDOR_NVIDIA, .without = CLPRIM__NO_SHUFFLES, .size = 8},
     {.group_size = 512, .items = 6, .looks = CLPRIM__LOOKS}},
    {{FOR(LOOK_BACK), CLPRIM__ON_GPU, .vendor = CLPRIM_VENDOR_NVIDIA, .without = CLPRIM__NO_SHUFFLES},
     {.group_size = 512, .items = 8, .looks = CLPRIM__LOOKS}},
    {{FOR(LOOK_BACK), CLPRIM__ON_GPU, .vendor = CLPRIM_VENDOR_NVIDIA}, {.group_size = 256, .looks = CLPRIM__LOOKS}},
    {{FOR(LOOK_BACK), CLPRIM__ON_CPU}, {.group_size = 64, .items = 2, .looks = CLPRIM__LOOKS}},
    {{FOR(LOOK_BACK)}, {.group_size = 256, .looks = CLPRIM__LOOKS}},
    {{FOR(REDUCE_THEN_SCAN), CLPRIM__ON_CPU}, {.group_size = 64, .items = 2, .groups_per_unit = 4}},
    {{FOR(REDUCE_THEN_SCAN), CLPRIM__ON_GPU, .vendor = CLPRIM_VENDOR_NVIDIA, .without = CLPRIM__NO_SHUFFLES,
      .of = OF_HEADS},
     {.group_size = 256, .items = 4, .groups_per_unit = 8}},
    {{FOR(REDUCE_THEN_SCAN), CLPRIM__ON_GPU, .vendor = CLPRIM_VENDOR_NVIDIA, .without = CLPRIM__NO_SHUFFLES,
      .of = OF_OFFSETS},
     {.group_size = 256, .items = 4, .groups_per_unit = 8}},
    {{FOR(REDUCE_THEN_SCAN)}, {.group_size = 256, .items = 4, .groups_per_unit = 4}},
    {{FOR(CPU_CHUNK)}, {.group_size = 1, .items = 1, .groups_per_unit = 4}},
    {{FOR(FIXED_LOOK_BACK), CLPRIM__ON_GPU, .vendor = CLPRIM_VENDOR_NVIDIA}, {.group_size = 512}},
    {{FOR(FIXED_CHUNK)}, {.group_size = 1, .items = 1, .groups_per_unit = 4}},
    {{FOR(FIXED_LOOK_BACK), CLPRIM__ON_CPU}, {.group_size = 16, .items = 1}},
    {{FOR(FIXED_REDUCE_THEN_SCAN), CLPRIM__ON_CPU},
     {.group_size = 64, .items = 2, .groups_per_unit = 4, .looks = CLPRIM__LOOKS}},
    {{FOR(FIXED_REDUCE_THEN_SCAN)}, {.group_size = 256, .items = 4, .groups_per_unit = 16, .looks = CLPRIM__LOOKS}},
    {{0}, {.group_size = 256}},
};

#define TUNABLE(variant, member, ...) CLPRIM__TUNABLE(scan, variant, member, __VA_ARGS__)

/* The parameters that a tuning file may set (docs/tuning.md): minimum, maximum, whether only powers of two. */
static const clprim__tunable tunables[] = {
    TUNABLE("look_back", group_size, 1, 1024, true),
    TUNABLE("look_back", items, 0, 32, false),
    TUNABLE("look_back", looks, 0, 1 << 20, false),
    TUNABLE("reduce_then_scan", group_size, 1, 1024, true),
    TUNABLE("reduce_then_scan", items, 0, 32, false),
    TUNABLE("reduce_then_scan", groups_per_unit, 1, 64, false),
    TUNABLE("cpu_chunk", groups_per_unit, 1, 64, false),
    TUNABLE("fixed_look_back", group_size, 1, 1024, true),
    TUNABLE("fixed_chunk", groups_per_unit, 1, 64, false),
    TUNABLE("fixed_reduce_then_scan", group_size, 1, 1024, true),
    TUNABLE("fixed_reduce_then_scan", items, 1, 8, true),
    TUNABLE("fixed_reduce_then_scan", groups_per_unit, 1, 64, false),
    TUNABLE("fixed_reduce_then_scan", looks, 0, 1 << 20, false),
};

CLPRIM__DEFINE_TUNABLES(scan)
CLPRIM__DEFINE_ROWS(scan)
CLPRIM__DEFINE_TUNING(scan)

const clprim_variant_info *clprim__scan_run_variants(size_t *count)
{
    const clprim_variant_info *first = clprim__scan_variants(NULL);
    while (first->id != CLPRIM_SCAN_CPU_CHUNK)
        first++;
    if (count != NULL)
        *count = CLPRIM_SCAN_LOOK_BACK - CLPRIM_SCAN_CPU_CHUNK + 1;
    return first;
}

clprim_scan_variant clprim__scan_auto(const clprim_device_info *info, bool reproducible, bool is_plain,
                                      size_t max_count)
{
    if (reproducible && info->kind == CLPRIM_DEVICE_CPU)
        return CLPRIM_SCAN_FIXED_CHUNK;
    if (reproducible)
        return info->sub_group_means == CLPRIM_SUB_GROUP_PTX && info->has_forward_progress &&
                       clprim__scan_fixed_takes(max_count)
                   ? CLPRIM_SCAN_FIXED_LOOK_BACK
               : is_plain ? CLPRIM_SCAN_FIXED_REDUCE_THEN_SCAN
                          : CLPRIM_SCAN_FIXED_TREE;
    return info->kind == CLPRIM_DEVICE_CPU ? CLPRIM_SCAN_CPU_CHUNK : CLPRIM_SCAN_LOOK_BACK;
}
