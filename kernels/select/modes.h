/* modes.h: what PARTITION may be, for the host, too: where elements go that are not selected. */
#ifndef SELECT_MODES_H
#define SELECT_MODES_H

#define REST_NOWHERE  0
#define REST_FOLLOWS  1 /* behind the other parts */
#define REST_REVERSED 2 /* to the end of the output, in reverse */
#define REST_SEPARATE 3 /* to an array of its own, and so does the second part */

#endif
