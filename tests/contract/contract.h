/* contract.h: calls of all operations, made from their tables and samples. What all operations promise (clprim/plan.h)
 * is tested with them, so that an operation that is added is tested without a line of its own. */
#ifndef CLPRIM_TEST_CONTRACT_H
#define CLPRIM_TEST_CONTRACT_H

#include "call.h"

/* In place of a sample's number: the first one, with elements from an expression and their number on the device, as far as
 * the operation takes these; refused where it takes neither. */
enum { CONTRACT_GIVEN = CLPRIM__TRIAL_MAX_SAMPLES };

/* A call of about `count` elements by a plan of the subject's sample; the seed decides data and offsets. A variant that
 * refuses the sample as it is gets it with `count` as its max_count. run (test_call_run) uses the description as it was
 * created: with this variant and this max_count. False if the device does not have the sample (a plan is
 * CLPRIM_UNSUPPORTED there) or the variant refuses it; then there is nothing to destroy. */
bool contract_create(test_call *out, clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample,
                     int variant, size_t count, uint64_t seed);
/* Another call, with a plan of its own, of the same description. */
void contract_again(test_call *out, const test_call *self, size_t count, uint64_t seed);
/* Other data for it. */
void contract_fill(test_call *self, size_t count, uint64_t seed);
/* The same with arrays that lie where another seed puts them. */
void contract_fill_at(test_call *self, size_t count, uint64_t seed, uint64_t place);

/* Which calls are made: of each operation by AUTO the first sample that the device has, or all samples; besides all
 * samples by AUTO each variant with the first sample that it takes: variants differ in their memory and launches. */
typedef enum contract_range { CONTRACT_OPERATIONS, CONTRACT_SAMPLES, CONTRACT_VARIANTS } contract_range;

/* Check each of these calls, which contract_create makes. It fails if an operation has no sample that the device has,
 * or if a variant takes no sample and the device has what it needs. */
void contract_for(contract_range range, size_t count, uint64_t seed, void (*check)(test_call *self));

/* A test of them; its body checks the call `self`. */
#define CONTRACT_TEST(suite, test, range, count, seed)                                                                 \
    static void suite##_##test(test_call *self);                                                                       \
    Test(suite, test, .timeout = 900)                                                                                  \
    {                                                                                                                  \
        contract_for(range, count, seed, suite##_##test);                                                              \
    }                                                                                                                  \
    static void suite##_##test(test_call *self)

/* The same for tests that make the calls themselves. False if contract_create refuses the sample. */
typedef bool (*contract_body)(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample,
                              int variant);
void contract_for_each(contract_range range, contract_body body);

/* The cases of CONTRACT_VARIANTS by number, for tests that run each in a process of its own. */
typedef struct contract_case {
    const clprim__trial_subject *subject;
    size_t sample;                      /* of AUTO */
    const clprim_variant_info *variant; /* NULL: AUTO */
} contract_case;

size_t contract_num_cases(void);
contract_case contract_case_at(size_t place);
/* False if the device has not what the case needs. True, and nothing is run, if a quick run leaves the case out. */
bool contract_run_case(clprim_runtime *runtime, const contract_case *at, contract_body body);

/* Whether the device has what a variant needs (clprim_variant_info.needs). It fails if a word there is unknown. */
bool contract_has(const clprim_device_info *info, const char *needs);

#endif
