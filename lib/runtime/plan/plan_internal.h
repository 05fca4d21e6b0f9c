/* plan_internal.h: what the plans of all operations share: creation, checks, the frame of enqueue, run, scratch memory
 * and destruction. An operation describes itself by a clprim__operation; its own code checks descriptions, compiles
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

/* A call under way, checked. Arrays are numbered in the order of the operation's call_members, each of a repeated
 * member by itself. An array that is not there has a NULL memory. */
typedef struct clprim__call {
    const void *given; /* the caller's struct */
    clprim__range arrays[CLPRIM__MAX_ARRAYS];
    bool is_in_place[CLPRIM__MAX_ARRAYS]; /* the output is written in the place of its input */
    cl_mem scratch; /* as many bytes as the operation's scratch() says; NULL for 0, and where scratch is the state */
} clprim__call;

typedef struct clprim__operation {
    const clprim_operation *face;
    size_t plan_size;                        /* of the operation's plan, which begins with a clprim_plan */
    const struct clprim__tunables *tunables; /* what a file of parameters may set (tuning.h); NULL: nothing */

    /* Fill in a zeroed plan, of which only what is said below is set: check the description, choose a variant
     * (CLPRIM__CHOOSE), compile. After a failure clear is called. */
    clprim_status (*make)(clprim_plan *plan, const void *desc);
    /* Release what is not in the clprim_plan; NULL: nothing. */
    void (*clear)(clprim_plan *plan);
    /* Elements that a call works on in all, SIZE_MAX where they do not fit size_t: no more than the plan's max_count.
     */
    size_t (*count)(const void *call);
    /* A call without elements launches kernels, too. */
    bool launches_for_none;
    /* Kernels read in outputs what they wrote there: no output may be write-only. */
    bool reads_outputs;
    /* Names of the description's expressions whose `i` is an element's index, ended by NULL, if an output may be exactly
     * where an argument is that all texts read at i alone: nothing is written before all that need it have read it.
     * NULL: outputs overlap no argument. */
    const char *const *replaces_arguments;
    /* What else is wrong with a call whose arrays and count are right, or of run before it looks at all arrays: those
     * on the host have a .host, and inputs there are as long as they must be; NULL: nothing. */
    clprim_status (*check)(const clprim_plan *plan, const void *call);
    /* Bytes of scratch memory, SIZE_MAX where they do not fit size_t; NULL: none is needed. */
    size_t (*scratch)(const clprim_plan *plan, const void *call);
    /* How much of it a call takes if the memory comes from the pool; NULL: all. */
    size_t (*pooled)(const clprim_plan *plan, const clprim__call *call);
    /* Enqueue the call's kernels. */
    clprim_status (*launch)(clprim_plan *plan, clprim__chain *chain, const clprim__call *call);
    /* How run takes a call through the device that does not fit it (plan_parts.h); NULL: it does not. */
    const struct clprim__parts *parts;

    /* For trials and tests. */
    /* A call on the host of about `count` elements with data that depend on the trial's pattern, all inputs in memory
     * of the trial's; what is written is left out. */
    void (*sample)(clprim__trial *trial, const void *desc, void *call, size_t count);
    /* Whether the reference can tell what a plan without text of the caller's must write; NULL: always. */
    bool (*has_reference)(const void *desc);
    /* The call by the serial reference, all of its arrays on the host. The description has no text of the caller's. */
    clprim_status (*reference)(const void *desc, const void *call);
} clprim__operation;

/* An array of a plan's calls. */
typedef struct clprim__slot {
    const clprim_member *member;
    size_t index;        /* within a repeated member */
    size_t element_size; /* 0: the plan's calls have no such array */
    bool is_read, is_written;
    bool is_value;       /* one value on the host: no array of the device's */
    bool is_always_read; /* an argument that texts read at the index of each element */
    bool is_optional;
    int in_place_of; /* the slot of that input; -1: none */
    int counted_by;  /* the slot of that output; -1: none, all of it is written */
} clprim__slot;

/* How many arrays of a repeated member calls have: slots are for these alone. */
typedef struct clprim__rest {
    const clprim_member *member;
    size_t used;
} clprim__rest;

enum { CLPRIM__MAX_REPEATED = 3 };

