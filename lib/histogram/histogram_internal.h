// SPDX-License-Identifier: MIT
/* histogram_internal.h: the histogram's plan, and the table of its variants. */
#ifndef CLPRIM_LIB_HISTOGRAM_INTERNAL_H
#define CLPRIM_LIB_HISTOGRAM_INTERNAL_H

#include <clprim/histogram.h>

#include "build.h"
#include "plan_internal.h"
#include "prelude.h"
#include "program.h"
#include "radix_sort_internal.h"
#include "tuning.h"
#include "variants.h"

#include "histogram/args.h"

enum { CLPRIM__HISTOGRAM_MAX_CHANNELS = 4 };

/* Flags of kernels/histogram/parts/finish.cl: add to the previous contents; write the number of elements that belong to
 * no bin. And the largest number of slots that a group of merge.cl processes side by side. */
#define CLPRIM__HISTOGRAM_SHARED(X) X(ACCUMULATE, 1u) X(HAS_OUTSIDE, 2u) X(MERGE_COLUMNS, 32)
enum { CLPRIM__HISTOGRAM_SHARED(CLPRIM__SHARED_ENUMERATOR) };

/* How a call is launched. */
typedef enum clprim__histogram_shape {
    CLPRIM__HISTOGRAM_ROWS,      /* a table for each group, then histogram_merge */
    CLPRIM__HISTOGRAM_ONE_TABLE, /* one table, which is cleared first, then histogram_merge */
    CLPRIM__HISTOGRAM_SORTED,    /* a radix sort, then histogram_edges, then histogram_merge */
    CLPRIM__HISTOGRAM_ONE_LAUNCH /* one launch, which needs the plan's state */
} clprim__histogram_shape;

typedef struct clprim__histogram_row {
    clprim_variant_info info;
    clprim__histogram_shape shape;
    const char *kernel;
    bool takes_weights;
    const clprim__source *source;
} clprim__histogram_row;

/* The parameters of a variant on a device. */
typedef struct clprim__histogram_tuning {
    size_t group_size;
    size_t items; /* packets of 16 bytes per work-item and tile */
    size_t groups_per_unit;
} clprim__histogram_tuning;

/* A description with its defaults filled in, and what follows from it. */
typedef struct clprim__histogram_setting {
    clprim_type type, weights_type, counter_type; /* weights_type DEFAULT: no weights */
    clprim_histogram_mapping mapping;
    size_t bins;
    size_t channels, active_channels;
    bool may_miss;       /* elements may belong to no bin */
    bool has_fixed_bins; /* kernels are compiled for this number of bins */
    bool is_joint;       /* several dimensions: bins are numbers of joint bins */
    bool differs;        /* each channel has its own bins */
    size_t table;        /* number of slots: one for each bin of all active channels and, if may_miss, one more per
                          * channel */
    size_t pack;         /* elements per packet: as many as fit into 16 bytes; 1 for .input */
    size_t word_size;    /* size of a slot */
} clprim__histogram_setting;

/* The kernels: COUNT; MERGE folds the tables; for SORTED, find the ends of bins; make counters cumulative. */
enum {
    CLPRIM__HISTOGRAM_COUNT,
    CLPRIM__HISTOGRAM_MERGE,
    CLPRIM__HISTOGRAM_EDGES,
    CLPRIM__HISTOGRAM_CUMULATE,
    CLPRIM__HISTOGRAM_KERNELS
};

/* The elements of all channels, in lines of .length elements with a distance of .stride elements. The last line may be
 * shorter. All members are 0 if there are no elements. */
typedef struct clprim__histogram_lines {
    size_t count, length, stride;
} clprim__histogram_lines;

/* The elements that one round of launches counts. .start is the index of its first element, which is .place elements
 * after the first element in memory. */
typedef struct clprim__histogram_part {
    clprim__histogram_lines lines;
    size_t start, place;
} clprim__histogram_part;

