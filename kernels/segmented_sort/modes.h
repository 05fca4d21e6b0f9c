// SPDX-License-Identifier: MIT
/* modes.h: what HAS_LONG may be, for the host, too: what becomes of segments that are too long for a group's tile. */
#ifndef SEGMENTED_SORT_MODES_H
#define SEGMENTED_SORT_MODES_H

#define LONG_NONE     0 /* there are none */
#define LONG_TOGETHER 1 /* they are left to one sort of them all */
#define LONG_IN_TILES 2 /* they are divided into tiles */

#endif
