// SPDX-License-Identifier: MIT
/* plan_internal.h: what the plans of all operations share: creation, checks, enqueue, run, scratch memory and
 * destruction. A clprim__operation describes an operation. The operation's own code checks descriptions, compiles
 * kernels and launches them. */
#ifndef CLPRIM_LIB_PLAN_INTERNAL_H
#define CLPRIM_LIB_PLAN_INTERNAL_H

#include <clprim/plan.h>
#include <string.h>

#include "check.h"
#include "launch.h"
#include "parameters.h"
#include "recording.h"
#include "state.h"
#include "trial.h"
#include "workspace.h"

enum { CLPRIM__MAX_ARRAYS = 52, CLPRIM__MAX_CALL = CLPRIM__MAX_ARRAYS * sizeof(clprim_array) /* bytes */ };

/* A call that is being enqueued, after its checks. Arrays are in the order of the operation's call_members; each array
 * of a repeated member has its own entry. If the call does not have an array, its memory is NULL. */
typedef struct clprim__call {
    const void *given; /* the caller's struct */
    clprim__range arrays[CLPRIM__MAX_ARRAYS];
    bool is_in_place[CLPRIM__MAX_ARRAYS]; /* whether the output overwrites its input in place */
    cl_mem scratch; /* as large as the operation's scratch() says; NULL for 0 bytes, and if scratch_is_state */
} clprim__call;

typedef struct clprim__operation {
    const clprim_operation *face;
    size_t plan_size;                        /* size of the operation's plan struct, which begins with a clprim_plan */
    const struct clprim__tunables *tunables; /* the parameters that a tuning file may set (tuning.h); NULL: none */

    /* Create a plan: check the description, choose a variant (CLPRIM__CHOOSE), compile. The plan is zeroed, except for
     * the members that clprim_plan lists as set before. After a failure, clear is called. */
    clprim_status (*make)(clprim_plan *plan, const void *desc);
    /* Release what the operation's plan has besides the clprim_plan; NULL: nothing. */
    void (*clear)(clprim_plan *plan);
    /* The total number of elements of a call; SIZE_MAX if it does not fit size_t. It must not exceed the plan's
     * max_count. */
    size_t (*count)(const void *call);
    /* Launch kernels even for a call without elements. */
    bool launches_for_none;
    /* Kernels read back what they wrote to an output, so no output may be write-only. */
    bool reads_outputs;
    /* If outputs may overwrite an argument exactly in place: the names of the description's expressions whose `i` is an
     * element's index, ended by NULL. The argument must be read only as name[i] by all expressions, and kernels must
     * not write an element before all reads of it. NULL: outputs must not overlap any argument. */
    const char *const *replaces_arguments;
    /* Check what the common code cannot check, for a call whose arrays and count are valid. For run, it is called
     * before all arrays are checked: arrays on the host have a .host, and inputs on the host are long enough. NULL:
     * nothing more to check. */
    clprim_status (*check)(const clprim_plan *plan, const void *call);
    /* The size of scratch memory in bytes; SIZE_MAX if it does not fit size_t. NULL: no scratch memory is needed. */
    size_t (*scratch)(const clprim_plan *plan, const void *call);
    /* How much of it a call needs if the memory comes from the pool; NULL: all of it. */
    size_t (*pooled)(const clprim_plan *plan, const clprim__call *call);
    /* Enqueue the call's kernels. */
    clprim_status (*launch)(clprim_plan *plan, clprim__chain *chain, const clprim__call *call);
    /* Code of the host that may take the place of kernels (native.h); NULL: there is none. */
    const struct clprim__native *native;
    /* How run divides a call that does not fit the device (plan_pieces.h); NULL: it cannot. */
    const struct clprim__pieces *pieces;

    /* For trials and tests. */
    /* Make a call on the host with about `count` elements, and data that depend on the trial's pattern. Inputs are in
     * the trial's memory; outputs are left out. */
    void (*sample)(clprim__trial *trial, const void *desc, void *call, size_t count);
    /* Whether the reference can compute the expected results for a description without text from the caller; NULL:
     * always. */
    bool (*has_reference)(const void *desc);
    /* Run the call by the serial reference. All of its arrays are on the host, and the description has no text
     * from the caller. */
    clprim_status (*reference)(const void *desc, const void *call);
} clprim__operation;

