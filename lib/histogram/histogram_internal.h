/* histogram_internal.h: the histogram's plan, and the table of its variants. */
#ifndef CLPRIM_LIB_HISTOGRAM_INTERNAL_H
#define CLPRIM_LIB_HISTOGRAM_INTERNAL_H

#include <clprim/histogram.h>

#include "check.h"
#include "launch.h"
#include "prelude.h"
#include "program.h"
#include "radix_sort_internal.h"
#include "state.h"
#include "trial.h"
#include "tuning.h"
#include "workspace.h"

/* What a call launches. */
typedef enum clprim__histogram_shape {
    CLPRIM__HISTOGRAM_ROWS,      /* a table for each group, then histogram_merge */
    CLPRIM__HISTOGRAM_ONE_TABLE, /* one table, cleared before, then histogram_merge */
    CLPRIM__HISTOGRAM_SORTED,    /* what the radix sort puts in order; histogram_edges; then histogram_merge */
    CLPRIM__HISTOGRAM_ONE_LAUNCH /* needs the plan's state */
} clprim__histogram_shape;

typedef struct clprim__histogram_row {
    clprim_variant_info info;
    clprim__histogram_shape shape;
    const char *kernel;
    bool takes_weights;
    const clprim__source *source; /* the variant's own */
    const clprim__source *sources[CLPRIM__MAX_SOURCES];
} clprim__histogram_row;

/* The parameters with which a variant runs on a device. */
typedef struct clprim__histogram_tuning {
    size_t group_size;
    size_t items; /* packets of 16 bytes a work-item has of a tile */
    size_t groups_per_unit;
} clprim__histogram_tuning;

/* A description with its defaults filled in, and what follows from it. */
typedef struct clprim__histogram_setting {
    clprim_type type, weights_type, counter_type; /* weights_type DEFAULT: none */
    clprim_histogram_mapping mapping;
    size_t bins;
    size_t channels, active_channels;
    bool may_miss;    /* elements may belong to no bin */
    size_t table;     /* slots: bins of all active channels, and where may_miss one more for each */
    size_t word_size; /* of a slot */
} clprim__histogram_setting;

struct clprim_histogram {
    clprim_runtime *runtime;
    const clprim__histogram_row *row;
    clprim__histogram_setting setting;
    size_t max_count;
    bool accumulate;
    cl_mem boundaries;   /* of BOUNDARIES, else NULL */
    size_t copies;       /* tables a group has, of REPLICATED and CPU_CHUNK */
    size_t parts;        /* of LARGE: groups that look at the same elements */
    size_t row_elements; /* a packet for each work-item of a group */
    size_t max_groups;
    clprim__kernel count;
    clprim__kernel merge;
    clprim__kernel edges;    /* of SORTED */
    clprim_radix_sort *sort; /* of SORTED, else NULL */
    clprim__queue queue;
    clprim__state state; /* of ONE_LAUNCH */
    clprim__workspace workspace;
};

/* What one call works on; offsets in elements, n in elements of all channels. */
typedef struct clprim__histogram_call {
    cl_mem in, weights, out, outside; /* outside NULL: nobody wants to know */
    cl_ulong in_offset, weights_offset, out_offset, outside_offset;
    cl_ulong n;
} clprim__histogram_call;

/* Compile the plan's kernels. prelude: see clprim__histogram_prelude. */
clprim_status clprim__histogram_build(clprim_histogram *self, const clprim__prelude *prelude, size_t work_group_size);

/* Bytes of scratch memory, or of state, for n elements. */
size_t clprim__histogram_scratch(const clprim_histogram *self, size_t n);

/* Elements that are counted by one round of launches, at most. */
size_t clprim__histogram_portion(const clprim_histogram *self);

/* Enqueue all launches of a call. */
clprim_status clprim__histogram_launch(clprim_histogram *self, clprim__chain *chain,
                                       const clprim__histogram_call *call);

/* NULL for AUTO and unknown variants. */
const clprim__histogram_row *clprim__histogram_row_of(clprim_histogram_variant variant);

clprim__histogram_tuning clprim__histogram_tuning_of(clprim_histogram_variant variant,
                                                     const clprim__histogram_setting *setting,
                                                     const clprim_runtime *runtime);
extern const clprim__tunables clprim__histogram_tunables;

/* The best variant for a device. */
clprim_histogram_variant clprim__histogram_auto(const clprim_device_info *info,
                                                const clprim__histogram_setting *setting);

/* CLPRIM_UNSUPPORTED, with the reason, where device or setting are not for this variant, whatever the group's size. */
clprim_status clprim__histogram_supported(const clprim__histogram_row *row, const clprim_device_info *info,
                                          const clprim__histogram_setting *setting);

/* Local memory that a plan may use: not all there is, some drivers need of it themselves. */
size_t clprim__histogram_local(const clprim_device_info *info);

/* How plans are made, and tried. */
CLPRIM__DECLARE_TRIAL(histogram)

#endif
