/* test_contract.parts.c: run with so little memory on the device that calls go through it in parts: the results are those
 * of the whole call. What cannot be cut is refused, and nothing is written. */

#include "contract.h"

enum { COUNT = 20000 };

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

/* What cannot be cut, by the operation and a word of its sentence; all other calls are. */
static bool may_refuse(const char *operation)
{
    static const struct {
        const char *operation, *because;
    } rows[] = {
        {"scan", "segments may reach"},    {"select", "with .partition"}, {"top_k", "k, 1000, is too large"},
        {"merge", "as a whole"},           {"sort_by_key", "as a whole"}, {"segmented_sort", "as a whole"},
        {"comparison_sort", "as a whole"}, {"radix_sort", "as a whole"},  {"bitonic_sort", "as a whole"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].operation, operation) == 0 && strstr(clprim_last_error(), rows[i].because) != NULL)
            return true;
    return false;
}

/* In a few parts and in many; with the smallest limit there may be room for none. */
CONTRACT_TEST(contract_parts, run_as_the_whole_call, CONTRACT_SAMPLES, COUNT, 90)
{
    const size_t bytes = bytes_of(self);
    const size_t limits[] = {bytes - 1, bytes - bytes / 3, bytes / 6 + 1024};
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        told t;
        limit(self, &t, limits[k]);
        const test_struct call = test_call_on_host(self);
        const clprim_status status = test_call_run(self, &call);
        test_call_expect_on_host(self, "in parts", status == CLPRIM_SUCCESS);
        if (status == CLPRIM_SUCCESS) {
            cr_assert(t.calls > 1 && t.done == t.total, "%s: %zu parts, %zu of %zu", self->name, t.calls, t.done,
                      t.total);
            continue;
        }
        test_expect_status(status, CLPRIM_UNSUPPORTED, "does not fit the device", self->name);
        cr_assert(k > 0 || may_refuse(self->face->name), "%s: %s", self->name, clprim_last_error());
    }
    ASSERT_OK(clprim_runtime_set_run_limits(self->runtime, NULL));
}
