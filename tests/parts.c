// SPDX-License-Identifier: MIT
/* parts.c: arrays on the host are processed in pieces on a device with memory of its own, by the library's threads. Two
 * threads do this at once on one runtime, and then as ranks that sort together. It is a plain program for
 * ThreadSanitizer, like threads.c. */
#include <clprim/distributed.h>
#include <clprim/radix_sort.h>
#include <clprim/scan.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { MIB = 1 << 20, COUNT = 6 * MIB, ROUNDS = 4, RANKS = 2, LIMIT = 48 * MIB };

static clprim_runtime *runtime;
static clprim_comm comms[RANKS];

typedef struct arrays {
    uint32_t in[COUNT], out[COUNT];
    unsigned rank;
} arrays;

static void fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, clprim_last_error());
    _Exit(1);
}

static void check_order(const arrays *self, const char *what)
{
    for (size_t i = 1; i < COUNT; i++)
        if (self->out[i - 1] > self->out[i])
            fail(what);
}

static void *work(void *given)
{
    arrays *self = given;
    const clprim_radix_sort_call sort = {
        .keys_in = {.host = self->in}, .count = COUNT, .keys_out = {.host = self->out}};
    const clprim_scan_desc sums = {.type = CLPRIM_U32};
    const clprim_scan_call scan = {.in = {.host = self->in}, .count = COUNT, .out = {.host = self->out}};
    for (int round = 0; round < ROUNDS; round++) { /* the first ones, until memory is pinned */
        uint32_t sum = 0;
        for (uint32_t i = 0; i < COUNT; i++)
            self->in[i] = (i + self->rank * COUNT) * 2654435761u;
        if (clprim_radix_sort_run(runtime, NULL, &sort) != CLPRIM_SUCCESS)
            fail("a sort");
        check_order(self, "a sort is wrong");
        if (clprim_scan_run(runtime, &sums, &scan) != CLPRIM_SUCCESS)
            fail("a scan");
        for (size_t i = 0; i < COUNT; i++)
            if (self->out[i] != (sum += self->in[i]))
                fail("a scan is wrong");
    }
    if (clprim_distributed_radix_sort(&comms[self->rank], runtime, NULL, &sort, NULL, NULL) != CLPRIM_SUCCESS)
        fail("a distributed sort");
    check_order(self, "a distributed sort is wrong");
    return NULL;
}

int main(void)
{
    static arrays all[RANKS];
    pthread_t threads[RANKS];
    (void)setenv("CLPRIM_WITHOUT", "unified_memory,native_kernels", 1);
    if (clprim_runtime_create(&runtime, NULL) != CLPRIM_SUCCESS ||
        clprim_runtime_set_run_limits(runtime, &(const clprim_run_limits){.device_memory = LIMIT}) != CLPRIM_SUCCESS ||
        clprim_comm_threads_create(comms, RANKS) != CLPRIM_SUCCESS)
        fail("a runtime or communicators");
    for (unsigned r = 0; r < RANKS; r++) {
        all[r].rank = r;
        if (pthread_create(&threads[r], NULL, work, &all[r]) != 0)
            fail("a thread");
    }
    for (unsigned r = 0; r < RANKS; r++)
        (void)pthread_join(threads[r], NULL);
    if (all[0].out[COUNT - 1] > all[1].out[0])
        fail("the ranks' shares overlap");
    clprim_comm_threads_destroy(comms);
    clprim_runtime_trim(runtime);
    clprim_runtime_destroy(runtime);
    return 0;
}
