// SPDX-License-Identifier: MIT
/* tile_scan.cl: clprim/device/work_group_tile_scan.h for VALUEs of a tile of packets that the work-items of a group
 * hold in registers. A packet is what a work-item reads at once. Each holds ITEMS packets and provides the fold of
 * each. If SCAN_TOTALS is given, it provides that many folds of other parts of the tile instead.
 *
 *     totals[j] = fold of the work-item's j-th packet, which is number tile_packet(j) of the tile; or of part number
 *                 clprim__tile_index(j)
 *     total = clprim__tile_fold(totals, &before, &shared);      // the fold of the tile, in all work-items
 *     ... publish total as early as possible: other groups wait for it ...
 *     clprim__tile_prefixes(totals, before, &shared);           // totals[j] = fold of the tile before that packet
 *
 * Parameters: VALUE, COMBINE, IDENTITY, COMMUTATIVE; ITEMS; SCAN_TOTALS, if not ITEMS; GROUP_SIZE. */
#include "common/kernel.h"
#include "common/subgroup.cl"
#include "clprim/device/work_group_tile_scan.h"

#if !defined(VALUE) || !defined(COMBINE) || !defined(IDENTITY) || !defined(COMMUTATIVE)
#error "VALUE, COMBINE, IDENTITY and COMMUTATIVE must be given"
#endif
#ifndef ITEMS
#error "ITEMS must be given"
#endif

#ifndef SCAN_TOTALS
#define SCAN_TOTALS ITEMS
#endif

CLPRIM_WORK_GROUP_TILE_SCAN(clprim__tile, VALUE, COMBINE(a, b), IDENTITY, COMMUTATIVE, GROUP_SIZE, SCAN_TOTALS)

static inline uint tile_packet(uint j)
{
    return CLPRIM__TILE_INDEX(GROUP_SIZE, ITEMS, j);
}
