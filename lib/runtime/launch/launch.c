// SPDX-License-Identifier: MIT
/* launch.c: kernels on a queue, ordered by events if the queue is out-of-order. */
#include "launch.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "recording.h"
#include "runtime_internal.h"
#include "sizes.h"
#include "trace.h"

enum { WAITS_ON_STACK = 16 };

void clprim__kernel_clear(clprim__kernel *kernel)
{
    if (kernel->kernel != NULL)
        (void)clReleaseKernel(kernel->kernel);
    *kernel = (clprim__kernel){0};
}

void clprim__queue_clear(clprim__queue *known)
{
    if (known->queue != NULL)
        (void)clReleaseCommandQueue(known->queue);
    *known = (clprim__queue){0};
}

static clprim_status learn_queue(clprim__queue *known, const clprim_runtime *runtime, cl_command_queue queue)
{
    cl_context context = NULL;
    cl_device_id device = NULL;
    cl_command_queue_properties properties = 0;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__cl(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(cl_context), &context, NULL),
                           "clGetCommandQueueInfo(CONTEXT)"));
    CLPRIM__TRY(clprim__cl(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL),
                           "clGetCommandQueueInfo(DEVICE)"));
    CLPRIM__TRY(clprim__cl(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL),
                           "clGetCommandQueueInfo(PROPERTIES)"));
    if (context != runtime->context || device != runtime->info.device)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "the queue belongs to another %s than the runtime",
                            context != runtime->context ? "context" : "device");
    CLPRIM__TRY(clprim__cl(clRetainCommandQueue(queue), "clRetainCommandQueue"));
    clprim__queue_clear(known);
    known->queue = queue;
    known->in_order = (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
done:
    return status;
}

static clprim_status check_waits(cl_context context, cl_uint num_waits, const cl_event *waits)
{
    if ((num_waits == 0) != (waits == NULL))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "num_waits is %u but waits is %s", num_waits,
                            waits == NULL ? "NULL" : "not NULL");
    for (cl_uint i = 0; i < num_waits; i++) {
        cl_context owner = NULL;
        if (waits[i] == NULL)
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "waits[%u] is NULL", i);
        const clprim_status status = clprim__cl(
            clGetEventInfo(waits[i], CL_EVENT_CONTEXT, sizeof(cl_context), &owner, NULL), "clGetEventInfo(CONTEXT)");
        if (status != CLPRIM_SUCCESS)
            return status;
        if (owner != context)
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "waits[%u] belongs to another context than the runtime", i);
    }
    return CLPRIM_SUCCESS;
}

clprim_status clprim__chain_begin(clprim__chain *out, clprim_runtime *runtime, clprim__queue *known,
                                  cl_command_queue queue, cl_uint num_waits, const cl_event *waits, bool wants_event)
{
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(check_waits(runtime->context, num_waits, waits));
    if (queue == NULL)
        queue = runtime->queue;
    if (queue != known->queue)
        CLPRIM__TRY(learn_queue(known, runtime, queue));
    *out = (clprim__chain){.runtime = runtime,
                           .queue = queue,
                           .in_order = known->in_order,
                           .num_waits = num_waits,
                           .waits = waits,
                           .wants_event = wants_event,
                           .lifetime = clprim__new_lifetime(),
                           .began = runtime->timeline != NULL ? clprim__trace_now() : 0};
done:
    return status;
}

clprim_status clprim__chain_depend(clprim__chain *chain, bool *has_failed, const clprim__last_use *last)
{
    cl_event event = NULL;
    clprim_status status = CLPRIM_SUCCESS;
    if (chain->recording == NULL)
        status = clprim__last_use_event(&event, has_failed, last, chain->queue);
    if (event != NULL)
        chain->extra[chain->num_extra++] = event;
    return status;
}

/* If the list is full, forget everything that is known about buffers, and begin again. */
void clprim__chain_keeps(clprim__chain *chain, cl_mem memory, cl_ulong lifetime)
{
    if (chain->num_kept == CLPRIM__MAX_KEPT) {
        chain->num_kept = 0;
        chain->lifetime = clprim__new_lifetime();
    }
    chain->kept[chain->num_kept++] = (clprim__kept){memory, lifetime};
}

size_t clprim__divide_up(size_t n, size_t by)
{
    return n / by + (n % by != 0);
}

static cl_mem any_buffer(const clprim__arguments *arguments)
{
    for (cl_uint i = 0; i < arguments->count; i++)
        if (arguments->items[i].kind == CLPRIM__BUFFER && arguments->items[i].held.memory != NULL)
            return arguments->items[i].held.memory;
    return NULL;
}

