/* is_sorted_variants.c: one row per variant, and the parameters it runs with. */
#include <stdint.h>

#include "error.h"
#include "is_sorted_internal.h"
#include "kernels_common.h"
#include "kernels_is_sorted.h"
#include "runtime_internal.h"
#include "tuning.h"
#include "variants.h"

#define COMMON(name) &clprim__source_common_##name
#define SORTED(name) &clprim__source_is_sorted_##name

/* id, name, summary, needs, origin, keeps order | kernels | for CPUs | sources */
static const clprim__is_sorted_row rows[] = {
    {{CLPRIM_IS_SORTED_TREE, "tree", "16-byte loads; a second launch combines the groups' results", "",
      "Harris 2007, Optimizing Parallel Reduction", true},
     {"is_sorted_tree", "is_sorted_finish"},
     false,
     {COMMON(items), SORTED(least), COMMON(subgroup), COMMON(words), COMMON(subgroup_values), COMMON(packet),
      COMMON(group_reduce), SORTED(descents), SORTED(finish), SORTED(tree)}},
    {{CLPRIM_IS_SORTED_SINGLE_PASS, "single_pass", "the same, but the last group combines them: one launch",
      "memory order between work-groups", "NVIDIA's threadFenceReduction sample", true},
     {"is_sorted_single_pass", NULL},
     false,
     {COMMON(items), SORTED(least), COMMON(subgroup), COMMON(words), COMMON(subgroup_values), COMMON(device_scope),
      COMMON(collect), COMMON(packet), COMMON(group_reduce), SORTED(descents), SORTED(single_pass)}},
    {{CLPRIM_IS_SORTED_CPU_CHUNK, "cpu_chunk", "one chunk per core, compared in vectors, block by block", "",
      "for CPU devices", true},
     {"is_sorted_cpu_chunk", "is_sorted_finish"},
     true,
     {COMMON(items), SORTED(least), SORTED(finish), SORTED(cpu_chunk)}},
};

/* Measured values (docs/notebook/is_sorted.md) for devices that have a row, else the variant's row for any device,
 * whose kind is OTHER. The first match counts. */
static const struct tuning_row {
    clprim_is_sorted_variant variant;
    clprim_device_kind kind;
    clprim__is_sorted_tuning tuning;
} tunings[] = {
    {CLPRIM_IS_SORTED_CPU_CHUNK, CLPRIM_DEVICE_OTHER, {1, 4096, 4}},
    {CLPRIM_IS_SORTED_AUTO, CLPRIM_DEVICE_CPU, {64, 4, 4}},
    {CLPRIM_IS_SORTED_AUTO, CLPRIM_DEVICE_OTHER, {512, 5, 3}},
};

#define TUNABLE(variant, member, ...) CLPRIM__TUNABLE(is_sorted, variant, member, __VA_ARGS__)

/* What a file of parameters may set (docs/tuning.md): least, most, whether only powers of two. */
static const clprim__tunable tunables[] = {
    TUNABLE("tree", group_size, 32, 1024, true),    TUNABLE("tree", items, 1, 16, false),
    TUNABLE("tree", groups_per_unit, 1, 64, false), TUNABLE("single_pass", group_size, 32, 1024, true),
    TUNABLE("single_pass", items, 1, 16, false),    TUNABLE("single_pass", groups_per_unit, 1, 64, false),
    TUNABLE("cpu_chunk", items, 64, 1 << 20, true), TUNABLE("cpu_chunk", groups_per_unit, 1, 64, false),
};

CLPRIM__DEFINE_TUNABLES(is_sorted)
CLPRIM__DEFINE_ROWS(is_sorted)
CLPRIM__DEFINE_TUNING(is_sorted, true, .group_size = 256, .items = 4, .groups_per_unit = 2)

clprim_is_sorted_variant clprim__is_sorted_auto(const clprim_device_info *info)
{
    if (info->kind == CLPRIM_DEVICE_CPU)
        return CLPRIM_IS_SORTED_CPU_CHUNK;
    return info->has_device_fence ? CLPRIM_IS_SORTED_SINGLE_PASS : CLPRIM_IS_SORTED_TREE;
}
