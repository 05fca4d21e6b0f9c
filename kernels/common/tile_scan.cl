/* tile_scan.cl: a work-group scans a tile of packets that its work-items hold in registers. A packet is what a
 * work-item reads at once; each holds ITEMS of them and brings the fold of each. If SCAN_TOTALS is given, it brings
 * that many folds of other parts of the tile instead.
 *
 *     totals[j] = fold of the work-item's j-th packet, which is number tile_packet(j) of the tile; or of part
 *     tile_part(j) total = tile_fold(totals, &before, shared);     // the fold of the tile, in all work-items
 *     ... publish total as early as may be: others wait for it ...
 *     tile_prefixes(totals, before, shared);          // totals[j] = fold of all packets of the tile before that one
 *
 * With shuffles a sub-group has rows of consecutive packets, and no packet leaves its registers. Without, the totals go
 * through local memory into the order in which each work-item can fold its own share of them.
 *
 * The order of the elements is kept. For operators that commute, the tile's fold is ready before any row is scanned.
 * Parameters: VALUE, COMBINE, IDENTITY, COMMUTATIVE; ITEMS; SCAN_TOTALS, if not ITEMS; GROUP_SIZE.
 * Source: rows in registers after CUB's warp-striped layout; publishing early: measured. */
#include "common/kernel.h"
#include "common/subgroup.cl"
#include "common/subgroup_values.cl"

#if !defined(ITEMS) || !defined(COMMUTATIVE)
#error "ITEMS and COMMUTATIVE must be given"
#endif

#ifndef SCAN_TOTALS
#define SCAN_TOTALS ITEMS
#endif

#ifdef SUBGROUP_SHUFFLE
/* VALUEs of local memory that a tile takes. */
#if CLPRIM_SUB_GROUP_MEANS == 1
#define TILE_SCAN_VALUES (GROUP_SIZE / 32)
#else
#define TILE_SCAN_VALUES GROUP_SIZE /* as many sub-groups as there can be */
#endif

static inline uint tile_packet(uint j)
{
    return (clprim_sub_group_index() * ITEMS + j) * clprim_sub_group_size() + clprim_sub_group_lane();
}

static inline uint tile_part(uint j)
{
    return (clprim_sub_group_index() * SCAN_TOTALS + j) * clprim_sub_group_size() + clprim_sub_group_lane();
}

/* The rows of a sub-group, one after the other, from `carry` on; returns the fold of carry and all rows. The scans of
 * all rows run side by side, for each waits for its shuffles. */
static inline VALUE scan_rows(VALUE *totals, VALUE carry)
{
    const uint lane = clprim_sub_group_lane();
#pragma unroll
    for (uint distance = 1; distance < clprim_sub_group_size(); distance *= 2) {
#pragma unroll
        for (uint j = 0; j < SCAN_TOTALS; j++) {
            const VALUE theirs = clprim__value_shuffle_up(totals[j], distance);
            if (lane >= distance)
                totals[j] = COMBINE(theirs, totals[j]);
        }
    }
#pragma unroll
    for (uint j = 0; j < SCAN_TOTALS; j++) {
        const VALUE row = clprim__value_broadcast(totals[j], clprim_sub_group_size() - 1);
        const VALUE left = clprim__value_shuffle_up(totals[j], 1);
        totals[j] = lane > 0 ? COMBINE(carry, left) : carry;
        carry = COMBINE(carry, row);
    }
    return carry;
}

ALWAYS_INLINE VALUE tile_fold(VALUE *totals, VALUE *before, __local VALUE *shared)
{
    const uint lane = clprim_sub_group_lane();
    const uint mine = clprim_sub_group_index();
    const uint groups = GROUP_SIZE / clprim_sub_group_size();
#if COMMUTATIVE
    VALUE x = totals[0];
#pragma unroll
    for (uint j = 1; j < SCAN_TOTALS; j++)
        x = COMBINE(x, totals[j]);
    x = subgroup_reduce(x);
#else
    VALUE x = scan_rows(totals, IDENTITY);
#endif
    if (lane == 0)
        shared[mine] = x;
    barrier(CLK_LOCAL_MEM_FENCE); /* each sub-group needs what the others wrote */
    VALUE total;
#ifdef SUBGROUP_REDUX
    x = lane < groups ? shared[lane] : IDENTITY;
    *before = subgroup_redux(lane < mine ? x : IDENTITY);
    return subgroup_redux(x);
#endif
    if (groups <= clprim_sub_group_size()) {
        x = clprim__value_inclusive(lane < groups ? shared[lane] : IDENTITY);
        total = clprim__value_broadcast(x, groups - 1);
        x = clprim__value_broadcast(x, mine > 0 ? mine - 1 : 0);
        *before = mine > 0 ? x : IDENTITY;
    } else {
        *before = total = IDENTITY;
        for (uint g = 0; g < groups; g++) {
            if (g == mine)
                *before = total;
            total = COMBINE(total, shared[g]);
        }
    }
    return total;
}