static cl_ulong lifetime_of(const clprim__chain *chain, cl_mem memory)
{
    for (cl_uint i = chain->num_kept; i > 0; i--) /* newest first: older entries may have the same handle */
        if (chain->kept[i - 1].memory == memory)
            return chain->kept[i - 1].lifetime;
    return chain->lifetime;
}

/* Set the kernel's arguments, starting at parameter `first`. If a buffer is NULL, another buffer from `own` takes its
 * place. */
static clprim_status set_arguments(clprim__kernel *kernel, const clprim__chain *chain, cl_uint first,
                                   const clprim__arguments *arguments, const clprim__arguments *own)
{
    for (cl_uint i = 0; i < arguments->count; i++) {
        clprim__argument argument = arguments->items[i];
        clprim__known *known = &kernel->known[first + i];
        if (argument.kind == CLPRIM__BUFFER && argument.held.memory == NULL)
            argument.held.memory = any_buffer(own);
        const clprim__known now = {.word = argument.held.word,
                                   .lifetime = argument.kind == CLPRIM__BUFFER
                                                   ? lifetime_of(chain, argument.held.memory)
                                                   : argument.large == NULL};
        if (now.lifetime != 0 && known->lifetime == now.lifetime && known->word == now.word)
            continue;
        known->lifetime = 0;
        const clprim_status status =
            clprim__cl(clSetKernelArg(kernel->kernel, first + i, argument.size,
                                      argument.large != NULL ? argument.large : (const void *)&argument.held),
                       "clSetKernelArg");
        if (status != CLPRIM_SUCCESS)
            return status;
        *known = now;
    }
    return CLPRIM_SUCCESS;
}

/* Set the plan's numbers, which never change. */
static clprim_status set_numbers(clprim__kernel *kernel)
{
    for (cl_uint i = 0; i < kernel->numbers.count; i++) {
        clprim__known *known = &kernel->known[i];
        if (known->lifetime != 0)
            continue;
        const clprim_status status = clprim__cl(
            clSetKernelArg(kernel->kernel, i, kernel->numbers.sizes[i], &kernel->numbers.words[i]), "clSetKernelArg");
        if (status != CLPRIM_SUCCESS)
            return status;
        *known = (clprim__known){.word = kernel->numbers.words[i], .lifetime = 1};
    }
    return CLPRIM_SUCCESS;
}

/* Set all arguments: the plan's numbers, then the chain's arguments, counts and initial value if the kernel takes them,
 * then the kernel's own arguments. */
static clprim_status set_all(clprim__kernel *kernel, const clprim__chain *chain, const clprim__arguments *own)
{
    const clprim__arguments *lists[] = {kernel->takes_arguments ? chain->arguments : NULL,
                                        kernel->takes_counts ? chain->counts : NULL,
                                        kernel->takes_initial ? chain->initial : NULL, own};
    cl_uint first = kernel->numbers.count;
    clprim_status status = set_numbers(kernel);
    for (size_t i = 0; i < sizeof lists / sizeof *lists && status == CLPRIM_SUCCESS; i++) {
        if (lists[i] == NULL)
            continue;
        status = set_arguments(kernel, chain, first, lists[i], own);
        first += lists[i]->count;
    }
    return status;
}

/* Build the wait list of the next command. The first command waits for the caller's events. On an out-of-order queue,
 * later commands wait for the command before them. All wait for the extra events. `stack` has room for WAITS_ON_STACK
 * events; the caller frees *heap. */
