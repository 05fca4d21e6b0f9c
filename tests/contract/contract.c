/* contract.c: calls of all operations, made from their tables and samples. */
#include "contract.h"

#include <stdlib.h>

bool contract_create(test_call *out, clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample,
                     int variant, size_t count, uint64_t seed)
{
    test_struct desc;
    memcpy(desc.bytes, (const char *)subject->samples + sample * subject->desc_size, subject->desc_size);
    memcpy(desc.bytes + subject->variant_at, &variant, sizeof variant);
    const clprim_status status = test_call_try(out, runtime, subject->operation->face, desc.bytes);
    if (status == CLPRIM_UNSUPPORTED || (variant != 0 && status == CLPRIM_INVALID_ARGUMENT))
        return false;
    cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s: %s", out->name, clprim_last_error());
    contract_fill(out, count, seed);
    return true;
}

void contract_fill(test_call *self, size_t count, uint64_t seed)
{
    test_struct call = {.bytes = {0}};
    clprim__trial trial = {.runtime = self->runtime, .pattern = (unsigned)(seed % 4), .random = seed ^ TEST_SEED};
    self->operation->sample(&trial, self->desc.bytes, call.bytes, clprim__trial_count(count, self->plan->max_count));
    cr_assert_eq((int)trial.status, (int)CLPRIM_SUCCESS, "%s: %s", self->name, clprim_last_error());
    test_call_fill(self, call.bytes, seed);
    while (trial.num_memory > 0)
        free(trial.memory[--trial.num_memory]);
}

void contract_for_all(contract_body body)
{
    size_t count = 0;
    const clprim__trial_subject *const *subjects = clprim__operation_subjects(&count);
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < count; i++)
        for (size_t s = 0; s < CLPRIM__TRIAL_MAX_SAMPLES && subjects[i]->sample_names[s] != NULL; s++)
            body(runtime, subjects[i], s);
    clprim_runtime_destroy(runtime);
}

void contract_for_variants(contract_variant_body body)
{
    size_t count = 0;
    const clprim__trial_subject *const *subjects = clprim__operation_subjects(&count);
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < count; i++) {
        size_t num_variants = 0;
        const clprim_variant_info *variants =
            subjects[i]->variants != NULL ? subjects[i]->variants(&num_variants) : NULL;
        for (size_t s = 0; s < CLPRIM__TRIAL_MAX_SAMPLES && subjects[i]->sample_names[s] != NULL; s++)
            body(runtime, subjects[i], s, 0);
        for (size_t v = 0; v < num_variants; v++)
            body(runtime, subjects[i], 0, variants[v].id);
    }
    clprim_runtime_destroy(runtime);
}
