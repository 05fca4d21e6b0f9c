/* contract.c: calls of all operations, made from their tables and samples. */
#include "contract.h"

#include <stdlib.h>

bool contract_set_max_count(test_struct *desc, const clprim_operation *face, size_t max_count)
{
    for (const clprim_member *m = face->desc_members; m->name != NULL; m++)
        if (strcmp(m->name, "max_count") == 0) {
            memcpy(desc->bytes + m->place, &max_count, sizeof max_count);
            return true;
        }
    return false;
}

bool contract_create(test_call *out, clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample,
                     int variant, size_t count, uint64_t seed)
{
    test_struct desc;
    const clprim_operation *face = subject->operation->face;
    memcpy(desc.bytes, (const char *)subject->samples + sample * subject->desc_size, subject->desc_size);
    memcpy(desc.bytes + subject->variant_at, &variant, sizeof variant);
    clprim_status status = test_call_try(out, runtime, face, desc.bytes);
    if (status == CLPRIM_UNSUPPORTED && variant != 0 && contract_set_max_count(&desc, face, count > 0 ? count : 1))
        status = test_call_try(out, runtime, face, desc.bytes);
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

static bool has_int64_atomics(const clprim_device_info *info)
{
    return info->has_int64_atomics;
}

static bool has_device_fence(const clprim_device_info *info)
{
    return info->has_device_fence;
}

static bool has_forward_progress(const clprim_device_info *info)
{
    return info->has_forward_progress;
}

static bool has_sub_groups(const clprim_device_info *info)
{
    return info->sub_group_means != CLPRIM_SUB_GROUP_NONE;
}

/* All that variants say they need. What a call must be like has no function: one of the samples is like that. */
static const struct {
    const char *words;
    bool (*is_there)(const clprim_device_info *info);
    bool pocl, nvidia; /* these drivers have it */
} all_needs[] = {
    {"64-bit atomics", has_int64_atomics, true, true},
    {"memory order between work-groups", has_device_fence, true, true},
    {"forward progress between work-groups", has_forward_progress, true, true},
    {"sub-groups", has_sub_groups, false, true},
    {"an array that fits local memory", NULL, true, true},
    {"segments that fit local memory", NULL, true, true},
    {"up to 64 bins", NULL, true, true},
    {"sorted needles", NULL, true, true},
};

/* One of the words. A tested driver has what the table says it has: what a device claims not to have excuses nothing
 * there, unless CLPRIM_WITHOUT takes it away. */
static bool has_one(const clprim_device_info *info, const char *words, size_t length)
{
    for (size_t i = 0; i < sizeof all_needs / sizeof *all_needs; i++) {
        if (strlen(all_needs[i].words) != length || strncmp(all_needs[i].words, words, length) != 0)
            continue;
        const bool must = (info->vendor == CLPRIM_VENDOR_POCL && all_needs[i].pocl) ||
                          (info->vendor == CLPRIM_VENDOR_NVIDIA && all_needs[i].nvidia);
        const bool has = all_needs[i].is_there == NULL || all_needs[i].is_there(info);
        cr_assert(has || !must || getenv("CLPRIM_WITHOUT") != NULL, "%s seems to have no %s", info->name,
                  all_needs[i].words);
        return has;
    }
    cr_assert_fail("\"%s\" begins with words that contract.c does not know", words);
    return false;
}

bool contract_has(const clprim_device_info *info, const char *needs)
{
    static const char both[] = ", and ", either[] = " or ";
    bool all = true;
    bool any = false;
    while (*needs != '\0') {
        const char *conjunction = strstr(needs, both);
        const char *disjunction = strstr(needs, either);
        const char *end = conjunction != NULL ? conjunction : needs + strlen(needs);
        if (disjunction != NULL && disjunction < end)
            end = disjunction;
        any = has_one(info, needs, (size_t)(end - needs)) || any;
        if (end == disjunction) {
            needs = end + strlen(either);
            continue;
        }
        all = all && any;
        any = false;
        needs = end + (end == conjunction ? strlen(both) : 0);
    }
    return all;
}

static size_t num_samples(const clprim__trial_subject *subject)
{
    size_t count = 0;
    while (count < CLPRIM__TRIAL_MAX_SAMPLES && subject->sample_names[count] != NULL)
        count++;
    return count;
}

static const clprim_variant_info *variants_of(const clprim__trial_subject *subject, size_t *count)
{
    *count = 0;
    return subject->variants != NULL ? subject->variants(count) : NULL;
}

/* Whether the body is true for a sample: for one that it takes, or for any of all. */
static bool try_samples(clprim_runtime *runtime, const clprim__trial_subject *subject, int variant, bool all,
                        contract_body body)
{
    bool any = false;
    for (size_t s = 0; s < num_samples(subject) && (all || !any); s++)
        any = body(runtime, subject, s, variant) || any;
    return any;
}

static void for_auto(contract_body body, bool all)
{
    size_t count = 0;
    const clprim__trial_subject *const *subjects = clprim__operation_subjects(&count);
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < count; i++)
        cr_assert(try_samples(runtime, subjects[i], 0, all, body), "%s refuses all samples: %s", subjects[i]->stem,
                  clprim_last_error());
    clprim_runtime_destroy(runtime);
}

void contract_for_operations(contract_body body)
{
    for_auto(body, false);
}

void contract_for_samples(contract_body body)
{
    for_auto(body, true);
}

contract_case contract_case_at(size_t place)
{
    size_t count = 0;
    const clprim__trial_subject *const *subjects = clprim__operation_subjects(&count);
    for (size_t i = 0; i < count; i++) {
        size_t num_variants = 0;
        const clprim_variant_info *variants = variants_of(subjects[i], &num_variants);
        const size_t samples = num_samples(subjects[i]);
        if (place < samples)
            return (contract_case){.subject = subjects[i], .sample = place};
        place -= samples;
        if (place < num_variants)
            return (contract_case){.subject = subjects[i], .variant = variants[place].id};
        place -= num_variants;
    }
    return (contract_case){.subject = NULL};
}

size_t contract_num_cases(void)
{
    size_t count = 0;
    while (contract_case_at(count).subject != NULL)
        count++;
    return count;
}

bool contract_run_case(clprim_runtime *runtime, const contract_case *at, contract_body body)
{
    size_t count = 0;
    const clprim_variant_info *variants = variants_of(at->subject, &count);
    if (at->variant == 0)
        return body(runtime, at->subject, at->sample, 0);
    if (try_samples(runtime, at->subject, at->variant, false, body))
        return true;
    for (size_t v = 0; v < count; v++)
        cr_assert(variants[v].id != at->variant || !contract_has(clprim_runtime_info(runtime), variants[v].needs),
                  "%s: %s refuses all samples, and the device has what it needs: %s", at->subject->stem,
                  variants[v].name, clprim_last_error());
    return false;
}

void contract_for_variants(contract_body body)
{
    clprim_runtime *runtime = test_runtime(NULL);
    contract_for_samples(body);
    for (size_t place = 0; place < contract_num_cases(); place++) {
        const contract_case at = contract_case_at(place);
        if (at.variant != 0)
            (void)contract_run_case(runtime, &at, body);
    }
    clprim_runtime_destroy(runtime);
}
