// SPDX-License-Identifier: MIT
/* test_contract.pieces.c: run with so little device memory that calls are made in pieces: the results must be those of
 * the whole call. Calls that cannot be cut must be refused, and write nothing. */

#include "contract.h"
#include "native.h"

enum { COUNT = 20000 };

/* The arguments that a progress function got. */
typedef struct told {
    const char *operation;
    size_t calls, done, total;
    size_t stop_at; /* that many calls; 0: never */
} told;

static int progress(void *user, const char *operation, size_t done, size_t total)
{
    told *t = user;
    t->calls++;
    cr_assert_str_eq(operation, t->operation);
    cr_assert(done >= t->done && done <= total, "%zu of %zu after %zu", done, total, t->done);
    t->done = done;
    t->total = total;
    return t->calls == t->stop_at;
}

static void limit(const test_call *self, told *t, size_t bytes)
{
    *t = (told){.operation = self->face->name};
    ASSERT_OK(clprim_runtime_set_run_limits(
        self->runtime, &(clprim_run_limits){.device_memory = bytes, .progress = progress, .user = t}));
}

static size_t bytes_of(const test_call *self)
{
    size_t bytes = 0;
    for (size_t i = 0; i < self->num_arrays; i++)
        if (self->arrays[i].is_there)
            bytes += self->arrays[i].length * self->arrays[i].size;
    return bytes;
}

/* Calls that cannot be cut, by the operation and a word of the sentence; all other calls can be. */
static bool may_refuse(const char *operation)
{
    static const contract_reason more[] = {
        {"top_k", "k 1000 is too large"},
        {"merge", "its counts are on the device"},
        {"set_operation", "its counts are on the device"},
    };
    return contract_has_reason(operation, more, sizeof more / sizeof *more);
}

static void check(const test_call *self, size_t bytes, bool may_be_whole)
{
    const size_t limits[] = {bytes - 1, bytes - bytes / 3, bytes / 6 + 1024};
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        told t;
        limit(self, &t, limits[k]);
        const test_struct call = test_call_on_host(self);
        const clprim_status status = test_call_run(self, &call);
        test_call_expect_on_host(self, "in pieces", status == CLPRIM_SUCCESS);
        if (status == CLPRIM_SUCCESS) {
            cr_assert(may_be_whole || (t.calls > 1 && t.done == t.total), "%s: %zu pieces, %zu of %zu", self->name,
                      t.calls, t.done, t.total);
            continue;
        }
        test_expect_status(status, CLPRIM_UNSUPPORTED, "does not fit the device", self->name);
        cr_assert(k > 0 || may_refuse(self->face->name), "%s: %s", self->name, clprim_last_error());
    }
    ASSERT_OK(clprim_runtime_set_run_limits(self->runtime, NULL));
}

/* With few pieces and with many; with the smallest limit, there may not be room for any. */
CONTRACT_TEST(contract_pieces, run_as_the_whole_call, test_is_full() ? CONTRACT_VARIANTS : CONTRACT_SAMPLES, COUNT, 90)
{
    check(self, bytes_of(self), clprim__is_native(self->plan->variant)); /* which takes no memory of the device */
}

/* Outputs without room for all results. */
CONTRACT_TEST(contract_pieces, run_with_short_outputs, CONTRACT_SAMPLES, COUNT, 93)
{
    for (size_t eighths = 7; eighths > 0 && test_call_shorten(self, eighths); eighths /= 2)
        check(self, bytes_of(self), true);
}

/* Elements come from an expression, and their number is on the device. */
static bool given(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample, int variant)
{
    test_call self;
    (void)sample;
    if (!contract_create(&self, runtime, subject, CONTRACT_GIVEN, variant, COUNT, 91))
        return true; /* it supports neither */
    check(&self, bytes_of(&self), true);
    test_call_destroy(&self);
    return true;
}

Test(contract_pieces, run_with_expressions_and_counts, .timeout = 900)
{
    contract_for_each(CONTRACT_OPERATIONS, given);
}

/* An output overwrites an input: pieces that are copied back overwrite elements that later pieces need besides their
 * own. */
CONTRACT_TEST(contract_pieces, run_in_place, CONTRACT_SAMPLES, COUNT, 92)
{
    for (size_t i = 0; i < self->num_arrays; i++) {
        const int input = self->arrays[i].in_place_of;
        if (!self->arrays[i].is_there || input < 0 || self->arrays[i].length < COUNT)
            continue;
        self->replaced = UINT64_C(1) << input;
        contract_fill(self, COUNT, 92);
        check(self, bytes_of(self) / 2, true);
    }
}
