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

/* Flags of kernels/histogram/parts/finish.cl: add to the previous content; write how many elements belong to no bin.
 * The largest number of slots that a group of merge.cl has side by side. */
#define CLPRIM__HISTOGRAM_SHARED(X) X(ACCUMULATE, 1u) X(HAS_OUTSIDE, 2u) X(MERGE_COLUMNS, 32)
enum { CLPRIM__HISTOGRAM_SHARED(CLPRIM__SHARED_ENUMERATOR) };

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
    const clprim__source *source;
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
    bool may_miss;       /* elements may belong to no bin */
    bool has_fixed_bins; /* kernels are compiled for this number of them */
    bool is_joint;       /* they are numbers of joint bins, of several dimensions */
    bool differs;        /* channels have bins of their own */
    size_t table;        /* slots: bins of all active channels, and where may_miss one more for each */
    size_t pack;         /* elements that travel together: as many as 16 bytes have; of .input one */
    size_t word_size;    /* of a slot */
} clprim__histogram_setting;

/* The kernels: count; fold the tables; for SORTED, find the ends of bins; add up the counters. */
enum {
    CLPRIM__HISTOGRAM_COUNT,
    CLPRIM__HISTOGRAM_MERGE,
    CLPRIM__HISTOGRAM_EDGES,
    CLPRIM__HISTOGRAM_CUMULATE,
    CLPRIM__HISTOGRAM_KERNELS
};

/* Elements of all channels, in lines of .length elements, .stride elements apart; the last one may be shorter. All are 0
 * where there are no elements. */
typedef struct clprim__histogram_lines {
    size_t count, length, stride;
} clprim__histogram_lines;

/* What one round of launches counts of them: .start is the index of the first element, which lies .place elements behind the
 * first of all. */
typedef struct clprim__histogram_part {
    clprim__histogram_lines lines;
    size_t start, place;
} clprim__histogram_part;

typedef struct clprim__histogram_plan {
    clprim_plan base; /* its state is of ONE_LAUNCH */
    const clprim__histogram_row *row;
    clprim__histogram_setting setting;
    bool accumulate;
    bool is_strided;     /* elements are in lines */
    bool cumulative;     /* counters are those of all bins up to theirs */
    bool has_input;      /* elements come from an expression, not from an array */
    bool has_output;     /* of the caller's, in place of counters */
    cl_mem boundaries;   /* of BOUNDARIES, else NULL */
    size_t copies;       /* tables a group has, of REPLICATED and CPU_CHUNK */
    size_t parts;        /* of LARGE: groups that look at the same elements */
    size_t row_elements; /* a packet for each work-item of a group */
    size_t max_groups;
    clprim__kernel kernels[CLPRIM__HISTOGRAM_KERNELS];
    clprim_plan *sort; /* of SORTED, else NULL */
} clprim__histogram_plan;

/* What a description says of channels, bins and counters, with its defaults. */
size_t clprim__histogram_channels(const clprim_histogram_desc *desc);
size_t clprim__histogram_active_channels(const clprim_histogram_desc *desc);
size_t clprim__histogram_bins(const clprim_histogram_desc *desc); /* of the channel that has the most */
size_t clprim__histogram_first_bins(const clprim_histogram_desc *desc);
size_t clprim__histogram_dimensions(const clprim_histogram_desc *desc);
size_t clprim__histogram_all_bins(const clprim_histogram_desc *desc); /* of all dimensions */
clprim_type clprim__histogram_counter_type(const clprim_histogram_desc *desc);

/* As clprim__operation says. */
clprim_status clprim__histogram_make(clprim_plan *plan, const void *desc);
void clprim__histogram_clear(clprim_plan *plan);
clprim_status clprim__histogram_check(const clprim_plan *plan, const void *call);
size_t clprim__histogram_scratch(const clprim_plan *plan, const void *call);
clprim_status clprim__histogram_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *call);

/* Compile the plan's kernels. prelude: see clprim__histogram_prelude. */
clprim_status clprim__histogram_build(clprim__histogram_plan *self, const clprim__prelude *prelude);

/* The lines of a call; how many elements their array has, gaps included, SIZE_MAX if that does not fit; and
 * CLPRIM_INVALID_ARGUMENT if the call's lines make no sense. */
clprim__histogram_lines clprim__histogram_lines_of(const clprim_histogram_desc *desc,
                                                   const clprim_histogram_call *call);
size_t clprim__histogram_extent(const clprim__histogram_lines *lines);
clprim_status clprim__histogram_check_lines(const clprim_histogram_desc *desc, const clprim_histogram_call *call);

/* How many rounds of at most `most` elements a call takes, and what the index-th counts. `most` is a multiple of all numbers
 * of channels. */
size_t clprim__histogram_num_parts(const clprim__histogram_lines *lines, size_t most);
clprim__histogram_part clprim__histogram_part_of(const clprim__histogram_lines *lines, size_t most, size_t index);

/* Bytes of scratch memory, or of state, for n elements. */
size_t clprim__histogram_bytes(const clprim__histogram_plan *self, size_t n);

/* Whether sums round. */
bool clprim__histogram_has_float_weights(const clprim__histogram_setting *setting);

/* Whether a launch behind all others makes counters cumulative. */
bool clprim__histogram_cumulates_last(const clprim__histogram_plan *self);

/* The largest number of elements that one round of launches counts. */
size_t clprim__histogram_portion(const clprim__histogram_plan *self);

CLPRIM__DECLARE_ROWS(histogram)

/* Whether kernels are compiled for the number of bins: there are arrays in local memory for them. */
bool clprim__histogram_has_fixed_bins(const clprim__histogram_row *row);

/* The best variant for a device. */
clprim_histogram_variant clprim__histogram_auto(const clprim_device_info *info,
                                                const clprim__histogram_setting *setting);

/* CLPRIM_UNSUPPORTED, with the reason, if the variant does not support the device or the setting with any
 * group size. */
clprim_status clprim__histogram_supported(const clprim__histogram_row *row, const clprim_device_info *info,
                                          const clprim__histogram_setting *setting);

/* How run cuts calls into parts. */
extern const struct clprim__parts clprim__histogram_parts;

#endif
