// SPDX-License-Identifier: MIT
/* find_variants.c: one row per variant, and the variants' parameters. */
#include <stdint.h>

#include "error.h"
#include "find_internal.h"
#include "kernels_find.h"
#include "runtime_internal.h"
#include "tuning.h"
#include "variants.h"

#define FIND(name) &clprim__source_find_##name

/* id, name, summary, needs, origin, keeps order | kernels | for CPUs | source */
static const clprim__find_row rows[] = {
    {{CLPRIM_FIND_TREE, "tree", "16-byte loads; a second launch combines the groups' results", "",
      "Harris 2007, Optimizing Parallel Reduction", true},
     {"find_tree", "find_finish"},
     false,
     FIND(tree)},
    {{CLPRIM_FIND_SINGLE_PASS, "single_pass", "the same, but the last group combines them: one launch", "",
      "NVIDIA's threadFenceReduction sample", true},
     {"find_single_pass", NULL},
     false,
     FIND(single_pass)},
    {{CLPRIM_FIND_CPU_CHUNK, "cpu_chunk", "each core takes one chunk after another and tests it in vectors", "",
      "for CPU devices", true},
     {"find_cpu_chunk", "find_finish"},
     true,
     FIND(cpu_chunk)},
};

#define FOR(name) .variant = CLPRIM_FIND_##name

/* Measured: docs/notebook/is_sorted.md. */
CLPRIM__TUNINGS(find) = {
    {{FOR(CPU_CHUNK)}, {.group_size = 1, .items = 4096, .groups_per_unit = 4}},
    {{CLPRIM__ON_CPU}, {.group_size = 64, .items = 4, .groups_per_unit = 4}},
    {{0}, {.group_size = 512, .items = 5, .groups_per_unit = 3}},
    {{0}, {.group_size = 256, .items = 4, .groups_per_unit = 2}},
};

#define TUNABLE(variant, member, ...) CLPRIM__TUNABLE(find, variant, member, __VA_ARGS__)

/* The parameters that a tuning file may set (docs/tuning.md): minimum, maximum, whether only powers of two. */
static const clprim__tunable tunables[] = {
    TUNABLE("tree", group_size, 32, 1024, true),    TUNABLE("tree", items, 1, 16, false),
    TUNABLE("tree", groups_per_unit, 1, 64, false), TUNABLE("single_pass", group_size, 32, 1024, true),
    TUNABLE("single_pass", items, 1, 16, false),    TUNABLE("single_pass", groups_per_unit, 1, 64, false),
    TUNABLE("cpu_chunk", items, 64, 1 << 20, true), TUNABLE("cpu_chunk", groups_per_unit, 1, 64, false),
};

CLPRIM__DEFINE_TUNABLES(find)
CLPRIM__DEFINE_ROWS(find)
CLPRIM__DEFINE_TUNING(find)

clprim_find_variant clprim__find_auto(const clprim_device_info *info)
{
    return info->kind == CLPRIM_DEVICE_CPU ? CLPRIM_FIND_CPU_CHUNK : CLPRIM_FIND_SINGLE_PASS;
}
