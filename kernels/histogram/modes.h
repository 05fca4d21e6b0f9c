// SPDX-License-Identifier: MIT
/* modes.h: the values of WEIGHT_KIND, for kernels and for the host. */
#ifndef HISTOGRAM_MODES_H
#define HISTOGRAM_MODES_H

#define WEIGHTS_NONE     0 /* each element counts as 1 */
#define WEIGHTS_INTEGERS 1
#define WEIGHTS_FLOATS   2

#endif
