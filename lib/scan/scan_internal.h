// SPDX-License-Identifier: MIT
/* scan_internal.h: the scan's plan, and the table of its variants. */
#ifndef CLPRIM_LIB_SCAN_INTERNAL_H
#define CLPRIM_LIB_SCAN_INTERNAL_H

#include <clprim/scan.h>
#include <stdint.h>

#include "build.h"
#include "plan_internal.h"
#include "program.h"
#include "tuning.h"
#include "variants.h"

#include "scan/args.h"
#include "scan/modes.h"

/* Flags of kernels/scan/parts/blocks.cl: FIRST_LEVEL reads elements instead of values; LAST_LEVEL has one block, whose
 * sum is not needed. */
#define CLPRIM__SCAN_SHARED(X) X(FIRST_LEVEL, 1u) X(LAST_LEVEL, 2u)
enum { CLPRIM__SCAN_SHARED(CLPRIM__SHARED_ENUMERATOR) };

/* Whether FIXED_LOOK_BACK, which has four levels of blocks, can scan so many elements. */
static inline bool clprim__scan_fixed_takes(uint64_t count)
{
    return count <= UINT64_C(1) << 36;
}

/* The order of a variant's launches. */
typedef enum clprim__scan_shape {
    CLPRIM__SCAN_STEPS,        /* load, a step for each bit of n, store */
    CLPRIM__SCAN_TREE,         /* load, up-sweeps, down-sweeps, store */
    CLPRIM__SCAN_BLOCKS,       /* blocks in local memory, level by level; then the prefixes are distributed */
    CLPRIM__SCAN_CHUNKS,       /* sums of chunks, then chunks */
    CLPRIM__SCAN_FIXED_CHUNKS, /* folds of blocks, their prefixes, then chunks of blocks */
    CLPRIM__SCAN_FIXED_TILES,  /* folds of chunks, which are subtrees, then chunks; or one launch, for few tiles. Both
                                * in the plan's state */
    CLPRIM__SCAN_ONE_LAUNCH    /* needs the plan's state */
} clprim__scan_shape;

/* How a scan treats runs of equal keys, which are a kind of segments. For clprim_reduce_by_key and
 * clprim_run_length_encode, it writes each run's key and fold, and the number of runs, instead of a result for each
 * element. */
typedef enum clprim__scan_runs {
    CLPRIM__SCAN_NO_RUNS = RUNS_NONE,
    CLPRIM__SCAN_RUN_FOLDS = RUNS_FOLDS,
    CLPRIM__SCAN_RUN_LENGTHS =
        RUNS_LENGTHS, /* the keys are the elements; the description's .type is the type of the lengths, and .op is
                       * SUM */
    CLPRIM__SCAN_RUN_SPANS = RUNS_SPANS /* the same, but only runs of at least .min_length elements, and perhaps with
                                         * offsets */
} clprim__scan_runs;

_Static_assert((int)CLPRIM_SEGMENTS_NONE == SEGMENTS_NONE && (int)CLPRIM_SEGMENTS_BY_FLAG == SEGMENTS_BY_FLAG &&
                   (int)CLPRIM_SEGMENTS_BY_KEY == SEGMENTS_BY_KEY &&
                   (int)CLPRIM_SEGMENTS_BY_OFFSETS == SEGMENTS_BY_OFFSETS,
               "SEGMENTS is a clprim_scan_segments");

typedef struct clprim__scan_row {
    clprim_variant_info info;
    clprim__scan_shape shape;
    const char *kernels[CLPRIM__MAX_KERNELS]; /* in the order of their first launches */
    size_t largest_group;                     /* 0: no limit */
    size_t block;                             /* elements of a block if the number is fixed; otherwise 0 */
    bool in_tiles;                            /* groups have tiles, as packets in registers */
    const clprim__source *source;
} clprim__scan_row;

/* A variant's tuning parameters on a device. */
typedef struct clprim__scan_tuning {
    size_t group_size;
    size_t items;           /* packets per work-item; 0: as many as 32 registers hold */
    size_t groups_per_unit; /* for variants in chunks: groups per compute unit */
    size_t looks;           /* for LOOK_BACK and FIXED_REDUCE_THEN_SCAN: CLPRIM_LOOK_BACK_LOOKS */
} clprim__scan_tuning;

/* Also the plan of clprim_reduce_by_key and clprim_run_length_encode. The base's state is used by FIXED_TILES and
 * ONE_LAUNCH, for clprim/device/look_back.h. */
