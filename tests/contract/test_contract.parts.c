/* test_contract.parts.c: run with so little memory on the device that calls go through it in parts: the results are those
 * of the whole call. What cannot be cut is refused, and nothing is written. */

#include "contract.h"

enum { COUNT = 3000, LIMITS = 3 };

/* What a progress function was told. */
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

static bool is_cut(const char *name)
{
    static const char *const names[] = {"reduce"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

CONTRACT_TEST(contract_parts, run_as_the_whole_call, CONTRACT_SAMPLES, COUNT, 90)
{
    const size_t bytes = bytes_of(self);
    size_t most = 0;
    const size_t limits[LIMITS] = {bytes - 1, bytes - bytes / 3, bytes / 6 + 1024};
    for (size_t k = 0; k < LIMITS; k++) {
        told t;
        if (limits[k] >= bytes)
            continue;
        limit(self, &t, limits[k]);
        const test_struct call = test_call_on_host(self);
        const clprim_status status = test_call_run(self, &call);
        test_call_expect_on_host(self, "in parts", status == CLPRIM_SUCCESS);
        if (status == CLPRIM_SUCCESS) {
            cr_assert(t.calls > 1 && t.done == t.total, "%s: %zu parts, %zu of %zu", self->name, t.calls, t.done,
                      t.total);
            most = t.calls > most ? t.calls : most;
        } else {
            test_expect_status(status, CLPRIM_UNSUPPORTED, "device memory", self->name);
        }
    }
    ASSERT_OK(clprim_runtime_set_run_limits(self->runtime, NULL));
    cr_assert(!is_cut(self->face->name) || most > 0, "%s", self->name);
}
