/* two_paths.cl: with TWO_PATHS 1 the copy of the code for tiles whose last place is in the array need not ask whether
 * elements are there. That is the same for all of the group, so that barriers are met by all.
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