/* Plans of operations begin with this. */
struct clprim_plan {
    /* As make finds them: what the description says of counts and groups has been checked. */
    const clprim__operation *operation;
    const clprim__trial_subject *subject;
    clprim_runtime *runtime;
    size_t max_count;
    size_t work_group_size; /* 0: tuned */
    size_t local_room;      /* bytes of local memory for a group: enough for two of them, or else all there is */
    clprim__counts counts;  /* that are on the device */
    /* The rest is for make to fill in. */
    clprim__initial initial; /* which its kernels' PARAMETERS have */
    void *initial_value;     /* unless it is at a call's .initial_at: a copy, which destroy frees */
    size_t initial_size;     /* in bytes */
    const clprim_variant_info *variant;
    size_t index_size;       /* of what is written of .index_type: see clprim__plan_indices */
    clprim__kernel *kernels; /* of the plan's own, that destroy clears; NULL: none */
    size_t num_kernels;
    bool keeps_arguments; /* outputs overlap no argument, in spite of the operation's .replaces_arguments */
    unsigned replaced;    /* bit k: outputs may be in the place of argument k. Not make's */
    clprim__queue queue;
    clprim__state state;
    bool scratch_is_state; /* the scratch memory of calls is the state, and launch begins and ends its use */
    clprim__workspace workspace;
    clprim__recording recording;
    bool is_recorded; /* it belongs to a command buffer, and takes no more calls */
    clprim__slot slots[CLPRIM__MAX_ARRAYS];
    size_t num_slots;
    clprim__rest rests[CLPRIM__MAX_REPEATED];
    size_t num_rests;
    clprim__any_desc desc; /* without pointers, for the functions of the table */
};

/* The row of the variant that is wanted, where that is AUTO of the one that is `best`, for a plan that has a `base` and
 * a `row`. Errors: CLPRIM_INVALID_ARGUMENT. */
#define CLPRIM__CHOOSE(self, stem, wanted, best)                                                                       \
    ((self)->row = clprim__##stem##_row_of((int)(wanted) != 0 ? (wanted) : (best)),                                    \
     clprim__plan_chose(&(self)->base, (const void *)(self)->row, (int)(wanted)))

/* Told by make, as soon as it knows which variant the plan will have; NULL: there is none of the number that was wanted.
 * Errors: CLPRIM_INVALID_ARGUMENT. */
clprim_status clprim__plan_chose(clprim_plan *plan, const clprim_variant_info *variant, int wanted);

/* CLPRIM_UNSUPPORTED, with the reason, unless the device has what the variant needs. */
clprim_status clprim__variant_check(const clprim_variant_info *variant, bool has_it, const clprim_device_info *info);

/* Fill in plan->index_size. Errors: CLPRIM_INVALID_ARGUMENT, also where max_count does not fit the type. */
clprim_status clprim__plan_indices(clprim_plan *plan, clprim_type index_type);

/* The value with which the plan's folds begin, of the type RESULT, by a name that is known in front of the prelude: a copy of
 * `value`, or what calls have at .initial_at; neither: there is none. Errors: CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__plan_keep_initial(clprim_plan *plan, const char *type, size_t size, const void *value,
                                        bool is_at);

/* A description's max_count with its default: fewer than 2^32. */
static inline size_t clprim__max_count_or(size_t max_count)
{
    return max_count != 0 ? max_count : UINT32_MAX;
}

/* Work-items of a group: as the description says, else as tuned, and no more than the device has. A tuned 1 stays: it is
 * for CPUs. */
size_t clprim__group_size(const clprim_plan *plan, size_t tuned);

/* What the public functions of all operations do. */
clprim_status clprim__plan_create(clprim_plan **out, clprim_runtime *runtime, const clprim__trial_subject *subject,
                                  const void *desc);
clprim_status clprim__plan_enqueue(clprim_plan *plan, const clprim__operation *operation, cl_command_queue queue,
                                   const void *call, cl_uint num_waits, const cl_event *waits, cl_event *done);
clprim_status clprim__plan_run(clprim_runtime *runtime, const clprim__trial_subject *subject, const void *desc,
                               const void *call);

/* Check a call of the plan's operation, and fill in *out except for its scratch memory. */
clprim_status clprim__plan_check_call(clprim__call *out, const clprim_plan *plan, const void *call);
/* Of a call whose arrays are known, which outputs are in place.
 * Errors: CLPRIM_INVALID_OVERLAP if one is where it must not be. */