/* One array of a plan's calls. */
typedef struct clprim__slot {
    const clprim_member *member;
    size_t index;        /* index within a repeated member */
    size_t element_size; /* 0: the plan's calls do not have this array */
    bool is_read, is_written;
    bool is_value;       /* a single value on the host, not an array on the device */
    bool is_always_read; /* for an argument: expressions read it at the index of every element */
    bool is_optional;
    int in_place_of; /* the slot of the input that it may overwrite; -1: none */
    int counted_by;  /* the slot of the output that counts its elements; -1: none, all of it is written */
} clprim__slot;

/* How many arrays of a repeated member the plan's calls have. Slots exist only for these. */
typedef struct clprim__rest {
    const clprim_member *member;
    size_t used;
} clprim__rest;

enum { CLPRIM__MAX_REPEATED = 3 };

/* The plan of every operation begins with this struct. */
struct clprim_plan {
    /* Set before make is called. The description's counts and group size have been checked. */
    const clprim__operation *operation;
    const clprim__trial_subject *subject;
    clprim_runtime *runtime;
    size_t max_count;
    size_t work_group_size; /* 0: chosen by the tuner */
    size_t local_room;      /* local memory for a group in bytes: so much that two groups fit, or else all there is */
    clprim__counts counts;  /* the counts that are on the device */
    /* make fills in the rest. */
    clprim__initial initial; /* the initial value among its kernels' PARAMETERS */
    void *initial_value;     /* a copy, which destroy frees; NULL if the value is at a call's .initial_at */
    size_t initial_size;     /* in bytes */
    const clprim_variant_info *variant;
    size_t index_size;       /* size of an index of type .index_type: see clprim__plan_indices */
    clprim__kernel *kernels; /* the plan's own kernels, which destroy clears; NULL: none */
    size_t num_kernels;
    bool keeps_arguments; /* outputs must not overlap any argument, despite the operation's .replaces_arguments */
    unsigned replaced;    /* bit k: outputs may overwrite argument k in place. Not set by make */
    clprim__queue queue;
    clprim__state state;
    bool scratch_is_state; /* the state is the calls' scratch memory; launch begins and ends its use */
    clprim__workspace workspace;
    clprim__recording recording;
    bool is_recorded;                    /* it belongs to a command buffer, and accepts no more calls */
    struct clprim__native_block *native; /* what the host's code needs; NULL: kernels do it */
    clprim_plan *in_kernels;             /* of a native plan that was recorded: the same as kernels; NULL: none */
    clprim__slot slots[CLPRIM__MAX_ARRAYS];
    size_t num_slots;
    clprim__rest rests[CLPRIM__MAX_REPEATED];
    size_t num_rests;
    clprim__any_desc desc; /* a copy without pointers, for the functions of the table */
};

/* The row of the wanted variant; if `wanted` is AUTO, the row of `best`. The plan must have members `base` and `row`.
 * Errors: CLPRIM_INVALID_ARGUMENT. */
#define CLPRIM__CHOOSE(self, stem, wanted, best)                                                                       \
    ((self)->row = clprim__##stem##_row_of((int)(wanted) != 0 ? (wanted) : (best)),                                    \
     clprim__plan_chose(&(self)->base, (const void *)(self)->row, (int)(wanted)))

/* make calls this as soon as it knows the plan's variant. NULL: no variant has the number `wanted`.
 * Errors: CLPRIM_INVALID_ARGUMENT. */
clprim_status clprim__plan_chose(clprim_plan *plan, const clprim_variant_info *variant, int wanted);

/* Returns CLPRIM_UNSUPPORTED, with the reason, if the device lacks what the variant needs. */
clprim_status clprim__variant_check(const clprim_variant_info *variant, bool has_it, const clprim_device_info *info);

