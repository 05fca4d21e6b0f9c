/* modes.h: what WEIGHT_KIND may be, for the host, too. */
#ifndef HISTOGRAM_MODES_H
#define HISTOGRAM_MODES_H

#define WEIGHTS_NONE     0 /* each element counts 1 */
#define WEIGHTS_INTEGERS 1
#define WEIGHTS_FLOATS   2

#endif
