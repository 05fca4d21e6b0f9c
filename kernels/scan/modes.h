/* modes.h: what SEGMENTS and RUNS may be, for the host, too. */
#ifndef SCAN_MODES_H
#define SCAN_MODES_H

/* SEGMENTS: what says where segments begin, as clprim_scan_segments, */
#define SEGMENTS_NONE       0
#define SEGMENTS_BY_FLAG    1
#define SEGMENTS_BY_KEY     2
#define SEGMENTS_BY_OFFSETS 3
#define SEGMENTS_BY_MARKS   4 /* and bits that scan_mark_heads has made of offsets */

/* RUNS: what is written of segments that are runs of equal keys; of lengths and spans the keys are the elements */
#define RUNS_NONE    0 /* nothing: all results of the scan are */
#define RUNS_FOLDS   1
#define RUNS_LENGTHS 2
#define RUNS_SPANS   3 /* lengths of long runs, and where they begin */

#endif
