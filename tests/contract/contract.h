// SPDX-License-Identifier: MIT
/* contract.h: calls of all operations, made from their tables and samples. They test what all operations promise
 * (clprim/plan.h), so a new operation is tested without additional code. */
#ifndef CLPRIM_TEST_CONTRACT_H
#define CLPRIM_TEST_CONTRACT_H

#include "call.h"

/* Instead of the number of a sample: the first sample, with elements from an expression and their number on the device,
 * as far as the operation supports these. Refused if it supports neither. */
enum { CONTRACT_GIVEN = CLPRIM__TRIAL_MAX_SAMPLES };

/* Make a call of about `count` elements with a plan of the subject's sample. The seed determines data and offsets. If a
 * variant refuses the sample unchanged, max_count is set to `count`. run (test_call_run) uses the description as it was
 * created: with this variant and this max_count. Returns false if the device does not support the sample (its plan is
 * CLPRIM_UNSUPPORTED), or if the variant refuses it; then there is nothing to destroy. */
bool contract_create(test_call *out, clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample,
                     int variant, size_t count, uint64_t seed);
/* Make another call of the same description, with its own plan. */
void contract_again(test_call *out, const test_call *self, size_t count, uint64_t seed);
/* Fill it with other data. */
void contract_fill(test_call *self, size_t count, uint64_t seed);
/* The same, with arrays at the offsets that another seed gives. */
void contract_fill_at(test_call *self, size_t count, uint64_t seed, uint64_t place);

/* Which calls are made. CONTRACT_OPERATIONS: for each operation, AUTO with the first sample that the device supports.
 * CONTRACT_SAMPLES: AUTO with all samples. CONTRACT_VARIANTS: in addition, each variant with the first sample that it
 * accepts, because variants differ in their memory and launches. */
typedef enum contract_range { CONTRACT_OPERATIONS, CONTRACT_SAMPLES, CONTRACT_VARIANTS } contract_range;

/* Check each of these calls, which contract_create makes. It fails if the device supports no sample of an operation, or
 * if a variant accepts no sample although the device has what it needs. */
void contract_for(contract_range range, size_t count, uint64_t seed, void (*check)(test_call *self));

/* Define a test of these calls; its body checks the call `self`. */
#define CONTRACT_TEST(suite, test, range, count, seed)                                                                 \
    static void suite##_##test(test_call *self);                                                                       \
    Test(suite, test, .timeout = 900)                                                                                  \
    {                                                                                                                  \
        contract_for(range, count, seed, suite##_##test);                                                              \
    }                                                                                                                  \
    static void suite##_##test(test_call *self)

/* The same for tests that make the calls themselves. The function returns false if contract_create refuses the
 * sample. */
typedef bool (*contract_body)(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample,
                              int variant);
void contract_for_each(contract_range range, contract_body body);

/* The cases of CONTRACT_VARIANTS by number, for tests that run each in a separate process. */
typedef struct contract_case {
    const clprim__trial_subject *subject;
    size_t sample;                      /* for AUTO */
    const clprim_variant_info *variant; /* NULL: AUTO */
} contract_case;

size_t contract_num_cases(void);
contract_case contract_case_at(size_t place);
/* Returns false if the device lacks what the case needs. Returns true without running anything if a quick run leaves
 * the case out. */
bool contract_run_case(clprim_runtime *runtime, const contract_case *at, contract_body body);

/* Why calls of an operation are refused: a part of the sentence. Whether the last error is one of these reasons, or one of
 * those that run in pieces and streams have in common: calls that cannot be cut. */
typedef struct contract_reason {
    const char *operation, *because;
} contract_reason;
bool contract_has_reason(const char *operation, const contract_reason *more, size_t num_more);

/* Whether the device has what a variant needs (clprim_variant_info.needs). It fails if that contains an unknown
 * word. */
bool contract_has(const clprim_device_info *info, const char *needs);

#endif
