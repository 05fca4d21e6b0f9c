// SPDX-License-Identifier: MIT
/* test_contract.explore.c: random descriptions of every operation, for each of its variants and each type, compared
 * with the reference. By default only one in SHARE pairs of variant and type is tested, because PoCL needs 0.6 s to
 * compile for a description. */
#include "contract.h"

#include <stdio.h>

enum { TRIES = 100, SHARE = 11, LEAST_PAIRS = 4, FULL_ROUNDS = 2 };

/* No element, one element, and sizes around those of groups and tiles. */
static const size_t sizes[] = {0, 1, 2, 63, 64, 65, 255, 257, 1023, 1025, 2049, 4095, 4097, 16385};

/* Make a call of each size, alternating the pattern of the data. Returns false if the description is refused. */
static bool meets_reference(clprim_runtime *runtime, const clprim_operation *face, const test_struct *desc,
                            uint64_t seed)
{
    test_call self;
    const clprim_status status = test_call_try(&self, runtime, face, desc->bytes);
    if (status != CLPRIM_SUCCESS) {
        cr_assert(status == CLPRIM_INVALID_ARGUMENT || status == CLPRIM_INVALID_OPERATOR ||
                      status == CLPRIM_UNSUPPORTED,
                  "%s: %s: %s", self.name, clprim_status_string(status), clprim_last_error());
        cr_assert_str_not_empty(clprim_last_error(), "%s", self.name);
        return false;
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        self.replaced = (seed + i) % 8 < 4 ? UINT64_MAX : 0;
        contract_fill(&self, sizes[i], seed + i);
        test_call_check(&self, "%zu elements, pattern %llu", sizes[i], (unsigned long long)(seed + i) % 4);
    }
    test_call_destroy(&self);
    return true;
}

/* Test a random description with this variant and type, if the operation has one: the type is the first one in the
 * table. */
static void explore(clprim_runtime *runtime, const clprim__trial_subject *subject, int variant, clprim_type type,
                    uint64_t seed)
{
    const clprim_operation *face = subject->operation->face;
    const clprim_member *first = face->desc_members;
    test_source source = {.state = seed};
    test_struct desc;
    while (first->kind != CLPRIM_MEMBER_TYPE)
        first++;
    for (int i = 0; i < TRIES; i++) {
        test_random_desc(&desc, subject, &source);
        test_put(&desc, face->desc_members, "variant", (uint64_t)variant);
        test_set_member(&desc, first, 0, (uint64_t)type);
        test_random_give(&desc, subject, &source);
        if (meets_reference(runtime, face, &desc, seed))
            return;
    }
}

#define ONE(name) 1 +
TEST_EACH(contract_explore, operations, CLPRIM_OPERATIONS(ONE) 0, .timeout = 1700)
{
    char name[TEST_NAME_SIZE];
    size_t count = 0;
    const clprim__trial_subject *subject = clprim__operation_subjects(&count)[*number];
    const clprim_variant_info *variants = test_variants(subject->operation->face, &count);
    const size_t rounds = test_is_full() ? FULL_ROUNDS : 1;
    clprim_runtime *runtime = test_runtime(NULL);
    count += variants == NULL; /* AUTO, if there are no variants */
    const size_t pairs = count * (CLPRIM_TYPE_END - 1);
    const size_t share = test_is_full() ? 1 : pairs < SHARE * LEAST_PAIRS ? pairs / LEAST_PAIRS : SHARE;
    for (size_t i = 0; i < pairs * rounds; i++) {
        const size_t v = i % count;
        const size_t type = 1 + i / count % (CLPRIM_TYPE_END - 1);
        (void)snprintf(name, sizeof name, "explore %s, %zu, type %zu", subject->stem, v, type);
        if ((v + type + *number) % share == 0 && test_is_sampled(name))
            explore(runtime, subject, variants != NULL ? variants[v].id : 0, (clprim_type)type, i);
    }
    clprim_runtime_destroy(runtime);
}