/* Fill in plan->index_size. Errors: CLPRIM_INVALID_ARGUMENT, also if max_count does not fit the type. */
clprim_status clprim__plan_indices(clprim_plan *plan, clprim_type index_type);

/* Keep the value with which the plan's folds begin: a copy of `value`, or the value at the calls' .initial_at. If there
 * is neither, folds have no initial value. `type` is the name of its type RESULT that is valid before the prelude.
 * Errors: CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__plan_keep_initial(clprim_plan *plan, const char *type, size_t size, const void *value,
                                        bool is_at);

/* A description's max_count, with its default: 2^32 - 1. */
static inline size_t clprim__max_count_or(size_t max_count)
{
    return max_count != 0 ? max_count : UINT32_MAX;
}

/* The work-group size: the one in the description, or else the tuned one, limited to the device's maximum. A tuned size
 * of 1 is kept: it is for CPUs. */
size_t clprim__group_size(const clprim_plan *plan, size_t tuned);

/* The common implementation of all operations' public functions. */
clprim_status clprim__plan_create(clprim_plan **out, clprim_runtime *runtime, const clprim__trial_subject *subject,
                                  const void *desc);
/* The same for one call of run. For few elements on the host, AUTO may take the host's code (native.h), unless the caller
 * limits the device's memory. */
clprim_status clprim__plan_create_for_run(clprim_plan **out, clprim_runtime *runtime,
                                          const clprim__trial_subject *subject, const void *desc, const void *call);
clprim_status clprim__plan_enqueue(clprim_plan *plan, const clprim__operation *operation, cl_command_queue queue,
                                   const void *call, cl_uint num_waits, const cl_event *waits, cl_event *done);
clprim_status clprim__plan_run(clprim_runtime *runtime, const clprim__trial_subject *subject, const void *desc,
                               const void *call);

/* Run a call of a plan that there is already, as a whole: arrays are on the host, on the device, or both, as for run. */
clprim_status clprim__plan_run_whole(clprim_plan *plan, const void *call);

/* Check a call of the plan's operation, and fill in *out except for its scratch memory. */
clprim_status clprim__plan_check_call(clprim__call *out, const clprim_plan *plan, const void *call);
/* For a call whose arrays are known, find out which outputs are in place.
 * Errors: CLPRIM_INVALID_OVERLAP if an output overlaps an array that it must not overlap. */
clprim_status clprim__plan_check_outputs(clprim__call *c, const clprim_plan *plan);
/* Enqueue or record the commands of a call that was checked. */
clprim_status clprim__plan_launch(clprim_plan *plan, clprim__chain *chain, clprim__call *c);
/* Returns CLPRIM_INVALID_ARGUMENT if the plan was recorded. */
clprim_status clprim__plan_check_free(const clprim_plan *plan);

/* Whether the call does anything on the device. */
static inline bool clprim__plan_launches(const clprim__operation *operation, const void *call)
{
    return operation->launches_for_none || operation->count(call) > 0;
}

/* The size of a call's scratch memory in bytes, wherever it comes from; SIZE_MAX if it does not fit size_t. */
size_t clprim__plan_scratch(const clprim_plan *plan, const void *call);

/* Make a plan of kernels, by AUTO, from the description of a native plan. Errors: as create. */
clprim_status clprim__plan_make_kernels(clprim_plan **out, const clprim_plan *native);

/* Check that repeated members have no more arrays than the description says. */
clprim_status clprim__plan_check_rests(const clprim_plan *plan, const void *call);
/* Check all arrays of a call of run for overlaps as enqueue does, before any of them is copied or written: run may read
 * inputs after some of the outputs were written. */
clprim_status clprim__plan_check_places(const clprim_plan *plan, const void *call);

/* Check a call of run, before its arrays are checked. */
clprim_status clprim__plan_check_given(const clprim_plan *plan, const void *call);

/* The slot of array `name`; for a repeated member, of the index-th array. -1 if the plan's calls have no such array, or
 * if name is NULL. */
int clprim__slot_named(const clprim_plan *plan, const char *name, size_t index);

