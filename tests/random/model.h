// SPDX-License-Identifier: MIT
/* model.h: random calls of every operation, right and wrong ones, and what each must do.
 *
 * A model owns plans, buffers on the device, and for each buffer a copy of what must be in it. A step makes one call,
 * generated from the operation's table. The model computes from the table whether the library must take or refuse the
 * call, and with the operation's reference what it must write. Then every byte of every buffer is compared. The fuzzer
 * and the soak test are built on this. It does not use Criterion: a step that finds an error prints it and returns
 * false. */
#ifndef CLPRIM_TEST_MODEL_H
#define CLPRIM_TEST_MODEL_H

#include "describe.h"

/* The counts: calls that had to succeed, and did; calls among these that used run, with arrays on the host; calls
 * that had to be refused, and were; descriptions that had to be refused, and were; plans that were made. */
enum { MODEL_CALLS, MODEL_HOST, MODEL_REFUSALS, MODEL_BAD_DESCS, MODEL_PLANS, MODEL_COUNTS };

typedef struct model model;

/* Make plans of each operation's first sample and of `extra` random descriptions, which the seed determines. `largest`:
 * elements of a call at most. The model adds to counts[MODEL_COUNTS], which, like the runtime, must outlive it. Returns
 * NULL, and prints a line on stderr, if something is wrong. */
model *model_create(clprim_runtime *runtime, size_t largest, size_t extra, uint64_t seed, size_t *counts);
/* Returns false if something was wrong, and prints it on stderr. */
bool model_step(model *self, test_source *source);
void model_destroy(model *self);

#endif
