// SPDX-License-Identifier: MIT
/* plan_sample.h: make sample calls of any operation, and compute their expected results by the reference. For trials
 * and tests.
 *
 * References support neither texts nor counts on the device. Samples can have both all the same: a count on the device
 * limits the elements, and an expression can read elements from an argument instead of from an array of the call. */
#ifndef CLPRIM_LIB_PLAN_SAMPLE_H
#define CLPRIM_LIB_PLAN_SAMPLE_H

#include "plan_internal.h"

/* Let an expression provide the description's elements: it reads an array `x` at i. Returns false, and changes nothing,
 * if the operation has no array that .input replaces, or if its elements do not have a built-in type. */
bool clprim__plan_give_input(void *desc, const clprim__operation *operation);

/* Let the description's calls have a count on the device. Returns false if the operation does not support it, or if
 * they already have one. */
bool clprim__plan_give_count_at(void *desc, const clprim__operation *operation);

/* Whether the reference can compute the expected results for this description: it has no text from the caller, except
 * for the expression of clprim__plan_give_input. */
bool clprim__plan_has_reference(const clprim__operation *operation, const void *desc);

/* Make the operation's sample: a call on the host. Some counts at .count_at are less than the call's counts on the
 * host, some are greater. If there is an expression of clprim__plan_give_input, its array is the first argument. */
void clprim__plan_sample(clprim__trial *trial, const clprim__operation *operation, const void *desc, void *call,
                         size_t count);

/* Make the same call with its counts on the host limited by those at .count_at. */
void clprim__plan_limit(clprim__given *out, const clprim__operation *operation, const void *desc, const void *call);

/* Run the call by the operation's reference. The description must have a reference. */
clprim_status clprim__plan_reference(const clprim__operation *operation, const void *desc, const void *call);

#endif
