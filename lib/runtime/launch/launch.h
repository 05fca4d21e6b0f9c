// SPDX-License-Identifier: MIT
/* launch.h: enqueue the kernels of one operation, between the caller's wait list and the caller's event. */
#ifndef CLPRIM_LIB_LAUNCH_H
#define CLPRIM_LIB_LAUNCH_H

#include <clprim/plan.h>
#include <clprim/runtime.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "prelude.h"
#include "scratch.h"

/* The number of arguments of a kernel includes those of the chain and of the plan: CLPRIM_MAX_PARAMETERS arrays and a
 * count on the device take 34, the plan's numbers up to CLPRIM__MAX_NUMBERS. */
enum { CLPRIM__MAX_ARGUMENTS = 128, CLPRIM__MAX_EXTRA_WAITS = 4, CLPRIM__MAX_KEPT = 4 };

/* An argument of a kernel. */
typedef struct clprim__argument {
    enum { CLPRIM__BUFFER, CLPRIM__SCALAR } kind;
    cl_uint size;
    union {
        cl_mem memory;
        cl_ulong word; /* a scalar's bytes, padded with zeros */
    } held;
    const void *large; /* a scalar that does not fit `held`; it must live until the launch */
} clprim__argument;

/* A kernel's arguments in order, added one by one to an empty list. If a buffer is NULL because there is nothing in it
 * to read, another buffer of the list is passed instead: not all drivers accept NULL. */
typedef struct clprim__arguments {
    cl_uint count;
    clprim__argument items[CLPRIM__MAX_ARGUMENTS];
} clprim__arguments;

/* Declare an empty list. It is not zeroed: zeroing room for all arguments would take longer than enqueuing the kernel's
 * few. */
#define CLPRIM__ARGUMENTS(list)                                                                                        \
    clprim__arguments list;                                                                                            \
    (list).count = 0

static inline void clprim__add_buffer(clprim__arguments *list, cl_mem memory)
{
    list->items[list->count++] = (clprim__argument){CLPRIM__BUFFER, sizeof(cl_mem), {.memory = memory}, NULL};
}

/* Stands for a buffer that this plan's kernels do not have. */
#define CLPRIM__ABSENT ((cl_mem)(uintptr_t)1)

/* Add a buffer if the plan's kernels have it. */
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

/* The numbers of an argument list (kernels/common/args.h), in the form in which kernels take them. */
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

/* Add a buffer, and the offset into it as a ulong. */
static inline void clprim__add_array(clprim__arguments *list, cl_mem memory, cl_ulong offset)
{
    clprim__add_buffer(list, memory);
    clprim__add_ulong(list, offset);
}

/* Make a list with one count, for a chain's counts. */
static inline void clprim__count_at(clprim__arguments *list, cl_mem memory, cl_ulong offset)
{
    list->count = 0;
    clprim__add_array(list, memory, offset);
}

/* Keys and, if there are any, their values. Offsets are in elements. */
typedef struct clprim__pairs {
    cl_mem keys, values;
    cl_ulong keys_offset, values_offset;
} clprim__pairs;

/* The value that a kernel's argument was set to last, so that it is set again only when it changes. A buffer's handle
 * alone is not enough: once the buffer is released, another one may get the same handle. So a handle is valid only
 * together with a lifetime during which nobody can release the buffer. For the caller's buffers, a lifetime is one
 * call; for memory that the library keeps, it is the memory's own. Scalars larger than a word are set every time. */
typedef struct clprim__known {
    cl_ulong word;     /* the scalar or the handle */
    cl_ulong lifetime; /* 0: nothing is known; 1: a scalar; otherwise a number from clprim__new_lifetime */
} clprim__known;

/* A kernel of a plan. The plan destroys it with clprim__kernel_clear. */
typedef struct clprim__kernel {
    cl_kernel kernel;
    const char *name;    /* static */
    const char *program; /* the source's path, static */
    size_t group_size;
    clprim__numbers numbers;                           /* they are the first arguments */
    bool takes_arguments, takes_counts, takes_initial; /* the chain's arguments that precede its own: pass_on.h */
    clprim__known known[CLPRIM__MAX_ARGUMENTS];        /* the values that its arguments have now */
} clprim__kernel;

void clprim__kernel_clear(clprim__kernel *kernel);

/* Memory to which a reference is held until the chain ends, and its lifetime. */
typedef struct clprim__kept {
    cl_mem memory;
    cl_ulong lifetime;
} clprim__kept;

/* Properties of the queue on which a plan was last used, so that the driver is asked only once. */
typedef struct clprim__queue {
    cl_command_queue queue; /* a reference is held */
    bool in_order;
} clprim__queue;

