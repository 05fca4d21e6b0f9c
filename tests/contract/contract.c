// SPDX-License-Identifier: MIT
/* contract.c: calls of all operations, made from their tables and samples. */
#include "contract.h"

#include <stdio.h>
#include <stdlib.h>

#include "native.h"

bool contract_create(test_call *out, clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample,
                     int variant, size_t count, uint64_t seed)
{
    const clprim_operation *face = subject->operation->face;
    const bool is_given = sample == CONTRACT_GIVEN;
    test_struct desc = test_with(face, test_sample_of(subject, is_given ? 0 : sample), "variant", (uint64_t)variant);
    if (is_given && subject->give(desc.bytes, subject) == NULL)
        return false;
    clprim_status status = test_call_try(out, runtime, face, desc.bytes);
    if (status == CLPRIM_UNSUPPORTED && variant != 0 &&
        test_put(&desc, face->desc_members, "max_count", count > 0 ? count : 1))
        status = test_call_try(out, runtime, face, desc.bytes);
    if (status == CLPRIM_UNSUPPORTED || (variant != 0 && status == CLPRIM_INVALID_ARGUMENT))
        return false;
    test_expect_status(status, CLPRIM_SUCCESS, "", out->name);
    contract_fill(out, count, seed);
    return true;
}

void contract_again(test_call *out, const test_call *self, size_t count, uint64_t seed)
{
    test_call_make(out, self->runtime, self->face, self->desc.bytes);
    contract_fill(out, count, seed);
}

/* Set the arguments. Members that the sample does not set are 0, and arrays have one element. */
static void give_arguments(const test_call *self, test_struct *call)
{
    static const char zeros[16];
    for (size_t i = 0; i < self->plan->num_slots; i++) {
        const clprim__slot *slot = &self->plan->slots[i];
        clprim_array *array = clprim__array_of(call->bytes, slot);
        if (slot->member->is_value != NULL && slot->element_size > 0 && array->host == NULL)
            *array = (clprim_array){.host = (void *)(uintptr_t)zeros, .length = slot->is_value ? 0 : 1};
    }
}

void contract_fill(test_call *self, size_t count, uint64_t seed)
{
    contract_fill_at(self, count, seed, seed);
}

void contract_fill_at(test_call *self, size_t count, uint64_t seed, uint64_t place)
{
    test_struct call = {.bytes = {0}};
    clprim__trial trial = {.runtime = self->runtime, .pattern = (unsigned)(seed % 4), .random = seed ^ TEST_SEED};
    clprim__plan_sample(&trial, self->operation, self->desc.bytes, call.bytes,
                        clprim__trial_count(count, self->plan->max_count));
    test_expect_status(trial.status, CLPRIM_SUCCESS, "", self->name);
    give_arguments(self, &call);
    test_call_fill(self, call.bytes, place);
    while (trial.num_memory > 0)
        free(trial.memory[--trial.num_memory]);
}

/* A driver that is tested must have the features that the table says it has. If a device claims not to have one, that
 * is no excuse for not testing it, unless CLPRIM_WITHOUT disables it. */
bool contract_has(const clprim_device_info *info, const char *needs)
{
    static const char *const joints[] = {", and ", " or "}; /* "or" binds closer */
    const struct {
        const char *words;
        bool is_there; /* ", always" adds a condition that one of the samples meets */
        bool pocl, nvidia;
    } all[] = {
        {"", true, false, false},
        {"memory order between work-groups", info->has_device_fence, true, true},
        {"forward progress between work-groups", info->has_forward_progress, true, true},
        {"64-bit atomics", info->has_int64_atomics, true, true},
        {"sub-groups", info->sub_group_means != CLPRIM_SUB_GROUP_NONE, false, true},
        {"an array that fits local memory", true, true, true},
        {"segments that fit local memory", true, true, true},
        {"a k that fits local memory", true, true, true},
        {"up to 64 bins", true, true, true},
        {"a CPU with native kernels", info->has_native_kernels, true, false},
        {"built-in types without texts", true, true, true},
        {"sorted needles", true, true, true},
        {"a built-in operator without segments", true, true, true},
    };
    for (size_t i = 0; i < 2; i++) {
        const char *joint = strstr(needs, joints[i]);
        char first[128] = {0};
        if (joint == NULL)
            continue;
        cr_assert_lt((size_t)(joint - needs), sizeof first);
        memcpy(first, needs, (size_t)(joint - needs));
        const bool has[] = {contract_has(info, first), contract_has(info, joint + strlen(joints[i]))};
        return i == 0 ? has[0] && has[1] : has[0] || has[1];
    }
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const bool must = (info->vendor == CLPRIM_VENDOR_POCL && all[i].pocl) ||
                          (info->vendor == CLPRIM_VENDOR_NVIDIA && all[i].nvidia);
        if (strcmp(all[i].words, needs) != 0)
            continue;
        cr_assert(all[i].is_there || !must || test_lacks_features() || strstr(needs, "native") != NULL,
                  "%s seems to have no %s", info->name, needs);
        return all[i].is_there;
    }
    cr_assert_fail("contract.c does not know the words \"%s\"", needs);
    return false;
}

