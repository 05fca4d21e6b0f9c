// SPDX-License-Identifier: MIT
/* merge_variants.c: one row per variant, and the variants' parameters. */
#include <stdint.h>

#include "kernels_merge.h"
#include "merge_internal.h"
#include "runtime_internal.h"
#include "tuning.h"
#include "variants.h"

/* id, name, summary, needs, origin, keeps order | shape | kernel | source */
static const clprim__merge_row rows[] = {
    {{CLPRIM_MERGE_NAIVE, "naive", "each element finds its place by a search in the other range", "",
      "Shiloach, Vishkin 1981", true},
     CLPRIM__MERGE_ELEMENTS,
     "merge_naive",
     &clprim__source_merge_naive},
    {{CLPRIM_MERGE_PATH, "merge_path",
      "equal shares of the output, found on diagonals; each group merges its share tile by tile in local memory", "",
      "Green, McColl, Bader 2012; Odeh et al. 2012", true},
     CLPRIM__MERGE_SHARES,
     "merge_path",
     &clprim__source_merge_merge_path},
    {{CLPRIM_MERGE_CPU_CHUNK, "cpu_chunk", "one share per core, merged as four streams without branches", "",
      "for CPU devices", true},
     CLPRIM__MERGE_CHUNKS,
     "merge_cpu_chunk",
     &clprim__source_merge_cpu_chunk},
    {{CLPRIM_MERGE_TILES, "merge_tiles", "one tile of the output per group, whose sub-groups search for its ends", "",
      "Green, McColl, Bader 2012", true},
     CLPRIM__MERGE_TILES,
     "merge_tiles",
     &clprim__source_merge_merge_tiles},
};

#define GROUPS(size, most_bytes, most)                                                                                 \
    {                                                                                                                  \
        .group_size = (size), .bytes = (most_bytes), .groups_per_unit = (most)                                         \
    }
#define TILES(size, most_bytes, from, most)                                                                            \
    {                                                                                                                  \
        .group_size = (size), .bytes = (most_bytes), .splits_from = (from), .splits = (most)                           \
    }

#define FOR(name) .variant = CLPRIM_MERGE_##name

/* Measured: docs/notebook/merge.md. */
CLPRIM__TUNINGS(merge) = {
    {{FOR(PATH), CLPRIM__ON_CPU}, GROUPS(64, 32, 4)},
    {{FOR(PATH), .size = 4}, GROUPS(256, 55, 16)},
    {{FOR(PATH), .size = 8}, GROUPS(128, 83, 8)},
    {{FOR(PATH)}, GROUPS(256, 176, 8)},
    {{FOR(CPU_CHUNK)}, GROUPS(1, 1 << 15, 4)},
    {{FOR(TILES), CLPRIM__ON_CPU}, TILES(64, 32, 1 << 12, 16)},
    {{FOR(TILES), .size = 4}, TILES(256, 76, 1 << 25, 128)},
    {{FOR(TILES), .size = 8}, TILES(256, 152, 1 << 25, 128)},
    {{FOR(TILES)}, TILES(256, 90, 1 << 25, 128)},
    {{0}, {.group_size = 256}},
};

#define TUNABLE(variant, member, ...) CLPRIM__TUNABLE(merge, variant, member, __VA_ARGS__)

/* The parameters that a tuning file may set (docs/tuning.md): minimum, maximum, whether only powers of two. */
static const clprim__tunable tunables[] = {
    TUNABLE("naive", group_size, 32, 1024, true),
    TUNABLE("merge_path", group_size, 32, 1024, true),
    TUNABLE("merge_path", bytes, 4, 256, false),
    TUNABLE("merge_path", groups_per_unit, 1, 64, false),
    TUNABLE("merge_tiles", group_size, 32, 1024, true),
    TUNABLE("merge_tiles", bytes, 4, 256, false),
    TUNABLE("merge_tiles", splits_from, 1 << 10, 1 << 30, true),
    TUNABLE("merge_tiles", splits, 1, 1024, true),
    TUNABLE("cpu_chunk", bytes, 1024, 1 << 20, true),
    TUNABLE("cpu_chunk", groups_per_unit, 1, 64, false),
};

CLPRIM__DEFINE_TUNABLES(merge)
CLPRIM__DEFINE_ROWS(merge)
CLPRIM__DEFINE_TUNING(merge)

clprim_merge_variant clprim__merge_auto(const clprim_device_info *info)
{
    return info->kind == CLPRIM_DEVICE_CPU ? CLPRIM_MERGE_CPU_CHUNK : CLPRIM_MERGE_TILES;
}