clprim_status clprim__plan_check_outputs(clprim__call *c, const clprim_plan *plan);
/* The commands of a call that was checked, on a queue or recorded. */
clprim_status clprim__plan_launch(clprim_plan *plan, clprim__chain *chain, clprim__call *c);
/* CLPRIM_INVALID_ARGUMENT if the plan was recorded. */
clprim_status clprim__plan_check_free(const clprim_plan *plan);

/* Check a call of run, before its arrays. */
clprim_status clprim__plan_check_given(const clprim_plan *plan, const void *call);

/* The slot of the array, the index-th of a repeated member; -1: the plan's calls have none of that name, or name is NULL. */
int clprim__slot_named(const clprim_plan *plan, const char *name, size_t index);

/* The array of a call that slot says. */
static inline clprim_array *clprim__array_of(void *call, const clprim__slot *slot)
{
    return (clprim_array *)(void *)((char *)call + slot->member->place) + slot->index;
}

static inline const clprim_array *clprim__array_in(const void *call, const clprim__slot *slot)
{
    return (const clprim_array *)(const void *)((const char *)call + slot->member->place) + slot->index;
}

/* A call's array `member`, of an operation; NULL memory: it is not there. */
#define CLPRIM__RANGE(plan, c, op, member) clprim__range_at(plan, c, offsetof(clprim_##op##_call, member))
static inline const clprim__range *clprim__range_at(const clprim_plan *plan, const clprim__call *c, size_t place)
{
    size_t i = 0;
    while (plan->slots[i].member->place != place || plan->slots[i].index != 0)
        i++;
    return &c->arrays[i];
}

/* Whether the output `member` is in place of its input. */
#define CLPRIM__IS_IN_PLACE(plan, c, op, member) ((c)->is_in_place[CLPRIM__RANGE(plan, c, op, member) - (c)->arrays])

/* Whether an output lies exactly where one of the call's arguments does, which kernels may read while they write it. */
static inline bool clprim__is_argument(const clprim_plan *plan, const clprim__call *c, const clprim__range *output)
{
    for (size_t i = 0; i < plan->num_slots && output->parent != NULL; i++)
        if (plan->slots[i].member->is_value != NULL && c->arrays[i].parent != NULL &&
            clprim__is_same_range(&c->arrays[i], output))
            return true;
    return false;
}

/* Whether the array may have room for fewer elements than the call writes. */
static inline bool clprim__may_be_short(const clprim__slot *slot)
{
    return slot->member->may_be_short && slot->counted_by >= 0;
}

/* How many elements the array has. */
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

/* CLPRIM_INVALID_RANGE if the array of a call has a .length that is less than the call needs. */
clprim_status clprim__check_length(const clprim_plan *plan, const void *call, const clprim__slot *slot);

/* Two arrays of a call as the pairs that kernels take. */
static inline clprim__pairs clprim__pairs_of(const clprim_array *keys, const clprim_array *values)
{
    return (clprim__pairs){keys->buffer, values->buffer, keys->offset, values->offset};
}

/* What the tables' members have in common. */
extern const clprim_enumerator clprim__nan_orders[], clprim__operators[];

/* Whether it is a call's count that is on the device. */
static inline bool clprim__is_count_at(const clprim_member *member)
{
    static const char end[] = "count_at";
    const size_t size = strlen(member->name);
    return size >= sizeof end - 1 && strcmp(member->name + size - (sizeof end - 1), end) == 0;
}

/* A call on the host, and room for one. */
typedef union clprim__given {
    max_align_t alignment;
    char bytes[CLPRIM__MAX_CALL];
} clprim__given;

/* For trials of operations that have a table. */
clprim_status clprim__plan_trial_make(void **out, clprim_runtime *runtime, const clprim__trial_subject *subject,
                                      const void *desc);
void clprim__plan_trial_destroy(void *plan);
void clprim__plan_trial_run(clprim__trial *trial, void *plan, const void *desc, size_t count);
/* Seconds of a call with `wanted` random elements, or as many as the plan takes: *count. By the host's clock, in a row of
 * calls that takes 20 ms, the best of three. 0 where trial->status says why. */
double clprim__plan_trial_time(size_t *count, clprim__trial *trial, clprim_plan *plan, const void *desc, size_t wanted);
bool clprim__plan_trial_has_reference(const clprim__trial_subject *subject, const void *desc);
const char *clprim__plan_trial_give(void *desc, const clprim__trial_subject *subject);

/* The public functions and the table of an operation, from static objects of its file: desc_members, call_members,
 * `operation` with all that is not the table, order and samples of its trials; then come the samples' names. */
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
