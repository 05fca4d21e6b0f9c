/* radix_sort_internal.h: the sort's plan, and the table of its variants. */
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

/* What a call launches. */
typedef enum clprim__radix_sort_shape {
    CLPRIM__RADIX_SORT_ONE,      /* one kernel */
    CLPRIM__RADIX_SORT_THREE,    /* in each pass: count, scan the counts, move */
    CLPRIM__RADIX_SORT_ONESWEEP, /* count the digits of all passes; then one kernel a pass. Needs the plan's state */
    CLPRIM__RADIX_SORT_RANGES,   /* as THREE, by groups that have a range of tiles each; few counts are not scanned */
    CLPRIM__RADIX_SORT_BUCKETS   /* survey, count, plan, move to buckets; then each bucket for itself */
} clprim__radix_sort_shape;

/* What a kernel is for. */
enum {
    CLPRIM__RADIX_SORT_MOVE,
    CLPRIM__RADIX_SORT_COUNT,
    CLPRIM__RADIX_SORT_PLACE, /* from counts to where elements go */
    CLPRIM__RADIX_SORT_COPY,
    CLPRIM__RADIX_SORT_SURVEY, /* of BUCKETS, as the next */
    CLPRIM__RADIX_SORT_IN_BUCKETS,
    CLPRIM__RADIX_SORT_KERNELS
};

typedef struct clprim__radix_sort_row {
    clprim_variant_info info;
    clprim__radix_sort_shape shape;
    unsigned digit_bits;                             /* 0: 8 in groups that can rank them, else 4 */
    bool in_chunks;                                  /* one work-item a group, one chunk of elements each; else tiles */
    const char *kernels[CLPRIM__RADIX_SORT_KERNELS]; /* by what they are for; NULL where there is none */
    const clprim__source *source;
} clprim__radix_sort_row;

/* The parameters with which a variant runs on a device. */
typedef struct clprim__radix_sort_tuning {
    size_t group_size;
    size_t items;           /* elements a work-item has of a tile */
    size_t groups_per_unit; /* of what runs in chunks or RANGES, and of the kernel that counts for ONESWEEP */
    size_t looks;           /* of ONESWEEP: CLPRIM_LOOK_BACK_LOOKS */
    size_t steps;           /* of ONESWEEP without sub-groups: 1: keys without values by RANK_BY_STEPS; 0: by masks */
} clprim__radix_sort_tuning;

/* A description with its defaults filled in, and what follows from it. */
typedef struct clprim__radix_sort_setting {
    clprim_type key_type;
    size_t key_size, value_size;
    bool takes_u128; /* set before: the operation sorts such keys */
    bool indices, descending;
    clprim_nan_order nan_order;
    unsigned begin_bit, end_bit; /* within the key; both 0: no bit decides, and what is sorted is copied */
    unsigned rotation;      /* of images to the left, in what is built on a sort: these bits are then the highest */
    size_t num_keys;        /* several make one of key_type, which ascends and is nowhere written */
    clprim_type first_type; /* of the first of them, */
    bool first_descends;    /* whose expression is .input; */
    const clprim_sort_keys *then; /* the others are the caller's, while the plan is made */
    size_t max_count;
    bool has_input;    /* of the keys, which are in no array */
    bool is_counted;   /* the device knows how many elements of a call there are: clprim__plan's counts */
    const char *input; /* of the keys, and its text: the caller's, while the plan is made; NULL: they are in an array */
    const clprim_text *text;
} clprim__radix_sort_setting;

typedef struct clprim__radix_sort_plan {
    clprim_plan base;
    const clprim__radix_sort_row *row;
    clprim__radix_sort_setting setting;
    unsigned digit_bits;
    unsigned passes;
    bool writes_runs;  /* keys alone of one digit: counted and written, not moved */
    size_t tile;       /* elements of a tile; of what runs in chunks those that are worth another chunk */
    size_t max_groups; /* of what runs in chunks or RANGES */
    size_t count_tile; /* of ONESWEEP: elements that a group counts at once, and its groups at most */
    size_t count_groups;
    size_t status_size; /* of ONESWEEP: bytes of a word that is looked back over */
    clprim__kernel kernels[CLPRIM__RADIX_SORT_KERNELS];
} clprim__radix_sort_plan;

/* What one call works on; offsets in elements. Without values their buffers are NULL. */
typedef struct clprim__radix_sort_call {
    clprim__pairs in, out;
    cl_ulong n;
    cl_uint flags; /* as in kernels/radix_sort/parts/route.cl */
} clprim__radix_sort_call;

#define CLPRIM__RADIX_SORT_FLAGS(X)           X(IN_PLACE, 1u) X(MUST_MOVE, 2u) X(HAS_BUCKETS, 4u) X(HAS_ROWS, 8u)
#define CLPRIM__RADIX_SORT_FLAG(name, number) CLPRIM__RADIX_SORT_##name = (number),
enum { CLPRIM__RADIX_SORT_FLAGS(CLPRIM__RADIX_SORT_FLAG) };

/* cpu_buckets.cl: the bits of a bin, and the largest number of buckets. count.cl: where in the state,
 * in words of 32 bits, are the passes in which all keys have the same digit, and where the sums begin. */
#define CLPRIM__RADIX_SORT_SHARED(X) X(WINDOW, 12) X(BUCKETS, 256u) X(SORT_SAME, 32) X(SORT_SUMS, 64)
enum { CLPRIM__RADIX_SORT_SHARED(CLPRIM__SHARED_ENUMERATOR) };

/* As clprim__operation says. */
clprim_status clprim__radix_sort_make(clprim_plan *plan, const void *desc);
size_t clprim__radix_sort_scratch_of(const clprim_plan *plan, const void *call);
size_t clprim__radix_sort_pooled(const clprim_plan *plan, const clprim__call *call);
clprim_status clprim__radix_sort_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *call);

/* Fill in the setting from the description, with its defaults. Errors: CLPRIM_INVALID_ARGUMENT; CLPRIM_UNSUPPORTED (too
 * many bits). */
clprim_status clprim__radix_sort_check(clprim__radix_sort_setting *out, const clprim_radix_sort_desc *desc);

/* Write what kernels/radix_sort/parts/keys.cl must know, after the caller's text if there is one. The caller's
 * expression is at the end of the prelude. Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_UNSUPPORTED (double precision). */
clprim_status clprim__radix_sort_prelude(clprim__prelude *prelude, const clprim__radix_sort_setting *setting,
                                         const clprim_device_info *info);

/* Several keys, in radix_sort_keys.c: fill in their part of the setting, after all else; check their types for the
 * device; write INPUT_AT(i), the one key that they make. */
clprim_status clprim__radix_sort_join_keys(clprim__radix_sort_setting *setting, const clprim_radix_sort_desc *desc);
clprim_status clprim__radix_sort_check_keys(const clprim__radix_sort_setting *setting, const clprim_device_info *info);
void clprim__radix_sort_write_keys(clprim__prelude *prelude, const clprim__radix_sort_setting *setting);

/* Whether calls may leave out the sorted keys: the keys come from no array, and there is something else to write. */
static inline bool clprim__radix_sort_may_leave_out_keys(const clprim__radix_sort_setting *setting)
{
    return setting->has_input && setting->value_size > 0;
}

/* For an operation that is built on a sort: bytes of scratch memory for n elements; and the launches, on that much of
 * the operation's scratch memory. */
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

#endif
