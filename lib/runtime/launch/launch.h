/* launch.h: one operation's kernels on a queue, from the caller's wait list to the caller's one event. */
#ifndef CLPRIM_LIB_LAUNCH_H
#define CLPRIM_LIB_LAUNCH_H

#include <clprim/plan.h>
#include <clprim/runtime.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "prelude.h"
#include "scratch.h"

/* Arguments of a kernel, those of the chain and of the plan included: CLPRIM_MAX_PARAMETERS arrays and a count on the
 * device take 34, the plan's numbers up to CLPRIM__MAX_NUMBERS. */
enum { CLPRIM__MAX_ARGUMENTS = 128, CLPRIM__MAX_EXTRA_WAITS = 4, CLPRIM__MAX_KEPT = 4 };

/* An argument of a kernel. */
typedef struct clprim__argument {
    enum { CLPRIM__BUFFER, CLPRIM__SCALAR } kind;
    cl_uint size;
    union {
        cl_mem memory;
        cl_ulong word; /* a scalar's bytes, and zeros behind them */
    } held;
    const void *large; /* a scalar that `held` has no room for; it must live until the launch */
} clprim__argument;

/* The arguments of a kernel, in its order, added one by one to an empty list. Where a buffer is NULL, since there is
 * nothing in it to be read, another one of the list stands in: not all drivers take NULL. */
typedef struct clprim__arguments {
    cl_uint count;
    clprim__argument items[CLPRIM__MAX_ARGUMENTS];
} clprim__arguments;

/* Declare an empty list. To zero the room for all arguments would take longer than to enqueue the kernel's few. */
#define CLPRIM__ARGUMENTS(list)                                                                                        \
    clprim__arguments list;                                                                                            \
    (list).count = 0

static inline void clprim__add_buffer(clprim__arguments *list, cl_mem memory)
{
    list->items[list->count++] = (clprim__argument){CLPRIM__BUFFER, sizeof(cl_mem), {.memory = memory}, NULL};
}

/* In place of a buffer that this plan's kernels do not have. */
#define CLPRIM__ABSENT ((cl_mem)(uintptr_t)1)

/* Add a buffer, if the plan's kernels have it. */
static inline void clprim__add_present(clprim__arguments *list, cl_mem memory)
{
    if (memory != CLPRIM__ABSENT)
        clprim__add_buffer(list, memory);
}

static inline void clprim__add_scalar(clprim__arguments *list, const void *value, size_t size)
{
    clprim__argument *added = &list->items[list->count++];
    *added = (clprim__argument){CLPRIM__SCALAR, (cl_uint)size, {.word = 0}, NULL};
    if (size <= sizeof added->held)
        memcpy(&added->held, value, size);
    else
        added->large = value;
}

/* The numbers of a list of arguments (kernels/common/args.h), as kernels take them. */
typedef struct clprim__vectors {
    cl_ulong longs[16];
    cl_uint ints[8];
} clprim__vectors;

/* Add both vectors, which must live until the launch. */
static inline void clprim__add_vectors(clprim__arguments *list, const clprim__vectors *numbers)
{
    clprim__add_scalar(list, numbers->longs, sizeof numbers->longs);
    clprim__add_scalar(list, numbers->ints, sizeof numbers->ints);
}

#define CLPRIM__ADD_SCALAR(list, number) clprim__add_scalar(list, &(number), sizeof(number))

static inline void clprim__add_ulong(clprim__arguments *list, cl_ulong number)
{
    CLPRIM__ADD_SCALAR(list, number);
}

/* A buffer, and the offset in it as a ulong. */
static inline void clprim__add_array(clprim__arguments *list, cl_mem memory, cl_ulong offset)
{
    clprim__add_buffer(list, memory);
    clprim__add_ulong(list, offset);
}

/* A list of one count, for a chain's counts. */
static inline void clprim__count_at(clprim__arguments *list, cl_mem memory, cl_ulong offset)
{
    list->count = 0;
    clprim__add_array(list, memory, offset);
}

/* Keys and, where there are any, their values; offsets in elements. */
typedef struct clprim__pairs {
    cl_mem keys, values;
    cl_ulong keys_offset, values_offset;
} clprim__pairs;

/* What an argument of a kernel was set to, so that it is set again only when it changes. The handle of a buffer alone
 * would not tell: once the buffer is released, another one may get it. So a handle counts only together with the lifetime
 * during which nobody can release the buffer: of a call, for the caller's buffers, and of memory that the library keeps.
 * Scalars of more than a word are always set. */
typedef struct clprim__known {
    cl_ulong word;     /* the scalar or the handle */
    cl_ulong lifetime; /* 0: nothing is known; 1: a scalar; else as clprim__new_lifetime says */
} clprim__known;

/* A kernel of a plan. The plan destroys it with clprim__kernel_clear. */
typedef struct clprim__kernel {
    cl_kernel kernel;
    const char *name;    /* static */
    const char *program; /* the source's path, static */
    size_t group_size;
    clprim__numbers numbers;                           /* the first arguments */
    bool takes_arguments, takes_counts, takes_initial; /* it has those of the chain in front of its own: pass_on.h */
    clprim__known known[CLPRIM__MAX_ARGUMENTS];        /* what its arguments were set to before */
} clprim__kernel;

void clprim__kernel_clear(clprim__kernel *kernel);

