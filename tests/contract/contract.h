/* contract.h: calls of all operations, made from their tables and samples. What all operations promise (clprim/plan.h)
 * is tested with them, so that an operation that is added is tested without a line of its own. */
#ifndef CLPRIM_TEST_CONTRACT_H
#define CLPRIM_TEST_CONTRACT_H

#include "call.h"

/* A call of about `count` elements by a plan of the subject's sample; the seed decides data and offsets. False where
 * the device does not have the sample (a plan is CLPRIM_UNSUPPORTED there), and then there is nothing to destroy. */
bool contract_create(test_call *out, clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample,
                     int variant, size_t count, uint64_t seed);
/* Other data for it. */
void contract_fill(test_call *self, size_t count, uint64_t seed);

/* Call body(runtime, subject, sample) for each operation's samples. */
typedef void (*contract_body)(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample);
void contract_for_all(contract_body body);

/* Call body(runtime, subject, sample, variant) for each operation's samples with AUTO, and for each variant with
 * the first sample: variants differ in what memory and how many launches they take. */
typedef void (*contract_variant_body)(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample,
                                      int variant);
void contract_for_variants(contract_variant_body body);

#endif
