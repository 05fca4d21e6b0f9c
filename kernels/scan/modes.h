// SPDX-License-Identifier: MIT
/* modes.h: the values of SEGMENTS and RUNS, for kernels and for the host. */
#ifndef SCAN_MODES_H
#define SCAN_MODES_H

/* SEGMENTS: how segments are given. The first four are the values of clprim_scan_segments. */
#define SEGMENTS_NONE       0
#define SEGMENTS_BY_FLAG    1
#define SEGMENTS_BY_KEY     2
#define SEGMENTS_BY_OFFSETS 3
#define SEGMENTS_BY_MARKS   4 /* bits that scan_mark_heads has made of offsets */

/* RUNS: what is written of segments that are runs of equal keys. With RUNS_LENGTHS and RUNS_SPANS, the keys are the
 * elements. */
#define RUNS_NONE    0 /* no runs: the scan writes all its results */
#define RUNS_FOLDS   1
#define RUNS_LENGTHS 2
#define RUNS_SPANS   3 /* the lengths of long runs, and where they begin */

#endif
