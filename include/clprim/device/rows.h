// SPDX-License-Identifier: MIT
/* clprim/device/rows.h: fold and scan one value per work-item of a group, using only local memory. It is for the other
 * headers of this folder. OpenCL C 1.2.
 *
 * The values are divided into rows of consecutive values. One work-item goes through each row; then all work-items go
 * through the folds of the rows. So operators that do not commute are supported, and two barriers are enough. Values
 * with the same index in their rows are adjacent, so that the work-items that go through the rows access neighbouring
 * words. */
#ifndef CLPRIM_DEVICE_ROWS_H
#define CLPRIM_DEVICE_ROWS_H

#include <clprim/device/base.h>

#define CLPRIM__ROW(SIZE)  ((SIZE) > 256 ? 32 : (SIZE) < 16 ? (SIZE) : 16)
#define CLPRIM__ROWS(SIZE) (((SIZE) + CLPRIM__ROW(SIZE) - 1) / CLPRIM__ROW(SIZE))
/* From a value of a row to the next one. It is odd, so that neighbouring work-items, whose values are in the same row, write
 * to different banks. */
#define CLPRIM__ROW_STEP(SIZE)   (CLPRIM__ROWS(SIZE) | 1)
#define CLPRIM__ROW_VALUES(SIZE) (CLPRIM__ROW(SIZE) * CLPRIM__ROW_STEP(SIZE))
#define CLPRIM__PLACE(SIZE, i)   ((i) % CLPRIM__ROW(SIZE) * CLPRIM__ROW_STEP(SIZE) + (i) / CLPRIM__ROW(SIZE))
/* How many values row i has. If all rows are whole, the compiler knows that, and begins with all loads of a row. */
#define CLPRIM__LEFT_IN_ROW(SIZE, i)                                                                                   \
    ((SIZE) % CLPRIM__ROW(SIZE) == 0 ? CLPRIM__ROW(SIZE) : min((uint)CLPRIM__ROW(SIZE), (SIZE) - (i)*CLPRIM__ROW(SIZE)))

#endif
