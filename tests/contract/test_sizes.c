// SPDX-License-Identifier: MIT
/* test_sizes.c: sizes near powers of two in every member of descriptions and calls that is a size. Products and sums of
 * them must not wrap around: a call must be refused, with nothing written, or be right and stay within its arrays, as a
 * whole and in pieces. */
#include <stdio.h>

#include "contract.h"
#include "random.h"

enum { COUNT = 3000, MOST_BYTES = 1 << 20 /* of an array */ };

static bool is_size(const clprim_member *m)
{
    return m->kind == CLPRIM_MEMBER_SIZE || m->kind == CLPRIM_MEMBER_UNSIGNED;
}

/* Up to two less or more than 2^log, modulo 2^64. */
enum { NEIGHBOURS = 5 };
static size_t near_power(unsigned log, size_t which)
{
    return (log < 64 ? (size_t)1 << log : 0) + which - NEIGHBOURS / 2;
}

/* Most are so large that a small multiple of them overflows. */
static size_t any_size(uint64_t *random)
{
    const size_t which = test_random_below(random, 4);
    return near_power((unsigned)(which == 0   ? test_random_below(random, 65)
                                 : which == 1 ? 31 + test_random_below(random, 3)
                                              : 60 + test_random_below(random, 5)),
                      test_random_below(random, NEIGHBOURS));
}

/* The status of such a call: success, or an error of the library, but not one of the driver. */
static void expect_known(clprim_status status, const char *what)
{
    cr_assert(status == CLPRIM_SUCCESS || status == CLPRIM_INVALID_ARGUMENT || status == CLPRIM_INVALID_RANGE ||
                  status == CLPRIM_UNSUPPORTED || status == CLPRIM_OUT_OF_MEMORY,
              "%s: %s (%s)", what, clprim_status_string(status), clprim_last_error());
    cr_assert(status == CLPRIM_SUCCESS || clprim_last_error()[0] != '\0', "%s: no sentence", what);
}

static size_t bytes_of(const test_call *self)
{
    size_t bytes = 0;
    for (size_t i = 0; i < self->num_arrays; i++)
        if (self->arrays[i].is_there)
            bytes += self->arrays[i].length * self->arrays[i].size;
    return bytes;
}

/* Take the numbers of `wrong` for the call; each array gets its actual length. */
static void take_numbers(const test_call *self, test_struct *call, const test_struct *wrong)
{
    for (const clprim_member *m = self->face->call_members; m->name != NULL; m++)
        if (is_size(m))
            memcpy(call->bytes + m->place, wrong->bytes + m->place, m->size);
    for (size_t i = 0; i < self->num_arrays; i++)
        if (self->arrays[i].is_there)
            test_array_of(self, call, i)->length = self->arrays[i].length;
}

/* By run, with memory limited to this many bytes; 0: not limited. */
static void run_with(const test_call *self, const test_struct *wrong, size_t limit, const char *what)
{
    char text[512];
    (void)snprintf(text, sizeof text, "%s, by run with %zu bytes", what, limit);
    ASSERT_OK(clprim_runtime_set_run_limits(self->runtime, &(clprim_run_limits){.device_memory = limit}));
    test_struct call = test_call_on_host(self);
    take_numbers(self, &call, wrong);
    const clprim_status status = test_call_run(self, &call);
    expect_known(status, text);
    test_call_expect_on_host(self, text, status == CLPRIM_SUCCESS);
    ASSERT_OK(clprim_runtime_set_run_limits(self->runtime, NULL));
}

/* Enqueue and run the call with these numbers. */
static void try_call(const test_call *self, const test_struct *wrong)
{
    char text[512] = "";
    size_t scratch = 0;
    const size_t bytes = bytes_of(self);
    test_struct call = self->call;
    (void)snprintf(text, sizeof text, "%s", self->name);
    test_describe_members(text, sizeof text, self->face->call_members, wrong);
    take_numbers(self, &call, wrong);
    expect_known(clprim_plan_scratch_size(&scratch, self->plan, call.bytes), text);
    const clprim_status status = test_call_enqueue(self, &call);
    expect_known(status, text);
    ASSERT_CL(clFinish(clprim_runtime_queue(self->runtime)));
    if (status == CLPRIM_SUCCESS)
        test_call_expect_right(self, text);
    else
        test_call_expect_untouched(self, text);
    test_call_reset(self);
    run_with(self, wrong, 0, text);
    for (size_t eighths = 7; eighths > 0 && bytes > 8; eighths--) /* in few pieces and in many, or not in pieces */
        run_with(self, wrong, bytes / 8 * eighths, text);
}

