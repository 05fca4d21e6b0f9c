// SPDX-License-Identifier: MIT
/* set_operation_variants.c: one row per variant, and the variants' parameters. */
#include <stdint.h>

#include "build.h"
#include "kernels_common.h"
#include "kernels_set_operation.h"
#include "runtime_internal.h"
#include "set_operation_internal.h"
#include "tuning.h"
#include "variants.h"

#define OWN(name) &clprim__source_set_operation_##name

/* id, name, summary, needs, origin, keeps order | kernels | looks back | for cores | source */
static const clprim__set_operation_row rows[] = {
    {{CLPRIM_SET_OPERATION_LOOK_BACK, "look_back",
      "one pass over tiles of the balanced path; each looks back at earlier tiles", "",
      "Baxter 2013; Merrill, Garland 2016", true},
     {"set_look_back", "set_cuts"},
     true,
     false,
     OWN(look_back)},
    {{CLPRIM_SET_OPERATION_COUNT_THEN_MOVE, "count_then_move",
      "counts tiles of the balanced path, then moves them: two passes, no waiting", "", "Baxter 2013", true},
     {"set_count", "set_move"},
     false,
     false,
     OWN(count_then_move)},
    {{CLPRIM_SET_OPERATION_CPU_CHUNK, "cpu_chunk",
      "each core counts and then moves its share in four streams, without branches", "", "for CPU devices", true},
     {"set_count", "set_move"},
     false,
     true,
     OWN(cpu_chunk)},
};

#define FOR(name) .variant = CLPRIM_SET_OPERATION_##name

/* Measured: docs/notebook/set_operation.md. */
CLPRIM__TUNINGS(set_operation) = {
    {{FOR(LOOK_BACK), CLPRIM__ON_CPU}, {.group_size = 64, .bytes = 48, .cuts_from = 1 << 12, .looks = CLPRIM__LOOKS}},
    {{FOR(LOOK_BACK), .without = CLPRIM__NO_SHUFFLES},
     {.group_size = 256, .bytes = 150, .cuts_from = 1 << 22, .looks = CLPRIM__LOOKS}},
    {{FOR(LOOK_BACK)}, {.group_size = 256, .bytes = 150, .cuts_from = 1 << 25, .looks = CLPRIM__LOOKS}},
    {{FOR(COUNT_THEN_MOVE), CLPRIM__ON_CPU}, {.group_size = 64, .bytes = 48, .groups_per_unit = 4}},
    {{FOR(COUNT_THEN_MOVE), .size = 4}, {.group_size = 256, .bytes = 102, .groups_per_unit = 8}},
    {{FOR(COUNT_THEN_MOVE)}, {.group_size = 256, .bytes = 150, .groups_per_unit = 8}},
    {{FOR(CPU_CHUNK)}, {.group_size = 1, .bytes = 1 << 15, .groups_per_unit = 4}},
    {{0}, {.group_size = 256}},
};

#define TUNABLE(variant, member, ...) CLPRIM__TUNABLE(set_operation, variant, member, __VA_ARGS__)

/* The parameters that a tuning file may set (docs/tuning.md): minimum, maximum, whether only powers of two. */
static const clprim__tunable tunables[] = {
    TUNABLE("look_back", group_size, 32, 1024, true),
    TUNABLE("look_back", bytes, 4, 256, false),
    TUNABLE("look_back", looks, 0, 1 << 20, false),
    TUNABLE("look_back", cuts_from, 1 << 10, 1 << 30, true),
    TUNABLE("count_then_move", group_size, 32, 1024, true),
    TUNABLE("count_then_move", bytes, 4, 256, false),
    TUNABLE("count_then_move", groups_per_unit, 1, 64, false),
    TUNABLE("cpu_chunk", bytes, 1024, 1 << 20, true),
    TUNABLE("cpu_chunk", groups_per_unit, 1, 64, false),
};

CLPRIM__DEFINE_TUNABLES(set_operation)
CLPRIM__DEFINE_ROWS(set_operation)
CLPRIM__DEFINE_TUNING(set_operation)

clprim_set_operation_variant clprim__set_operation_auto(const clprim_device_info *info)
{
    return info->kind == CLPRIM_DEVICE_CPU ? CLPRIM_SET_OPERATION_CPU_CHUNK : CLPRIM_SET_OPERATION_LOOK_BACK;
}
