// SPDX-License-Identifier: MIT
/* search_variants.c: one row per variant, and the variants' parameters. */
#include <stdint.h>

#include "kernels_search.h"
#include "runtime_internal.h"
#include "search_internal.h"
#include "tuning.h"
#include "variants.h"

/* id, name, summary, needs, origin, keeps order | kernel | for sorted needles, in tiles, only group | source */
static const clprim__search_row rows[] = {
    {{CLPRIM_SEARCH_BINARY, "binary", "a binary search per needle, without branches", "",
      "Knuth 1973, uniform binary search", true},
     "search_binary",
     false,
     false,
     0,
     &clprim__source_search_binary},
    {{CLPRIM_SEARCH_SORTED_NEEDLES, "sorted_needles",
      "tiles of needles, merged with the elements between their first and last place", "sorted needles",
      "Baxter 2013, vectorized sorted search", true},
     "search_sorted_needles",
     true,
     true,
     0,
     &clprim__source_search_sorted_needles},
    {{CLPRIM_SEARCH_CPU_CHUNK, "cpu_chunk", "each search begins at the previous needle's place, in steps that double",
      "sorted needles", "for CPU devices; Bentley, Yao 1976", true},
     "search_cpu_chunk",
     true,
     false,
     1,
     &clprim__source_search_cpu_chunk},
};

#define FOR(name) .variant = CLPRIM_SEARCH_##name

/* Measured: docs/notebook/search.md. */
CLPRIM__TUNINGS(search) = {
    {{FOR(BINARY), CLPRIM__ON_CPU},
     {.group_size = 1, .items = 16, .share = 1024, .groups_per_unit = 4, .sample_bytes = 1 << 13, .sample_worth = 1}},
    {{FOR(BINARY)},
     {.group_size = 1024, .items = 1, .share = 1, .groups_per_unit = 2, .sample_bytes = 1 << 15, .sample_worth = 2}},
    {{FOR(SORTED_NEEDLES), CLPRIM__ON_CPU},
     {.group_size = 16, .items = 64, .share = 64, .groups_per_unit = 4, .sample_worth = 1}},
    {{FOR(SORTED_NEEDLES)}, {.group_size = 256, .items = 4, .share = 2, .groups_per_unit = 64, .sample_worth = 1}},
    {{FOR(CPU_CHUNK)}, {.group_size = 1, .items = 1, .share = 4096, .groups_per_unit = 4, .sample_worth = 1}},
    {{0}, {.group_size = 256, .items = 1, .share = 1, .groups_per_unit = 64}},
};

#define TUNABLE(variant, member, ...) CLPRIM__TUNABLE(search, variant, member, __VA_ARGS__)

/* The parameters that a tuning file may set (docs/tuning.md): minimum, maximum, whether only powers of two. */
static const clprim__tunable tunables[] = {
    TUNABLE("binary", group_size, 1, 1024, true),         TUNABLE("binary", items, 1, 32, false),
    TUNABLE("binary", share, 1, 1 << 16, true),           TUNABLE("binary", groups_per_unit, 1, 256, false),
    TUNABLE("binary", sample_bytes, 1, 1 << 17, true),    TUNABLE("binary", sample_worth, 1, 1 << 16, true),
    TUNABLE("sorted_needles", group_size, 8, 1024, true), TUNABLE("sorted_needles", items, 1, 64, false),
    TUNABLE("sorted_needles", share, 1, 1 << 16, true),   TUNABLE("sorted_needles", groups_per_unit, 1, 256, false),
    TUNABLE("cpu_chunk", share, 64, 1 << 20, true),       TUNABLE("cpu_chunk", groups_per_unit, 1, 64, false),
};

CLPRIM__DEFINE_TUNABLES(search)
CLPRIM__DEFINE_ROWS(search)
CLPRIM__DEFINE_TUNING(search)

clprim_search_variant clprim__search_auto(const clprim_device_info *info, bool needles_are_sorted)
{
    if (!needles_are_sorted)
        return CLPRIM_SEARCH_BINARY;
    return info->kind == CLPRIM_DEVICE_CPU ? CLPRIM_SEARCH_CPU_CHUNK : CLPRIM_SEARCH_SORTED_NEEDLES;
}