/* The call's array for this slot. */
static inline clprim_array *clprim__array_of(void *call, const clprim__slot *slot)
{
    return (clprim_array *)(void *)((char *)call + slot->member->place) + slot->index;
}

static inline const clprim_array *clprim__array_in(const void *call, const clprim__slot *slot)
{
    return (const clprim_array *)(const void *)((const char *)call + slot->member->place) + slot->index;
}

/* The range of array `member` in a call of operation `op`; its memory is NULL if the call does not have the array. */
#define CLPRIM__RANGE(plan, c, op, member) clprim__range_at(plan, c, offsetof(clprim_##op##_call, member))
static inline const clprim__range *clprim__range_at(const clprim_plan *plan, const clprim__call *c, size_t place)
{
    size_t i = 0;
    while (plan->slots[i].member->place != place || plan->slots[i].index != 0)
        i++;
    return &c->arrays[i];
}

/* Whether the output `member` overwrites its input in place. */
#define CLPRIM__IS_IN_PLACE(plan, c, op, member) ((c)->is_in_place[CLPRIM__RANGE(plan, c, op, member) - (c)->arrays])

/* Whether an output overwrites one of the call's arguments exactly in place, so that kernels may read the argument
 * while they write it. */
static inline bool clprim__is_argument(const clprim_plan *plan, const clprim__call *c, const clprim__range *output)
{
    for (size_t i = 0; i < plan->num_slots && output->parent != NULL; i++)
        if (plan->slots[i].member->is_value != NULL && c->arrays[i].parent != NULL &&
            clprim__is_same_range(&c->arrays[i], output))
            return true;
    return false;
}

/* Whether the array may be shorter than the number of elements that the call writes. */
static inline bool clprim__may_be_short(const clprim__slot *slot)
{
    return slot->member->may_be_short && slot->counted_by >= 0;
}

/* The number of elements of the array. */
static inline size_t clprim__length_of(const clprim__slot *slot, const void *desc, const void *call)
{
    const clprim_array *array = clprim__array_in(call, slot);
    if (slot->is_value)
        return 1;
    if (slot->member->is_value != NULL && array->length != 0)
        return array->length;
    const size_t length = slot->member->length(desc, call);
    return clprim__may_be_short(slot) && array->length != 0 && array->length < length ? array->length : length;
}

/* Returns CLPRIM_INVALID_RANGE if the array has a .length that is less than the call needs. */
clprim_status clprim__check_length(const clprim_plan *plan, const void *call, const clprim__slot *slot);

/* Two arrays of a call as the pairs that kernels take. */
static inline clprim__pairs clprim__pairs_of(const clprim_array *keys, const clprim_array *values)
{
    return (clprim__pairs){keys->buffer, values->buffer, keys->offset, values->offset};
}

/* Tables that several operations' members use. */
extern const clprim_enumerator clprim__nan_orders[], clprim__operators[];

/* Whether the member is a call's count that is on the device. */
static inline bool clprim__is_count_at(const clprim_member *member)
{
    static const char end[] = "count_at";
    const size_t size = strlen(member->name);
    return size >= sizeof end - 1 && strcmp(member->name + size - (sizeof end - 1), end) == 0;
}

/* A call on the host, with room for any operation's call struct. */
typedef union clprim__given {
    max_align_t alignment;
    char bytes[CLPRIM__MAX_CALL];
} clprim__given;

/* Trials for operations that have a table. */
clprim_status clprim__plan_trial_make(void **out, clprim_runtime *runtime, const clprim__trial_subject *subject,
                                      const void *desc);
void clprim__plan_trial_destroy(void *plan);
void clprim__plan_trial_run(clprim__trial *trial, void *plan, const void *desc, size_t count);
/* The time of a call in seconds, with `wanted` random elements, or the plan's maximum if that is less; *count receives
 * the number. It is measured by the host's clock: the best of three runs, each of as many calls as take 20 ms. 0 if it
 * failed; trial->status then says why. */
double clprim__plan_trial_time(size_t *count, clprim__trial *trial, clprim_plan *plan, const void *desc, size_t wanted);
bool clprim__plan_trial_has_reference(const clprim__trial_subject *subject, const void *desc);
const char *clprim__plan_trial_give(void *desc, const clprim__trial_subject *subject);

