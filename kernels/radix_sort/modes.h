/* modes.h: what RANK_BY may be, for the host, too: who finds the ranks of a tile's keys among those with equal
 * digits. */
#ifndef RADIX_SORT_MODES_H
#define RADIX_SORT_MODES_H

#define RANK_BY_ITEM    0 /* a work-item, of its own keys */
#define RANK_BY_BALLOTS 1 /* sub-groups of 32, by ballots */
#define RANK_BY_CHECKED 2 /* the same by what atomics return, in kernels that check it */
#define RANK_BY_MASKS   3 /* 32 work-items together, without sub-groups, by masks in local memory */
#define RANK_BY_STEPS   4 /* a work-item, of its own keys, in two steps of half a digit each */

#endif
