// SPDX-License-Identifier: MIT
/* test_faults.link.c: faults while arrays on the host go through pinned memory to a device with memory of its own. */
#include <clprim/transform.h>
#include <stdlib.h>

#include "support.h"
#include "sweep.h"

enum { MIB = 1 << 20, SMALL = 8 * MIB, COUNT = SMALL / 4, ENOUGH = 256 * MIB };

static const clprim_transform_desc desc = {
    .expressions = {"x[i] + 1"}, .types = {CLPRIM_U32}, .text.parameters = {{"x", CLPRIM_U32, .is_array = true}}};

typedef struct link {
    clprim_runtime *runtime;
    uint32_t in[COUNT], out[COUNT];
} link;

static clprim_status run_transfers(void *self)
{
    link *l = self;
    return clprim_transform_run(
        l->runtime, &desc,
        &(clprim_transform_call){.arguments = {{.host = l->in}}, .count = COUNT, .out = {{.host = l->out}}});
}

/* Transfers arrays until the next transfer is large enough to be worth pinned memory. The pinned memory is made anew
 * for each attempt. */
static void prepare(void *self)
{
    link *l = self;
    clprim_runtime_trim(l->runtime);
    for (int bytes = SMALL; bytes + SMALL < ENOUGH; bytes += 2 * SMALL)
        ASSERT_OK(run_transfers(l));
    memset(l->out, 0, sizeof l->out);
}

static bool is_right(void *self)
{
    const link *l = self;
    for (size_t i = 0; i < COUNT; i++)
        if (l->out[i] != i * 7 + 1)
            return sweep_wrong("element %zu is %u", i, (unsigned)l->out[i]);
    return true;
}

static bool is_kept(void *self, const faults_report *report)
{
    const link *l = self;
    (void)report;
    for (size_t i = 0; i < COUNT; i++)
        if (l->in[i] != i * 7)
            return sweep_wrong("element %zu of the input is %u", i, (unsigned)l->in[i]);
    return true;
}

/* Run again; this call need not make pinned memory anew. */
static bool recover(void *self)
{
    return run_transfers(self) == CLPRIM_SUCCESS && is_right(self);
}

/* A device with memory of its own. */
static void begin(link *l)
{
    test_without("unified_memory");
    l->runtime = test_runtime(NULL);
    for (size_t i = 0; i < COUNT; i++)
        l->in[i] = (uint32_t)i * 7;
}

FAULTS_TEST(transfers_survive)
{
    static link l;
    begin(&l);
    const sweep s = {.name = "transfers through pinned memory",
                     .ways = SWEEP_CALLS | SWEEP_LOST,
                     /* without pinned memory, the driver transfers alone */
                     .tolerated = "clCreateBuffer clEnqueueMapBuffer clCreateCommandQueue clWaitForEvents",
                     .self = &l,
                     .prepare = prepare,
                     .run = run_transfers,
                     .is_kept = is_kept,
                     .is_right = is_right,
                     .recover = recover};
    sweep_expect(&s);
    clprim_runtime_destroy(l.runtime);
}

static void clear(void *self)
{
    link *l = self;
    memset(l->out, 0, sizeof l->out);
}

FAULTS_TEST(registered_transfers_survive)
{
    static link l;
    begin(&l);
    ASSERT_OK(clprim_memory_register(l.runtime, l.in, sizeof l.in));
    ASSERT_OK(clprim_memory_register(l.runtime, l.out, sizeof l.out));
    const sweep s = {.name = "transfers of registered memory",
                     .ways = SWEEP_CALLS | SWEEP_LOST,
                     .tolerated = "clWaitForEvents", /* the last wait: it waits for the queue instead */
                     .self = &l,
                     .prepare = clear,
                     .run = run_transfers,
                     .is_kept = is_kept,
                     .is_right = is_right};
    sweep_expect(&s);
    clprim_runtime_destroy(l.runtime);
}
