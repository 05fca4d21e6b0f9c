// SPDX-License-Identifier: MIT
/* modes.h: the values of PARTITION, for kernels and for the host: where elements go that are not selected. */
#ifndef SELECT_MODES_H
#define SELECT_MODES_H

#define REST_NOWHERE  0
#define REST_FOLLOWS  1 /* after the other parts */
#define REST_REVERSED 2 /* to the end of the output, in reverse order */
#define REST_SEPARATE 3 /* to a separate array, like the second part */

#endif
