// SPDX-License-Identifier: MIT
/* radix_sort_internal.h: the plan of the sort, and the table of its variants. */
#ifndef CLPRIM_LIB_RADIX_SORT_INTERNAL_H
#define CLPRIM_LIB_RADIX_SORT_INTERNAL_H

#include <clprim/radix_sort.h>

#include "build.h"
#include "plan_internal.h"
#include "program.h"
#include "text.h"
#include "tuning.h"
#include "variants.h"

#include "radix_sort/args.h"

/* The launches of a call. */
typedef enum clprim__radix_sort_shape {
    CLPRIM__RADIX_SORT_ONE,      /* one kernel */
    CLPRIM__RADIX_SORT_THREE,    /* in each pass: count, scan the counts, move */
    CLPRIM__RADIX_SORT_ONESWEEP, /* count the digits of all passes, then one kernel per pass; needs the plan's state */
    CLPRIM__RADIX_SORT_RANGES,   /* like THREE, but each group has a range of tiles; few counts are not scanned */
    CLPRIM__RADIX_SORT_BUCKETS   /* survey, count, plan, move to buckets; then sort each bucket independently */
} clprim__radix_sort_shape;

/* The purposes of kernels. */
enum {
    CLPRIM__RADIX_SORT_MOVE,
    CLPRIM__RADIX_SORT_COUNT,
    CLPRIM__RADIX_SORT_PLACE, /* find from counts where elements go */
    CLPRIM__RADIX_SORT_COPY,
    CLPRIM__RADIX_SORT_SURVEY, /* for BUCKETS, like the next one */
    CLPRIM__RADIX_SORT_IN_BUCKETS,
    CLPRIM__RADIX_SORT_LARGE, /* buckets for which a group has no room */
    CLPRIM__RADIX_SORT_KERNELS
};

typedef struct clprim__radix_sort_row {
    clprim_variant_info info;
    clprim__radix_sort_shape shape;
    unsigned digit_bits;                             /* 0: 8 if groups can rank so many digits, otherwise 4 */
    bool in_chunks;                                  /* one work-item per group, each with one chunk of elements;
                                                      * otherwise tiles */
    const char *kernels[CLPRIM__RADIX_SORT_KERNELS]; /* indexed by purpose; NULL: the variant does not have it */
    const clprim__source *source;
} clprim__radix_sort_row;

/* A variant's tuning parameters on a device. */
typedef struct clprim__radix_sort_tuning {
    size_t group_size;
    size_t items;           /* elements per work-item in a tile */
    size_t groups_per_unit; /* for variants in chunks or RANGES, and for the kernel that counts for ONESWEEP */
    size_t looks;           /* for ONESWEEP: CLPRIM_LOOK_BACK_LOOKS */
    size_t bucketed_from;   /* elements of a call of ONESWEEP from which on it may be sorted in buckets; 0: never */
    size_t bucket;          /* the most elements of a bucket, */
    size_t bucket_items;    /* and how many work-items that sort buckets a compute unit has registers for */
    size_t bucket_groups;   /* groups per compute unit that take buckets one after another */
    size_t halves;          /* 1: keys of 32 bits without values are sorted by 16 bits in buckets */
} clprim__radix_sort_tuning;

/* A description with its defaults filled in, and what follows from it. */
typedef struct clprim__radix_sort_setting {
    clprim_type key_type;
    size_t key_size, value_size;
    bool takes_u128; /* set before: the operation can sort such keys */
    bool indices, descending;
    clprim_nan_order nan_order;
    unsigned begin_bit, end_bit; /* within the key; both 0: no bit matters, and elements are only copied */
    unsigned rotation;           /* of images to the left, for operations built on a sort: the bits to sort are then the
                             * highest */
    size_t num_keys;             /* several keys are combined into one of key_type, which ascends and is not written */
    clprim_type first_type;      /* the type of the first of several keys */
    bool first_descends;         /* the direction of the first; its expression is .input */
    const clprim_sort_keys *then; /* the other keys; the caller owns them, and they are valid while the plan is made */
    size_t max_count;
    bool has_input;    /* the keys come from an expression, not from an array */
    bool is_counted;   /* the device knows a call's number of elements: clprim__plan's counts */
    const char *input; /* the expression and its text; the caller owns them, and they are valid while the plan is made;
                        * NULL: keys are in an array */
    const clprim_text *text;
} clprim__radix_sort_setting;

typedef struct clprim__radix_sort_plan {
    clprim_plan base;
    const clprim__radix_sort_row *row;
    clprim__radix_sort_setting setting;
    unsigned digit_bits;
    unsigned passes;
    bool writes_runs;  /* keys of one digit without values are counted and written, not moved */
    size_t tile;       /* elements of a tile; for chunks, elements that are worth another chunk */
    size_t max_groups; /* for variants in chunks or RANGES */
    size_t count_tile; /* for ONESWEEP: elements that a group counts at once, and the most groups */
    size_t count_groups;
    size_t status_size;   /* for ONESWEEP: bytes of a status word */
    size_t bucketed_from; /* as in the tuning; 0: without buckets */
    size_t bucket;
    size_t bucket_groups; /* altogether */
    unsigned bucket_bits; /* the most upper bits that tell buckets apart; 0: kernels do not know buckets */
    bool takes_halves;    /* as in the tuning */
    bool by_halves;       /* in buckets, keys agree in all but 16 bits, and have no values */
    unsigned origin_bits; /* the fewest: an element's place in its bucket takes so many bits if there are values */
    clprim__kernel kernels[CLPRIM__RADIX_SORT_KERNELS];
} clprim__radix_sort_plan;