/* Memory to which a reference is held until after the chain, and the lifetime that began with it. */
typedef struct clprim__kept {
    cl_mem memory;
    cl_ulong lifetime;
} clprim__kept;

/* What is known about the queue a plan was last used on, so that it is asked once. */
typedef struct clprim__queue {
    cl_command_queue queue; /* a reference is held */
    bool in_order;
} clprim__queue;

void clprim__queue_clear(clprim__queue *known);

/* One operation being enqueued. Begin, depend on what its memory is waiting for, launch one kernel after another (the
 * last one marked), end. After an error end gives everything back. The launches of another plan may come in between:
 * what is built from several primitives is one chain, too. */
typedef struct clprim__chain {
    clprim_runtime *runtime;
    cl_command_queue queue;
    bool in_order;
    cl_uint num_waits; /* of the caller */
    const cl_event *waits;
    cl_event extra[CLPRIM__MAX_EXTRA_WAITS]; /* for the next command alone */
    cl_uint num_extra;
    cl_ulong lifetime; /* of the caller's buffers; of others, which outlive this chain, the memory's own: */
    clprim__kept kept[CLPRIM__MAX_KEPT];
    cl_uint num_kept;
    cl_event previous; /* of the kernel launched last, if one is needed */
    bool started;
    bool wants_event;
    struct clprim__recording *recording; /* takes the commands instead of the queue (recording.h); NULL: none */
    const clprim__arguments *arguments, *counts, *initial; /* for kernels that take them; NULL: there are none */
    long long began;                                       /* what follows is for the timeline: see trace.h */
    size_t commands;
    const char *program; /* of the last kernel */
} clprim__chain;

/* queue NULL: the runtime's. wants_event: the caller asked for one.
 * Errors: CLPRIM_INVALID_ARGUMENT if the queue or an event belongs to another context, the queue belongs to another
 * device, or the wait list is invalid. */
clprim_status clprim__chain_begin(clprim__chain *out, clprim_runtime *runtime, clprim__queue *known,
                                  cl_command_queue queue, cl_uint num_waits, const cl_event *waits, bool wants_event);

/* The next kernel also waits for the last use of some memory, unless that is known to have failed: *has_failed, which
 * may be NULL, says so. Recorded commands wait for nothing that is on a queue. */
clprim_status clprim__chain_depend(clprim__chain *chain, bool *has_failed, const clprim__last_use *last);

/* Memory that the chain's kernels use from here on is kept: they need not be told of it in each call. */
void clprim__chain_keeps(clprim__chain *chain, cl_mem memory, cl_ulong lifetime);

/* Enqueue a kernel over `groups` work-groups of its group size. */
clprim_status clprim__launch(clprim__chain *chain, clprim__kernel *kernel, const clprim__arguments *arguments,
                             size_t groups, bool is_last);

/* Put an array, a clprim_array, into the arguments of a list (kernels/common/args.h) that has BUFFER(..., name) and
 * LONG(place, name_offset). */
#define CLPRIM__PUT(args, name, array) CLPRIM__PUT_IF(true, args, name, array)

/* If the plan's kernels have it. */
#define CLPRIM__PUT_IF(has, args, name, array)                                                                         \
    clprim__put(&(args)->buffers.name, &(args)->numbers.name##_offset, has, array)

/* Where the lists have ITEM_BUFFERS(BUFFER, name) and ITEM_OFFSETS(LONG, place, next_place, name): elements and values,
 * or no values. */
#define CLPRIM__PUT_ITEMS(args, name, has_values, keys, values)                                                        \
    (CLPRIM__PUT_IF(true, args, clprim__##name##_keys, keys),                                                          \
     CLPRIM__PUT_IF(has_values, args, clprim__##name##_values, values))
#define CLPRIM__PUT_PAIRS(args, name, has_values, pairs)                                                               \
    CLPRIM__PUT_ITEMS(args, name, has_values,                                                                          \
                      ((clprim_array){.buffer = (pairs)->keys, .offset = (size_t)(pairs)->keys_offset}),               \
                      ((clprim_array){.buffer = (pairs)->values, .offset = (size_t)(pairs)->values_offset}))
#define CLPRIM__PUT_KEYS(args, name, keys) CLPRIM__PUT_ITEMS(args, name, false, keys, (clprim_array){0})

static inline void clprim__put(cl_mem *buffer, cl_ulong *offset, bool has, clprim_array array)
{
    *buffer = has ? array.buffer : CLPRIM__ABSENT;
    *offset = has ? array.offset : 0;
}

/* n / by, rounded up. */
size_t clprim__divide_up(size_t n, size_t by);

static inline size_t clprim__smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static inline size_t clprim__larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Set `size` bytes of a buffer to 0, from byte `offset` on, both multiples of 4: a command of the chain like a kernel,
 * but not its last. */
clprim_status clprim__fill_zeros(clprim__chain *chain, cl_mem memory, size_t offset, size_t size);

/* For an operation with nothing to do: make the event, if one is wanted, that completes with what the chain
 * waits for. */
clprim_status clprim__chain_marker(clprim__chain *chain);

/* Note that this chain used some memory, after everything is launched. A recording does not count as a use. */
void clprim__chain_used(const clprim__chain *chain, clprim__last_use *last);

/* Release the chain. If it succeeded and `done` is not NULL, *done receives the operation's event. A recording chain
 * has none. */
void clprim__chain_end(clprim__chain *chain, clprim_status status, cl_event *done);

#endif
