// SPDX-License-Identifier: MIT
/* modes.h: the values of RANK_BY, for kernels and for the host: how keys of a tile are ranked among the keys with equal
 * digits. */
#ifndef RADIX_SORT_MODES_H
#define RADIX_SORT_MODES_H

#define RANK_BY_ITEM    0 /* each work-item ranks its own keys */
#define RANK_BY_BALLOTS 1 /* sub-groups of 32, by ballots */
#define RANK_BY_CHECKED 2 /* the same, by the results of atomics, in kernels that check these */
#define RANK_BY_MASKS   3 /* 32 work-items together, without sub-groups, by masks in local memory */

#endif
