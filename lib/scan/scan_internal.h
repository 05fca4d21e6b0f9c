/* scan_internal.h: the scan's plan, and the table of its variants. */
#ifndef CLPRIM_LIB_SCAN_INTERNAL_H
#define CLPRIM_LIB_SCAN_INTERNAL_H

#include <clprim/scan.h>

#include "check.h"
#include "launch.h"
#include "program.h"
#include "state.h"
#include "workspace.h"

/* How the launches of a variant follow one another. */
typedef enum clprim__scan_shape {
    CLPRIM__SCAN_STEPS,     /* load, a step for each bit of n, store */
    CLPRIM__SCAN_TREE,      /* load, up-sweeps, down-sweeps, store */
    CLPRIM__SCAN_BLOCKS,    /* blocks of local memory, level by level; then prefixes are distributed */
    CLPRIM__SCAN_CHUNKS,    /* sums of chunks, then chunks */
    CLPRIM__SCAN_ONE_LAUNCH /* needs the plan's state */
} clprim__scan_shape;

typedef struct clprim__scan_row {
    clprim_variant_info info;
    clprim__scan_shape shape;
    const char *kernels[CLPRIM__MAX_KERNELS]; /* in the order in which they are launched first */
    size_t largest_group;                     /* 0: any */
    size_t block;                             /* of BLOCKS, where it is fixed */
    bool in_tiles;                            /* groups have tiles of packets in registers */
    const clprim__source *sources[CLPRIM__MAX_SOURCES];
} clprim__scan_row;

/* The parameters with which a variant runs on a device. */
typedef struct clprim__scan_tuning {
    size_t group_size;
    size_t items;           /* packets a work-item has of a tile; 0: as many as 32 registers hold */
    size_t groups_per_unit; /* of CHUNKS: groups a compute unit */
} clprim__scan_tuning;

struct clprim_scan {
    clprim_runtime *runtime;
    const clprim__scan_row *row;
    clprim_scan_segments segments;
    size_t element_size;
    size_t value_size; /* of what is folded: with segments of the pair */
    size_t result_size;
    size_t packet_bytes; /* of elements, see kernels/common/packet.cl */
    size_t head_size;
    bool takes_initial; /* not ARGMIN and ARGMAX */
    bool exclusive;
    void *initial; /* result_size bytes; zeros where there is none */
    cl_uint has_initial;
    size_t block;      /* of BLOCKS: elements of a block */
    size_t tile;       /* of variants in tiles: elements of a tile */
    size_t max_groups; /* of CHUNKS */
    clprim__kernel kernels[CLPRIM__MAX_KERNELS];
    clprim__queue queue;
    clprim__state state; /* of ONE_LAUNCH: what kernels/common/look_back.cl needs */
    clprim__workspace workspace;
};

/* What one call works on; counts and offsets in elements. */
typedef struct clprim__scan_call {
    cl_mem in, heads, out;
    cl_ulong in_offset, heads_offset, out_offset;
    cl_ulong n;
} clprim__scan_call;

/* Bytes of scratch memory, or of state, for n elements. */
size_t clprim__scan_scratch(const clprim_scan *self, size_t n);

/* Enqueue all launches of a call; n > 0. */
clprim_status clprim__scan_launch(clprim_scan *self, clprim__chain *chain, const clprim__scan_call *call);

/* NULL for AUTO and unknown variants. */
const clprim__scan_row *clprim__scan_row_of(clprim_scan_variant variant);

clprim__scan_tuning clprim__scan_tuning_of(clprim_scan_variant variant, const clprim_device_info *info);

/* The best variant for a device. */
clprim_scan_variant clprim__scan_auto(const clprim_device_info *info, bool reproducible);

/* CLPRIM_UNSUPPORTED, with the reason, where the device lacks what the variant needs. */
clprim_status clprim__scan_supported(const clprim__scan_row *row, const clprim_device_info *info);

#endif