/* Arrays end where their memory ends, and may contain anything. */
static void fill_tightly(test_call *self, uint64_t seed)
{
    self->is_tight = self->is_unspecified = true;
    contract_fill_at(self, COUNT, seed, 3);
}

CONTRACT_TEST(sizes, of_calls, test_is_full() ? CONTRACT_VARIANTS : CONTRACT_SAMPLES, COUNT, 95)
{
    uint64_t random = 95;
    const size_t draws = test_is_full() ? 40 : 8;
    fill_tightly(self, 95);
    for (const clprim_member *m = self->face->call_members; m->name != NULL; m++) {
        for (size_t i = 0; is_size(m) && i < draws; i++) {
            test_struct wrong = self->call;
            test_set_member(&wrong, m, 0, any_size(&random));
            try_call(self, &wrong);
        }
    }
    for (size_t i = 0; i < draws; i++) { /* several at once */
        test_struct wrong = self->call;
        for (const clprim_member *m = self->face->call_members; m->name != NULL; m++)
            if (is_size(m) && test_random_below(&random, 3) != 0)
                test_set_member(&wrong, m, 0, any_size(&random));
        try_call(self, &wrong);
    }
}

/* Whether all arrays of the sample's calls with that plan can be allocated. */
static bool is_small(const test_call *self)
{
    bool result = true;
    test_struct call = {.bytes = {0}};
    clprim__trial trial = {.runtime = self->runtime, .random = TEST_SEED};
    clprim__plan_sample(&trial, self->operation, self->desc.bytes, call.bytes,
                        clprim__trial_count(COUNT, self->plan->max_count));
    result = trial.status == CLPRIM_SUCCESS;
    for (size_t i = 0; i < self->plan->num_slots; i++) {
        const clprim__slot *slot = &self->plan->slots[i];
        const size_t length = clprim__length_of(slot, self->plan->desc.bytes, call.bytes);
        result = result && (slot->element_size == 0 || length <= MOST_BYTES / slot->element_size);
    }
    while (trial.num_memory > 0)
        free(trial.memory[--trial.num_memory]);
    return result;
}

/* Try a plan of the description, which has such sizes. `like` is a call of the sample. */
static void try_description(const test_call *like, const test_struct *desc)
{
    test_call self;
    const clprim_status status = test_call_try(&self, like->runtime, like->face, desc->bytes);
    if (status != CLPRIM_SUCCESS) {
        cr_assert(status == CLPRIM_BUILD_FAILED || self.plan == NULL, "%s: a plan", self.name);
        if (status != CLPRIM_BUILD_FAILED) /* a type has not the size that the description says */
            expect_known(status, self.name);
        return;
    }
    if (is_small(&self)) {
        self.is_tight = true;
        contract_fill_at(&self, COUNT, 96, 3);
        try_call(&self, &self.call);
        test_call_destroy(&self);
        return;
    }
    test_call other = *like; /* with the sample's arrays */
    other.plan = self.plan;
    other.desc = self.desc;
    memcpy(other.name, self.name, sizeof other.name);
    try_call(&other, &other.call);
    clprim_plan_destroy(self.plan);
}

CONTRACT_TEST(sizes, of_descriptions, test_is_full() ? CONTRACT_SAMPLES : CONTRACT_OPERATIONS, COUNT, 96)
{
    static const unsigned logs[] = {63, 62, 61, 64, 32, 31};
    uint64_t random = 96;
    fill_tightly(self, 96);
    for (const clprim_member *m = self->face->desc_members; m->name != NULL; m++)
        for (size_t i = 0; is_size(m) && i < sizeof logs / sizeof *logs * NEIGHBOURS; i++) {
            test_struct desc = self->desc;
            test_set_member(&desc, m, 0, near_power(logs[i / NEIGHBOURS], i % NEIGHBOURS));
            try_description(self, &desc);
        }
    for (size_t i = 0; i < (test_is_full() ? 40 : 6); i++) { /* several at once */
        test_struct desc = self->desc;
        for (const clprim_member *m = self->face->desc_members; m->name != NULL; m++)
            if (is_size(m) && test_random_below(&random, 3) == 0)
                test_set_member(&desc, m, 0, any_size(&random));
        try_description(self, &desc);
    }
}