static clprim_status wait_list(const cl_event **out, cl_uint *count, const clprim__chain *chain, cl_event *stack,
                               cl_event **heap)
{
    const bool one = chain->started && chain->previous != NULL && !chain->in_order;
    const cl_event *usual = chain->started ? &chain->previous : chain->waits;
    const cl_uint num_usual = !chain->started ? chain->num_waits : one ? 1 : 0;
    *count = num_usual + chain->num_extra;
    *out = *count > 0 ? usual : NULL;
    if (chain->num_extra == 0)
        return CLPRIM_SUCCESS;
    cl_event *list = stack;
    if (*count > WAITS_ON_STACK && (list = *heap = malloc(*count * sizeof(cl_event))) == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a wait list of %u events", *count);
    if (num_usual > 0)
        memcpy(list, usual, num_usual * sizeof(cl_event));
    memcpy(list + num_usual, chain->extra, chain->num_extra * sizeof(cl_event));
    *out = list;
    return CLPRIM_SUCCESS;
}

static void forget_extra(clprim__chain *chain)
{
    while (chain->num_extra > 0)
        (void)clReleaseEvent(chain->extra[--chain->num_extra]);
}

/* Whether a command needs an event. */
static bool needs_event(const clprim__chain *chain, bool is_wanted)
{
    return !chain->in_order || is_wanted || chain->runtime->timeline != NULL;
}

/* A command was enqueued; later commands must run after it. */
static void advance(clprim__chain *chain, cl_event event, const clprim__trace_command *command, long long began)
{
    forget_extra(chain);
    if (chain->runtime->timeline != NULL) {
        clprim__trace_device(chain->runtime->timeline, command, chain->queue, event, began);
        chain->program = command->program != NULL ? command->program : chain->program;
        chain->commands++;
    }
    chain->started = true;
    if (chain->previous != NULL)
        (void)clReleaseEvent(chain->previous);
    chain->previous = event;
}

/* Record a copy of the kernel that belongs to this command alone, as the next command of the chain's recording. It does
 * not appear in timelines or traces, because nobody sees the events of a replay. */
static clprim_status record_alone(clprim__chain *chain, clprim__kernel *kernel, const clprim__arguments *arguments,
                                  size_t groups)
{
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(set_all(kernel, chain, arguments));
    CLPRIM__TRY(clprim__recording_launch(chain->recording, kernel, groups));
    chain->program = kernel->program;
    chain->commands++;
done:
    return status;
}

static clprim_status record(clprim__chain *chain, const clprim__kernel *kernel, const clprim__arguments *arguments,
                            size_t groups)
{
    clprim__kernel copy;
    const clprim_status status = clprim__recording_copy(&copy, chain->recording, kernel);
    return status == CLPRIM_SUCCESS ? record_alone(chain, &copy, arguments, groups) : status;
}

static clprim_status record_zeros(clprim__chain *chain, cl_mem memory, size_t offset, size_t size)
{
    const size_t words = size / sizeof(cl_uint);
    clprim__kernel zeros;
    CLPRIM__ARGUMENTS(list);
    const clprim_status status = clprim__recording_own(&zeros, chain->recording, chain->runtime, "record_zeros");
    if (status != CLPRIM_SUCCESS)
        return status;
    clprim__add_array(&list, memory, offset / sizeof(cl_uint));
    clprim__add_ulong(&list, words);
    return record_alone(chain, &zeros, &list, clprim__divide_up(words, zeros.group_size));
}

static clprim_status record_nothing(clprim__chain *chain)
{
    CLPRIM__ARGUMENTS(none);
    clprim__kernel nothing;
    const clprim_status status = clprim__recording_own(&nothing, chain->recording, chain->runtime, "record_nothing");
    return status == CLPRIM_SUCCESS ? record_alone(chain, &nothing, &none, 1) : status;
}

/* Tell the caller's function of a command that was enqueued. */
static void tell(const clprim__chain *chain, const clprim__trace_command *command, cl_event event)
{
    const clprim_runtime *runtime = chain->runtime;
    const clprim_trace_record record = {.kernel = command->name,
                                        .program = command->program,
                                        .queue = chain->queue,
                                        .event = event,
                                        .global_size = clprim__times(command->groups, command->group_size),
                                        .local_size = command->group_size};
    if (runtime->trace != NULL)
        runtime->trace(runtime->trace_user, &record);
}

clprim_status clprim__launch(clprim__chain *chain, clprim__kernel *kernel, const clprim__arguments *arguments,
                             size_t groups, bool is_last)
{
    cl_event stack[WAITS_ON_STACK];
    cl_event *heap = NULL;
    cl_event event = NULL;
    const cl_event *waits = NULL;
    cl_uint num_waits = 0;
    const size_t global_size = clprim__times(groups, kernel->group_size);
    const clprim_runtime *runtime = chain->runtime;
    const bool has_event = needs_event(chain, (is_last && chain->wants_event) || runtime->trace != NULL);
    const clprim__trace_command command = {
        .name = kernel->name, .program = kernel->program, .groups = groups, .group_size = kernel->group_size};
    const long long began = runtime->timeline != NULL ? clprim__trace_now() : 0;

    clprim_status status = CLPRIM_SUCCESS;
    if (chain->recording != NULL)
        return record(chain, kernel, arguments, groups);
    CLPRIM__TRY(set_all(kernel, chain, arguments));
    CLPRIM__TRY(wait_list(&waits, &num_waits, chain, stack, &heap));
    CLPRIM__TRY(clprim__cl(clEnqueueNDRangeKernel(chain->queue, kernel->kernel, 1, NULL, &global_size,
                                                  &kernel->group_size, num_waits, waits, has_event ? &event : NULL),
                           "clEnqueueNDRangeKernel"));
    advance(chain, event, &command, began);
    tell(chain, &command, event);
done:
    free(heap);
    return status;
}

clprim_status clprim__launch_native(clprim__chain *chain, const clprim__native_command *what, bool is_last)
{
    cl_event stack[WAITS_ON_STACK];
    cl_event *heap = NULL;
    cl_event event = NULL;
    const cl_event *waits = NULL;
    cl_uint num_waits = 0;
    const bool has_event = needs_event(chain, (is_last && chain->wants_event) || chain->runtime->trace != NULL);
    const clprim__trace_command command = {.name = what->name, .program = what->program, .groups = 1, .group_size = 1};
    const long long began = chain->runtime->timeline != NULL ? clprim__trace_now() : 0;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(wait_list(&waits, &num_waits, chain, stack, &heap));
    CLPRIM__TRY(clprim__cl(clEnqueueNativeKernel(chain->queue, what->run, what->block, what->size, what->num_buffers,
                                                 what->num_buffers > 0 ? what->buffers : NULL,
                                                 what->num_buffers > 0 ? (const void **)what->places : NULL, num_waits,
                                                 waits, has_event ? &event : NULL),
                           "clEnqueueNativeKernel"));
    advance(chain, event, &command, began);
    tell(chain, &command, event);
done:
    free(heap);
    return status;
}

clprim_status clprim__fill_zeros(clprim__chain *chain, cl_mem memory, size_t offset, size_t size)
{
    const cl_uint zero = 0;
    cl_event stack[WAITS_ON_STACK];
    cl_event *heap = NULL;
    cl_event event = NULL;
    const cl_event *waits = NULL;
    cl_uint num_waits = 0;
    const clprim__trace_command command = {.name = "fill", .bytes = size};
    const long long began = chain->runtime->timeline != NULL ? clprim__trace_now() : 0;
    clprim_status status = CLPRIM_SUCCESS;
    if (chain->recording != NULL)
        return record_zeros(chain, memory, offset, size);
    CLPRIM__TRY(wait_list(&waits, &num_waits, chain, stack, &heap));
    CLPRIM__TRY(clprim__cl(clEnqueueFillBuffer(chain->queue, memory, &zero, sizeof zero, offset, size, num_waits, waits,
                                               needs_event(chain, false) ? &event : NULL),
                           "clEnqueueFillBuffer"));
    advance(chain, event, &command, began);
done:
    free(heap);
    return status;
}

clprim_status clprim__chain_marker(clprim__chain *chain)
{
    cl_event event = NULL;
    const clprim__trace_command command = {.name = "marker"};
    const long long began = chain->runtime->timeline != NULL ? clprim__trace_now() : 0;
    if (!chain->wants_event)
        return CLPRIM_SUCCESS;
    if (chain->recording != NULL)
        return record_nothing(chain);
    const clprim_status status =
        clprim__cl(clEnqueueMarkerWithWaitList(chain->queue, chain->num_waits, chain->waits, &event),
                   "clEnqueueMarkerWithWaitList");
    if (status == CLPRIM_SUCCESS)
        advance(chain, event, &command, began);
    return status;
}

void clprim__chain_used(const clprim__chain *chain, clprim__last_use *last)
{
    if (chain->started) /* its commands are on a queue, not in a recording */
        clprim__last_use_set(last, chain->queue, chain->in_order ? NULL : chain->previous);
}

void clprim__chain_end(clprim__chain *chain, clprim_status status, cl_event *done)
{
    forget_extra(chain);
    if (chain->runtime != NULL && chain->runtime->timeline != NULL) {
        const clprim__trace_span span = {.verb = chain->recording != NULL ? "record" : "enqueue",
                                         .object = chain->program != NULL ? chain->program : "nothing",
                                         .is_folder = true,
                                         .unit = "commands",
                                         .number = chain->commands,
                                         .status = status};
        clprim__trace_host(chain->runtime->timeline, &span, chain->began);
    }
    if (status == CLPRIM_SUCCESS && done != NULL)
        *done = chain->previous;
    else if (chain->previous != NULL)
        (void)clReleaseEvent(chain->previous);
}