void clprim__queue_clear(clprim__queue *known);

/* The chain of launches of one operation. Begin, wait for the last use of memory that is shared with other calls,
 * launch one kernel after another (the last one marked), end. After an error, end cleans up. Launches of another plan
 * may come in between: an operation built from several primitives is also a single chain. */
typedef struct clprim__chain {
    clprim_runtime *runtime;
    cl_command_queue queue;
    bool in_order;
    cl_uint num_waits; /* the caller's */
    const cl_event *waits;
    cl_event extra[CLPRIM__MAX_EXTRA_WAITS]; /* for the next command only */
    cl_uint num_extra;
    cl_ulong lifetime; /* of the caller's buffers. Buffers that outlive this chain have their own lifetime: */
    clprim__kept kept[CLPRIM__MAX_KEPT];
    cl_uint num_kept;
    cl_event previous; /* the event of the last kernel, if one is needed */
    bool started;
    bool wants_event;
    struct clprim__recording *recording; /* if not NULL, it takes the commands instead of the queue (recording.h) */
    const clprim__arguments *arguments, *counts, *initial; /* for kernels that take them; NULL if there are none */
    long long began;                                       /* the rest is for the timeline: see trace.h */
    size_t commands;
    const char *program; /* of the last kernel */
} clprim__chain;

/* Begin a chain. If queue is NULL, the runtime's queue is used. wants_event: the caller asked for an event.
 * Errors: CLPRIM_INVALID_ARGUMENT if the queue or an event belongs to another context, the queue belongs to another
 * device, or the wait list is invalid. */
clprim_status clprim__chain_begin(clprim__chain *out, clprim_runtime *runtime, clprim__queue *known,
                                  cl_command_queue queue, cl_uint num_waits, const cl_event *waits, bool wants_event);

/* Let the next kernel also wait for the last use of some memory, unless that use is known to have failed. *has_failed
 * says whether it has; has_failed may be NULL. A recorded command waits for nothing that is on a queue. */
clprim_status clprim__chain_depend(clprim__chain *chain, bool *has_failed, const clprim__last_use *last);

/* Tell the chain that its kernels use this memory from now on, and that the library keeps it, so that its argument need
 * not be set again in each call. */
void clprim__chain_keeps(clprim__chain *chain, cl_mem memory, cl_ulong lifetime);

/* Enqueue a kernel with `groups` work-groups of the kernel's group size. */
clprim_status clprim__launch(clprim__chain *chain, clprim__kernel *kernel, const clprim__arguments *arguments,
                             size_t groups, bool is_last);

/* A function of the host as a command. */
typedef struct clprim__native_command {
    const char *name, *program; /* as of a kernel, for timelines */
    void(CL_CALLBACK *run)(void *block);
    void *block; /* which OpenCL copies. run gets the copy, in which addresses have replaced buffers */
    size_t size; /* of the block, in bytes */
    cl_uint num_buffers;
    const cl_mem *buffers;
    const void *const *places; /* where in the block the address of each buffer goes */
} clprim__native_command;

/* Enqueue a function of the host. */
clprim_status clprim__launch_native(clprim__chain *chain, const clprim__native_command *what, bool is_last);

/* Put a clprim_array into an argument list (kernels/common/args.h) that has BUFFER(..., name) and LONG(place,
 * name_offset). */
#define CLPRIM__PUT(args, name, array) CLPRIM__PUT_IF(true, args, name, array)

/* The same, if the plan's kernels have this array. */
#define CLPRIM__PUT_IF(has, args, name, array)                                                                         \
    clprim__put(&(args)->buffers.name, &(args)->numbers.name##_offset, has, array)

/* For lists that have ITEM_BUFFERS(BUFFER, name) and ITEM_OFFSETS(LONG, place, next_place, name): put the elements and,
 * if there are any, the values. */
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

/* Set `size` bytes of a buffer to 0, starting at byte `offset`; both must be multiples of 4. This is a command of the
 * chain, like a kernel, but it cannot be the last one. */
clprim_status clprim__fill_zeros(clprim__chain *chain, cl_mem memory, size_t offset, size_t size);

/* For a call without work: if an event is wanted, create one that completes when everything that the chain waits for is
 * complete. */
clprim_status clprim__chain_marker(clprim__chain *chain);

/* Record that this chain used some memory. Call it after all launches. A recording does not count as a use. */
void clprim__chain_used(const clprim__chain *chain, clprim__last_use *last);

/* End and release the chain. If it succeeded and `done` is not NULL, *done receives the operation's event. A chain that
 * records has no event. */
void clprim__chain_end(clprim__chain *chain, clprim_status status, cl_event *done);

#endif
