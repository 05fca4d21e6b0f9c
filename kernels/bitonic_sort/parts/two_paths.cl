// SPDX-License-Identifier: MIT
/* two_paths.cl: with TWO_PATHS 1, the code is compiled twice. The copy for tiles whose last place is inside the array
 * need not check whether elements exist. All work-items of a group take the same path, so they all reach the same
 * barriers.
 *
 * Parameters: TWO_PATHS. */
#include "bitonic_sort/parts/register_tile.cl"

#ifndef TWO_PATHS
#error "TWO_PATHS must be given"
#endif

#if TWO_PATHS
#define IN_TWO_PATHS(t, n, CALL)                                                                                       \
    if (index_of(t, TILE - 1) < (n)) {                                                                                 \
        t.is_whole = true;                                                                                             \
        CALL;                                                                                                          \
    } else {                                                                                                           \
        CALL;                                                                                                          \
    }
#else
#define IN_TWO_PATHS(t, n, CALL) CALL;
#endif