typedef struct clprim__histogram_plan {
    clprim_plan base; /* its state is for ONE_LAUNCH */
    const clprim__histogram_row *row;
    clprim__histogram_setting setting;
    bool accumulate;
    bool is_strided;     /* elements are in lines with gaps */
    bool cumulative;     /* each counter also includes those of all lower bins */
    bool has_input;      /* elements come from an expression, not from an array */
    bool has_output;     /* the caller's expression is applied to the counters */
    cl_mem boundaries;   /* for BOUNDARIES, otherwise NULL */
    size_t copies;       /* tables per group, for REPLICATED and CPU_CHUNK */
    size_t parts;        /* for LARGE: number of groups that read the same elements */
    size_t row_elements; /* a packet for each work-item of a group */
    size_t max_groups;
    clprim__kernel kernels[CLPRIM__HISTOGRAM_KERNELS];
    clprim_plan *sort; /* for SORTED, otherwise NULL */
} clprim__histogram_plan;

/* A description's channels, bins and counters, with defaults filled in. */
size_t clprim__histogram_channels(const clprim_histogram_desc *desc);
size_t clprim__histogram_active_channels(const clprim_histogram_desc *desc);
size_t clprim__histogram_bins(const clprim_histogram_desc *desc); /* of the channel that has the most */
size_t clprim__histogram_first_bins(const clprim_histogram_desc *desc);
size_t clprim__histogram_dimensions(const clprim_histogram_desc *desc);
size_t clprim__histogram_all_bins(const clprim_histogram_desc *desc); /* product of all dimensions */
clprim_type clprim__histogram_counter_type(const clprim_histogram_desc *desc);

/* The functions of clprim__operation. */
clprim_status clprim__histogram_make(clprim_plan *plan, const void *desc);
void clprim__histogram_clear(clprim_plan *plan);
clprim_status clprim__histogram_check(const clprim_plan *plan, const void *call);
size_t clprim__histogram_scratch(const clprim_plan *plan, const void *call);
clprim_status clprim__histogram_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *call);

/* Compile the plan's kernels. prelude: see clprim__histogram_prelude. */
clprim_status clprim__histogram_build(clprim__histogram_plan *self, const clprim__prelude *prelude);

/* Find the lines of a call; the length of their array, including gaps, or SIZE_MAX if it does not fit; and check the
 * call's lines (CLPRIM_INVALID_ARGUMENT). */
clprim__histogram_lines clprim__histogram_lines_of(const clprim_histogram_desc *desc,
                                                   const clprim_histogram_call *call);
size_t clprim__histogram_extent(const clprim__histogram_lines *lines);
clprim_status clprim__histogram_check_lines(const clprim_histogram_desc *desc, const clprim_histogram_call *call);

/* How many rounds of at most `most` elements a call takes, and the elements of the index-th round. `most` is a multiple
 * of every possible number of channels. */
size_t clprim__histogram_num_parts(const clprim__histogram_lines *lines, size_t most);
clprim__histogram_part clprim__histogram_part_of(const clprim__histogram_lines *lines, size_t most, size_t index);

/* The size of scratch memory, or of the state, for n elements, in bytes. */
size_t clprim__histogram_bytes(const clprim__histogram_plan *self, size_t n);

/* Whether the weights are floats, so that sums are rounded. */
bool clprim__histogram_has_float_weights(const clprim__histogram_setting *setting);

/* Whether a launch after all others makes the counters cumulative. */
bool clprim__histogram_cumulates_last(const clprim__histogram_plan *self);

/* The largest number of elements that one round of launches counts. */
size_t clprim__histogram_portion(const clprim__histogram_plan *self);

CLPRIM__DECLARE_ROWS(histogram)

/* Whether kernels are compiled for the number of bins, because they have arrays in local memory for the bins. */
bool clprim__histogram_has_fixed_bins(const clprim__histogram_row *row);

/* The best variant for a device. */
clprim_histogram_variant clprim__histogram_auto(const clprim_device_info *info,
                                                const clprim__histogram_setting *setting);

/* Returns CLPRIM_UNSUPPORTED, with the reason, if no group size makes the variant support this device and setting. */
clprim_status clprim__histogram_supported(const clprim__histogram_row *row, const clprim_device_info *info,
                                          const clprim__histogram_setting *setting);

/* How run divides calls into pieces. */
extern const struct clprim__pieces clprim__histogram_pieces;
extern const struct clprim__native clprim__histogram_native;

#endif
