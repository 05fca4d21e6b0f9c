// SPDX-License-Identifier: MIT
/* test_faults.sorts.c: faults while arrays that do not fit in the device's memory are sorted in pieces. */
#include <clprim/radix_sort.h>

#include "support.h"
#include "sweep.h"

enum { COUNT = 3000, LIMIT = 24000 /* bytes of device memory; the sort has three runs */ };

/* With indices, runs and their pieces have separate plans. */
static const clprim_radix_sort_desc desc = {.key_type = CLPRIM_U32, .argsort = true};

typedef struct arrays {
    clprim_runtime *runtime;
    uint32_t in[COUNT], out[COUNT], indices[COUNT];
    size_t pieces;
} arrays;

static int count_pieces(void *self, const char *operation, size_t done, size_t total)
{
    arrays *a = self;
    (void)operation, (void)done, (void)total;
    a->pieces++;
    return 0;
}

static void prepare(void *self)
{
    arrays *a = self;
    a->pieces = 0;
    memset(a->out, 0, sizeof a->out);
    memset(a->indices, 0, sizeof a->indices);
}

static clprim_status sort(void *self)
{
    arrays *a = self;
    return clprim_radix_sort_run(a->runtime, &desc,
                                 &(clprim_radix_sort_call){.keys_in = {.host = a->in},
                                                           .count = COUNT,
                                                           .keys_out = {.host = a->out},
                                                           .values_out = {.host = a->indices}});
}

/* Every key occurs twice. */
static uint32_t key_at(size_t i)
{
    return (uint32_t)(i * 7 % (COUNT / 2));
}

static bool is_right(void *self)
{
    const arrays *a = self;
    for (size_t i = 0; i < COUNT; i++)
        if (a->out[i] != i / 2 || key_at(a->indices[i]) != i / 2 || (i % 2 != 0 && a->indices[i] <= a->indices[i - 1]))
            return sweep_wrong("at %zu are %u and %u", i, (unsigned)a->out[i], (unsigned)a->indices[i]);
    return a->pieces >= 6 || sweep_wrong("%zu pieces", a->pieces);
}

/* No result is written before the second half of the pieces. */
static bool is_kept(void *self, const faults_report *report)
{
    const arrays *a = self;
    (void)report;
    for (size_t i = 0; i < COUNT; i++) {
        if (a->in[i] != key_at(i))
            return sweep_wrong("element %zu of the input is %u", i, (unsigned)a->in[i]);
        if (a->pieces < 3 && (a->out[i] != 0 || a->indices[i] != 0))
            return sweep_wrong("element %zu is %u after %zu pieces", i, (unsigned)a->out[i], a->pieces);
    }
    return true;
}

FAULTS_TEST(sorts_in_pieces_survive)
{
    static arrays a;
    a.runtime = test_runtime(NULL);
    for (size_t i = 0; i < COUNT; i++)
        a.in[i] = key_at(i);
    ASSERT_OK(clprim_runtime_set_run_limits(
        a.runtime, &(clprim_run_limits){.device_memory = LIMIT, .progress = count_pieces, .user = &a}));
    sweep_expect(&(const sweep){.name = "a sort in pieces",
                                .ways = SWEEP_CALLS | SWEEP_LOST | SWEEP_MEMORY,
                                .tolerated = "clRetainCommandQueue clRetainEvent", /* the library uses markers instead
                                                                                    * of these */
                                .self = &a,
                                .prepare = prepare,
                                .run = sort,
                                .is_kept = is_kept,
                                .is_right = is_right});
    clprim_runtime_destroy(a.runtime);
}
