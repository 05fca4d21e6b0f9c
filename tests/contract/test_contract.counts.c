// SPDX-License-Identifier: MIT
/* test_contract.counts.c: the number of elements is on the device. Each operation that supports this must, with each
 * variant, give the same result as with that count on the host. */
#include "cases.h"
#include "contract.h"

enum { COUNT = 5000, NUMBERS = 6 /* clprim__plan_sample chooses among them, by the seed's bits from the seventh on */ };

/* Create a plan of the sample, with max_count if the variant needs it. */
static bool create(test_call *out, clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample,
                   int variant)
{
    const clprim_operation *face = subject->operation->face;
    for (size_t max_count = 0; max_count <= COUNT; max_count += COUNT) {
        test_struct desc = test_with(face, test_sample_of(subject, sample), "variant", (uint64_t)variant);
        test_put(&desc, face->desc_members, "max_count", max_count);
        test_put(&desc, face->desc_members, "count_at_type", sample % 2 == 0 ? CLPRIM_U32 : CLPRIM_U64);
        const clprim_status status = test_call_try(out, runtime, face, desc.bytes);
        if (status == CLPRIM_SUCCESS)
            return true;
        cr_assert(status == CLPRIM_UNSUPPORTED || status == CLPRIM_INVALID_ARGUMENT, "%s: %s", out->name,
                  clprim_last_error());
    }
    return false;
}

static bool counted(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample, int variant)
{
    static const size_t counts[] = {COUNT, 257, 1, 0};
    test_call self;
    if (test_member(subject->operation->face->desc_members, "count_at_type") == NULL)
        return true;
    if (!create(&self, runtime, subject, sample, variant)) /* comparison_sort.h: BITONIC does not support it */
        return variant != 0 && strstr(clprim_last_error(), "takes no counts on the device") != NULL;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (uint64_t k = 0; k < NUMBERS; k++) {
            contract_fill(&self, counts[i], (i * NUMBERS + k) << 7 | k);
            test_call_check_by(&self, counts[i] == 257, "number %d of those on the device", (int)k);
        }
    /* If one of several counts is left out, the host's count is used. */
    for (const clprim_member *m = self.face->call_members; m->name != NULL; m++)
        for (uint64_t seed = 0; seed < 8 && clprim__is_count_at(m) && m->is_optional; seed++) {
            self.without = m->name;
            contract_fill(&self, COUNT, seed << 7 | seed);
            test_call_check(&self, "without %s", m->name);
        }
    test_call_destroy(&self);
    return true;
}

Test(contract_counts, on_the_device, .timeout = 900)
{
    contract_for_each(CONTRACT_VARIANTS, counted);
}

Test(contract_counts, refusals)
{
    TEST_REFUSE_EACH(reduce, TEST_INVALID(reduce, "count_at_type", false, .count_at_type = CLPRIM_F32),
                     TEST_INVALID(reduce, "count_at_type", false, .count_at_type = CLPRIM_U8));
}