typedef struct clprim__scan_plan {
    clprim_plan base;
    const clprim__scan_row *row;
    clprim_scan_segments segments;
    clprim_type segments_type;
    size_t element_size;
    size_t value_size;   /* of the folded values; with segments, of the pairs */
    size_t prefix_size;  /* of what tiles pass on: a value, and for float sums its error */
    size_t output_size;  /* of the type that is written */
    size_t packet_bytes; /* of the elements of a packet, see kernels/common/packet.cl */
    size_t head_size;
    size_t offset_size; /* for segments by offsets; otherwise 0 */
    bool has_marks;     /* offsets become bits before the scan; kernels with tiles find their own segments */
    clprim__scan_runs runs;
    bool has_own_keys;    /* keys are of a caller's type */
    bool has_own_equals;  /* keys are of a caller's type, or a caller's text says which are equal */
    size_t run_words;     /* of 4 bytes, in which runs are counted */
    size_t min_length;    /* for RUN_SPANS: the least number of elements of a run that is written */
    bool has_offsets;     /* for RUN_SPANS: offsets are written, too */
    cl_ulong first_index; /* for RUN_SPANS: which offsets count from */
    size_t block;         /* for variants in blocks: elements of a block */
    size_t tile;          /* for variants in tiles: elements of a tile */
    size_t max_groups;    /* for variants in chunks */
    size_t most_at_once;  /* for FIXED_TILES: tiles that one launch can scan */
    clprim__kernel kernels[CLPRIM__MAX_KERNELS];
    clprim__kernel mark;   /* if has_marks: mark_heads.cl */
    clprim_plan *in_place; /* for calls in place of LOOK_BACK: a plan that takes two passes; NULL: the plan's own
                            * kernels do */
} clprim__scan_plan;

/* Offsets per work-item of scan_mark_heads. */
enum { CLPRIM__SCAN_MARKS = 4 };

/* The type of flags or keys, or its default. */
clprim_type clprim__scan_head_type(const clprim_scan_desc *desc);

/* The functions of clprim__operation. All three operations share `clear` and `scratch`. */
clprim_status clprim__scan_make(clprim_plan *plan, const void *desc);
void clprim__scan_clear(clprim_plan *plan);
clprim_status clprim__scan_check(const clprim_plan *plan, const void *call);
size_t clprim__scan_scratch(const clprim_plan *plan, const void *call);
clprim_status clprim__scan_launch_call(clprim_plan *plan, clprim__chain *chain, const clprim__call *call);

/* Keys of a caller's type, or compared by a caller's text. If all is zero, neither. */
typedef struct clprim__scan_keys {
    const char *type_name; /* declared in the description's texts; NULL: keys are of .segments_type */
    size_t type_size;
    const char *equal; /* NULL: keys are compared by bits */
} clprim__scan_keys;

/* Like clprim__scan_make, but also for runs. Keys are of .segments_type, or as `keys` says if it is not NULL.
 * .exclusive and .initial of the description are 0. For RUN_SPANS, the plan's .min_length and .has_offsets are set. */
clprim_status clprim__scan_make_for(clprim_plan *plan, const clprim_scan_desc *desc, const clprim__scan_keys *keys,
                                    clprim__scan_runs runs);

/* The arrays of a call for runs. With RUN_LENGTHS and RUN_SPANS, there is no values_in; only RUN_SPANS may have
 * offsets_out. */
typedef struct clprim__scan_run_arrays {
    const clprim__range *keys_in, *values_in, *keys_out, *values_out, *offsets_out, *out_count;
} clprim__scan_run_arrays;

/* Enqueue a call for runs. The arrays may be empty. */
clprim_status clprim__scan_launch_runs(clprim_plan *plan, clprim__chain *chain, cl_mem scratch,
                                       const clprim__scan_run_arrays *arrays);

/* Bytes of scratch memory, or of state, for n elements. */
size_t clprim__scan_bytes(const clprim__scan_plan *self, size_t n);

/* The variants that can write runs: CPU_CHUNK, REDUCE_THEN_SCAN and LOOK_BACK. */
const clprim_variant_info *clprim__scan_run_variants(size_t *count);
CLPRIM__DECLARE_ROWS(scan)

/* The best variant for a device. is_plain: the operator is built in, and there are no segments. */
clprim_scan_variant clprim__scan_auto(const clprim_device_info *info, bool reproducible, bool is_plain,
                                      size_t max_count);

/* For clprim__tuned_for.of. */
int clprim__scan_kind_of(const clprim__scan_plan *self);

/* How clprim_run cuts scans into pieces. */
extern const struct clprim__pieces clprim__scan_pieces;
extern const struct clprim__native clprim__scan_native;

#endif