contract_case contract_case_at(size_t place)
{
    size_t count = 0;
    const clprim__trial_subject *const *subjects = clprim__operation_subjects(&count);
    for (size_t i = 0; i < count; i++) {
        size_t num_variants = 0;
        const clprim_variant_info *variants = test_variants(subjects[i]->operation->face, &num_variants);
        const size_t samples = test_num_samples(subjects[i]);
        if (place < samples)
            return (contract_case){subjects[i], place, NULL};
        if (place < samples + num_variants)
            return (contract_case){subjects[i], 0, &variants[place - samples]};
        place -= samples + num_variants;
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

/* Each test has its own sample; together, the tests include all operations. With CLPRIM_TEST_NATIVE only those that have
 * code of the host, which AUTO then takes. */
static bool is_sampled(const contract_case *at)
{
    char name[TEST_NAME_SIZE];
    if (getenv("CLPRIM_TEST_NATIVE") != NULL &&
        (at->subject->operation->native == NULL || (at->variant != NULL && !clprim__is_native(at->variant))))
        return false;
    (void)snprintf(name, sizeof name, "%s/%s: %s by %s, %zu", criterion_current_test->category,
                   criterion_current_test->name, at->subject->stem, at->variant != NULL ? at->variant->name : "auto",
                   at->sample);
    return test_is_sampled(name);
}

bool contract_run_case(clprim_runtime *runtime, const contract_case *at, contract_body body)
{
    if (!is_sampled(at))
        return true;
    if (at->variant == NULL)
        return body(runtime, at->subject, at->sample, 0);
    for (size_t s = 0; s < test_num_samples(at->subject); s++)
        if (body(runtime, at->subject, s, at->variant->id))
            return true;
    cr_assert(!contract_has(clprim_runtime_info(runtime), at->variant->needs),
              "%s: %s refuses all samples, and the device has what it needs: %s", at->subject->stem, at->variant->name,
              clprim_last_error());
    return false;
}

void contract_for_each(contract_range range, contract_body body)
{
    const clprim__trial_subject *subject = NULL;
    bool is_taken = true; /* AUTO supports some sample of the subject */
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t place = 0; place <= contract_num_cases(); place++) {
        const contract_case at = contract_case_at(place);
        if (at.subject != subject) {
            cr_assert(is_taken, "%s refuses all samples: %s", subject->stem, clprim_last_error());
            subject = at.subject;
            is_taken = false;
        }
        if (subject != NULL &&
            (at.variant == NULL ? range > CONTRACT_OPERATIONS || !is_taken : range > CONTRACT_SAMPLES))
            is_taken = (contract_run_case(runtime, &at, body) && at.variant == NULL) || is_taken;
    }
    clprim_runtime_destroy(runtime);
}

/* The arguments of contract_for. */
static size_t check_count;
static uint64_t check_seed;
static void (*check_call)(test_call *self);

static bool check_case(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample, int variant)
{
    test_call self;
    if (!contract_create(&self, runtime, subject, sample, variant, check_count, check_seed))
        return false;
    check_call(&self);
    test_call_destroy(&self);
    return true;
}

void contract_for(contract_range range, size_t count, uint64_t seed, void (*check)(test_call *self))
{
    check_count = count;
    check_seed = seed;
    check_call = check;
    contract_for_each(range, check_case);
}

bool contract_has_reason(const char *operation, const contract_reason *more, size_t num_more)
{
    static const contract_reason common[] = {
        {"scan", "of another type"},
        {"scan", "offsets of segments"},
        {"histogram", "with .strided"},
        {"run_length_encode", "with .min_length"},
        {"search", "with .found_only"},
        {"top_k", "of keys from expressions"},
        {"merge", "pieces are found only"},
        {"set_operation", "pieces are found only"},
        {"segmented_sort", "as a whole"},
        {"segmented_reduce", "computed by .input"},
        {"segmented_top_k", "as a whole"},
        {"nth_element", "computed by .input"},
        {"batched_copy", "as a whole"},
        {"shuffle", "as a whole"},
        {"radix_sort", "computed by .input"},
        {"sort_by_key", "computed by .input"},
        {"comparison_sort", "computed by .input"},
        {"bitonic_sort", "its segments may be anywhere"},
    };
    const size_t num_common = sizeof common / sizeof *common;
    for (size_t i = 0; i < num_common + num_more; i++) {
        const contract_reason *reason = i < num_common ? &common[i] : &more[i - num_common];
        if (strcmp(reason->operation, operation) == 0 && strstr(clprim_last_error(), reason->because) != NULL)
            return true;
    }
    return false;
}
