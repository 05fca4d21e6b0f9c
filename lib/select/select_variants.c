// SPDX-License-Identifier: MIT
/* select_variants.c: one row per variant, and the variants' parameters. */
#include "build.h"
#include "kernels_common.h"
#include "kernels_select.h"
#include "runtime_internal.h"
#include "select_internal.h"
#include "tuning.h"
#include "variants.h"

#define SELECT(name) &clprim__source_select_##name

/* id, name, summary, needs, origin, keeps order | kernels | looks back | largest group | source */
static const clprim__select_row rows[] = {
    {{CLPRIM_SELECT_COUNT_THEN_MOVE, "count_then_move",
      "counts of chunks, then each chunk's elements move: two passes, no waiting", "", "Merrill, Grimshaw 2009", true},
     {"select_count", "select_move"},
     false,
     0,
     SELECT(count_then_move)},
    {{CLPRIM_SELECT_CPU_CHUNK, "cpu_chunk", "one chunk per core, counted and then moved", "", "for CPU devices", true},
     {"select_count", "select_move"},
     false,
     1,
     SELECT(cpu_chunk)},
    {{CLPRIM_SELECT_LOOK_BACK, "look_back", "one pass: each tile looks back over those before it", "",
      "Merrill, Garland 2016", true},
     {"select_look_back"},
     true,
     0,
     SELECT(look_back)},
    {.info = {CLPRIM_SELECT_NATIVE, CLPRIM__NATIVE_TEXTS, true}},
};

#define FOR(name) .variant = CLPRIM_SELECT_##name

/* Measured: docs/notebook/select.md. */
CLPRIM__TUNINGS(select) = {
    {{FOR(LOOK_BACK), CLPRIM__ON_CPU}, {.group_size = 64, .items = 2, .looks = CLPRIM__LOOKS}},
    {{FOR(LOOK_BACK), CLPRIM__ON_GPU, .vendor = CLPRIM_VENDOR_NVIDIA},
     {.group_size = 256, .items = 8, .looks = CLPRIM__LOOKS}},
    {{FOR(LOOK_BACK)}, {.group_size = 256, .items = 4, .looks = CLPRIM__LOOKS}},
    {{FOR(COUNT_THEN_MOVE), CLPRIM__ON_CPU}, {.group_size = 64, .items = 2, .groups_per_unit = 4}},
    {{FOR(COUNT_THEN_MOVE)}, {.group_size = 256, .items = 4, .groups_per_unit = 4}},
    {{FOR(CPU_CHUNK)}, {.group_size = 1, .items = 1, .groups_per_unit = 4}},
    {{0}, {.group_size = 256, .items = 1, .groups_per_unit = 4}},
};

#define TUNABLE(variant, member, ...) CLPRIM__TUNABLE(select, variant, member, __VA_ARGS__)

/* The parameters that a tuning file may set (docs/tuning.md): minimum, maximum, whether only powers of two. */
static const clprim__tunable tunables[] = {
    TUNABLE("look_back", group_size, 1, 1024, true),     TUNABLE("look_back", items, 1, 8, false),
    TUNABLE("look_back", looks, 0, 1 << 20, false),      TUNABLE("count_then_move", group_size, 1, 1024, true),
    TUNABLE("count_then_move", items, 1, 8, false),      TUNABLE("count_then_move", groups_per_unit, 1, 64, false),
    TUNABLE("cpu_chunk", groups_per_unit, 1, 64, false),
};

CLPRIM__DEFINE_TUNABLES(select)
CLPRIM__DEFINE_ROWS(select)
CLPRIM__DEFINE_TUNING(select)

const clprim_variant_info *clprim__select_kernel_variants(size_t *count)
{
    if (count != NULL)
        *count = CLPRIM_SELECT_LOOK_BACK;
    return clprim__select_variants(NULL);
}

clprim_select_variant clprim__select_auto(const clprim_device_info *info, clprim__select_rest rest)
{
    if (info->kind == CLPRIM_DEVICE_CPU)
        return CLPRIM_SELECT_CPU_CHUNK;
    return rest != CLPRIM__REST_FOLLOWS ? CLPRIM_SELECT_LOOK_BACK : CLPRIM_SELECT_COUNT_THEN_MOVE;
}