/* Define the public functions and the table of an operation. They use static objects of the same file: desc_members,
 * call_members, `operation` with everything except the table, and the order and samples of its trials. The remaining
 * arguments are the samples' names. */
#define CLPRIM__DEFINE_OPERATION(op, text, variants_function, ...)                                                     \
    extern const clprim__trial_subject clprim__##op##_trial;                                                           \
    _Static_assert(sizeof(clprim_##op##_desc) <= CLPRIM__MAX_DESC, "plans have no room for the description");          \
    _Static_assert(sizeof(clprim_##op##_call) <= CLPRIM__MAX_CALL, "run has no room for the call");                    \
    _Static_assert(sizeof(clprim_##op##_call) / sizeof(clprim_array) <= CLPRIM__MAX_ARRAYS,                            \
                   "calls have no room for the arrays");                                                               \
    static clprim_status create_untyped(clprim_plan **out, clprim_runtime *runtime, const void *desc)                  \
    {                                                                                                                  \
        return clprim__plan_create(out, runtime, &clprim__##op##_trial, desc);                                         \
    }                                                                                                                  \
    static clprim_status enqueue_untyped(clprim_plan *plan, cl_command_queue queue, const void *call,                  \
                                         cl_uint num_waits, const cl_event *waits, cl_event *done)                     \
    {                                                                                                                  \
        return clprim__plan_enqueue(plan, &operation, queue, call, num_waits, waits, done);                            \
    }                                                                                                                  \
    static clprim_status run_untyped(clprim_runtime *runtime, const void *desc, const void *call)                      \
    {                                                                                                                  \
        return clprim__plan_run(runtime, &clprim__##op##_trial, desc, call);                                           \
    }                                                                                                                  \
    clprim_status clprim_##op##_create(clprim_plan **out, clprim_runtime *runtime, const clprim_##op##_desc *desc)     \
    {                                                                                                                  \
        return create_untyped(out, runtime, desc);                                                                     \
    }                                                                                                                  \
    clprim_status clprim_##op##_enqueue(clprim_plan *plan, cl_command_queue queue, const clprim_##op##_call *call,     \
                                        cl_uint num_waits, const cl_event *waits, cl_event *done)                      \
    {                                                                                                                  \
        return enqueue_untyped(plan, queue, call, num_waits, waits, done);                                             \
    }                                                                                                                  \
    clprim_status clprim_##op##_run(clprim_runtime *runtime, const clprim_##op##_desc *desc,                           \
                                    const clprim_##op##_call *call)                                                    \
    {                                                                                                                  \
        return run_untyped(runtime, desc, call);                                                                       \
    }                                                                                                                  \
    const clprim_operation clprim_##op##_operation = {.name = #op,                                                     \
                                                      .summary = (text),                                               \
                                                      .desc_size = sizeof(clprim_##op##_desc),                         \
                                                      .call_size = sizeof(clprim_##op##_call),                         \
                                                      .desc_members = desc_members,                                    \
                                                      .call_members = call_members,                                    \
                                                      .variants = variants_function,                                   \
                                                      .create = create_untyped,                                        \
                                                      .enqueue = enqueue_untyped,                                      \
                                                      .run = run_untyped};                                             \
    const clprim__trial_subject clprim__##op##_trial = {.stem = #op,                                                   \
                                                        .operation = &operation,                                       \
                                                        .desc_size = sizeof(clprim_##op##_desc),                       \
                                                        .variant_at = offsetof(clprim_##op##_desc, variant),           \
                                                        .make = clprim__plan_trial_make,                               \
                                                        .destroy = clprim__plan_trial_destroy,                         \
                                                        .run = clprim__plan_trial_run,                                 \
                                                        .has_reference = clprim__plan_trial_has_reference,             \
                                                        .give = clprim__plan_trial_give,                               \
                                                        .order = order,                                                \
                                                        .variants = variants_function,                                 \
                                                        .sample_names = {__VA_ARGS__},                                 \
                                                        .samples = samples};

#endif