ALWAYS_INLINE void tile_prefixes(VALUE *totals, VALUE before, __local VALUE *shared)
{
#if COMMUTATIVE
    (void)scan_rows(totals, before);
#else
#pragma unroll
    for (uint j = 0; j < SCAN_TOTALS; j++)
        totals[j] = COMBINE(before, totals[j]);
#endif
}
#else /* no shuffles */
/* a hole after every 32: no bank conflicts when each reads SCAN_TOTALS in a row */
#define TILE_PLACE(i)    ((i) + (i) / 32)
#define TILE_TOTALS      (TILE_PLACE(GROUP_SIZE * SCAN_TOTALS - 1) + 1)
#define TILE_SCAN_VALUES (TILE_TOTALS + GROUP_SIZE)

/* The work-items' sums are scanned in rows, each by one work-item. Those of the same place in all rows lie together. */
#if GROUP_SIZE > 256 && GROUP_SIZE % 32 == 0
#define SUMS_ROW 32
#elif GROUP_SIZE % 16 == 0
#define SUMS_ROW 16
#else
#define SUMS_ROW GROUP_SIZE
#endif
#define SUMS_ROWS    (GROUP_SIZE / SUMS_ROW)
#define SUM_PLACE(i) ((i) % SUMS_ROW * SUMS_ROWS + (i) / SUMS_ROW)

static inline uint tile_packet(uint j)
{
    return j * GROUP_SIZE + (uint)get_local_id(0);
}

static inline uint tile_part(uint j)
{
    return tile_packet(j);
}

ALWAYS_INLINE VALUE tile_fold(VALUE *totals, VALUE *before, __local VALUE *shared)
{
    const uint lid = (uint)get_local_id(0);
    __local VALUE *sums = shared + TILE_TOTALS;
#pragma unroll
    for (uint j = 0; j < SCAN_TOTALS; j++)
        shared[TILE_PLACE(tile_part(j))] = totals[j];
    barrier(CLK_LOCAL_MEM_FENCE); /* the totals change hands */
    VALUE x = shared[TILE_PLACE(lid * SCAN_TOTALS)];
#pragma unroll
    for (uint k = 1; k < SCAN_TOTALS; k++)
        x = COMBINE(x, shared[TILE_PLACE(lid * SCAN_TOTALS + k)]);
    sums[SUM_PLACE(lid)] = x;
    barrier(CLK_LOCAL_MEM_FENCE); /* all sums are there */
    if (lid < SUMS_ROWS) {
        x = sums[lid];
        for (uint k = 1; k < SUMS_ROW; k++) {
            x = COMBINE(x, sums[k * SUMS_ROWS + lid]);
            sums[k * SUMS_ROWS + lid] = x;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* each row is scanned; its last sum is that of the row */
    VALUE total = IDENTITY;
    x = IDENTITY;
    for (uint row = 0; row < SUMS_ROWS; row++) {
        if (row == lid / SUMS_ROW)
            x = total;
        total = COMBINE(total, sums[(SUMS_ROW - 1) * SUMS_ROWS + row]);
    }
    if (lid % SUMS_ROW > 0)
        x = COMBINE(x, sums[SUM_PLACE(lid - 1)]);
#pragma unroll
    for (uint k = 0; k < SCAN_TOTALS; k++) {
        const VALUE own = shared[TILE_PLACE(lid * SCAN_TOTALS + k)];
        shared[TILE_PLACE(lid * SCAN_TOTALS + k)] = x;
        x = COMBINE(x, own);
    }
    return total;
}

ALWAYS_INLINE void tile_prefixes(VALUE *totals, VALUE before, __local VALUE *shared)
{
    barrier(CLK_LOCAL_MEM_FENCE); /* the prefixes go back to whom the packets belong */
#pragma unroll
    for (uint j = 0; j < SCAN_TOTALS; j++)
        totals[j] = shared[TILE_PLACE(tile_part(j))];
}
#endif