/* The arrays of one call, with offsets in elements. Without values, their buffers are NULL. */
typedef struct clprim__radix_sort_call {
    clprim__pairs in, out;
    cl_ulong n;
    cl_uint flags; /* those of kernels/radix_sort/parts/route.cl */
} clprim__radix_sort_call;

#define CLPRIM__RADIX_SORT_FLAGS(X)           X(IN_PLACE, 1u) X(MUST_MOVE, 2u) X(HAS_BUCKETS, 4u) X(HAS_ROWS, 8u)
#define CLPRIM__RADIX_SORT_FLAG(name, number) CLPRIM__RADIX_SORT_##name = (number),
enum { CLPRIM__RADIX_SORT_FLAGS(CLPRIM__RADIX_SORT_FLAG) };

/* For cpu_buckets.cl: the bits of a bin, and the largest number of buckets. For state.cl: where the state has, in words
 * of 32 bits, the passes in which all keys have the same digit, whether local atomics return places in no order, how
 * many pairs of sampled keys share a bucket, and where the sums begin. */
#define CLPRIM__RADIX_SORT_SHARED(X)                                                                                   \
    X(WINDOW, 12) X(BUCKETS, 256u) X(SORT_SAME, 32) X(SORT_UNORDERED, 48) X(SORT_PAIRS, 49) X(SORT_SUMS, 64)
enum { CLPRIM__RADIX_SORT_SHARED(CLPRIM__SHARED_ENUMERATOR) };

/* The functions of clprim__operation. */
clprim_status clprim__radix_sort_make(clprim_plan *plan, const void *desc);
size_t clprim__radix_sort_scratch_of(const clprim_plan *plan, const void *call);
size_t clprim__radix_sort_pooled(const clprim_plan *plan, const clprim__call *call);
clprim_status clprim__radix_sort_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *call);

/* Fill in the setting from the description, with its defaults. Errors: CLPRIM_INVALID_ARGUMENT; CLPRIM_UNSUPPORTED (too
 * many bits). */
clprim_status clprim__radix_sort_check(clprim__radix_sort_setting *out, const clprim_radix_sort_desc *desc);

/* Write what kernels/radix_sort/parts/keys.cl needs, after the caller's text if there is one. The caller's expression
 * is at the end of the prelude. Errors: CLPRIM_INVALID_ARGUMENT; CLPRIM_UNSUPPORTED (double precision). */
clprim_status clprim__radix_sort_prelude(clprim__prelude *prelude, const clprim__radix_sort_setting *setting,
                                         const clprim_device_info *info);

/* Several keys, in radix_sort_keys.c: fill in their part of the setting, after everything else; check whether the
 * device supports their types; write INPUT_AT(i), the single key into which they are combined. */
clprim_status clprim__radix_sort_join_keys(clprim__radix_sort_setting *setting, const clprim_radix_sort_desc *desc);
clprim_status clprim__radix_sort_check_keys(const clprim__radix_sort_setting *setting, const clprim_device_info *info);
void clprim__radix_sort_write_keys(clprim__prelude *prelude, const clprim__radix_sort_setting *setting);

/* Whether calls may leave out the sorted keys: the keys are not in an array, and there is another output. */
static inline bool clprim__radix_sort_may_leave_out_keys(const clprim__radix_sort_setting *setting)
{
    return setting->has_input && setting->value_size > 0;
}

/* For operations built on a sort: bytes of scratch memory for n elements; and the launches, which use so much of the
 * operation's scratch memory. */
size_t clprim__radix_sort_scratch(const clprim_plan *plan, size_t n);
clprim_status clprim__radix_sort_launch_in(clprim_plan *plan, clprim__chain *chain, const clprim__radix_sort_call *call,
                                           cl_mem scratch);

static inline const clprim__radix_sort_setting *clprim__radix_sort_setting_of(const clprim_plan *plan)
{
    return &((const clprim__radix_sort_plan *)(const void *)plan)->setting;
}

/* Bytes of the state of ONESWEEP. */
size_t clprim__radix_sort_state(const clprim__radix_sort_plan *self);

/* Compile the plan's kernels. */
clprim_status clprim__radix_sort_build(clprim__radix_sort_plan *self);

CLPRIM__DECLARE_ROWS(radix_sort)

/* The best variant for a device. */
clprim_radix_sort_variant clprim__radix_sort_auto(const clprim_device_info *info,
                                                  const clprim__radix_sort_setting *setting);

extern const clprim__trial_subject clprim__radix_sort_trial;
extern const struct clprim__native clprim__radix_sort_native;

#endif
