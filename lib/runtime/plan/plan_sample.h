/* plan_sample.h: calls of any operation with data of its own, and what its reference says of them. For trials and tests.
 *
 * References know neither texts nor devices. A sample has both all the same: a number on the device that counts its
 * elements, and elements that an expression reads in an argument, where otherwise they are an array of the call's. */
#ifndef CLPRIM_LIB_PLAN_SAMPLE_H
#define CLPRIM_LIB_PLAN_SAMPLE_H

#include "plan_internal.h"

/* Let the description's elements come from an expression over an array `x`, which is x at i. False, and nothing is
 * written, where calls have no array that .input replaces, or its elements are of no built-in type. */
bool clprim__plan_give_input(void *desc, const clprim__operation *operation);

/* Let the description's calls have a number of elements on the device. False where the operation takes none, or where
 * they have. */
bool clprim__plan_give_count_at(void *desc, const clprim__operation *operation);

/* Whether the reference can tell what a plan of this description must write: it has no text of the caller's, but for the
 * expression of clprim__plan_give_input. */
bool clprim__plan_has_reference(const clprim__operation *operation, const void *desc);

/* The operation's sample: a call on the host. Of counts at .count_at some are less than those of the call, some greater.
 * The array that is read by an expression of clprim__plan_give_input is the first argument. */
void clprim__plan_sample(clprim__trial *trial, const clprim__operation *operation, const void *desc, void *call,
                         size_t count);

/* The same call on the host, with counts that heed those at .count_at. */
void clprim__plan_limit(clprim__given *out, const clprim__operation *operation, const void *desc, const void *call);

/* The call by the operation's reference, for a description that has one. */
clprim_status clprim__plan_reference(const clprim__operation *operation, const void *desc, const void *call);

#endif
