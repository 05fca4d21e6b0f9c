/* model.h: random calls of every operation, right and wrong ones, and what must come of each.
 *
 * A model owns plans, buffers on the device, and beside each buffer what must be in it. A step makes one call by the
 * operation's table. Whether the library must take it or refuse it is worked out here, from the table; what it writes,
 * by the operation's reference. Then every byte of every buffer is compared. The fuzzer and the soak test are made of
 * this. No Criterion: a step that finds something says so and gives false. */
#ifndef CLPRIM_TEST_MODEL_H
#define CLPRIM_TEST_MODEL_H

#include "describe.h"

/* What is counted: calls that were to succeed, and did; of these by run, with arrays on the host; calls and descriptions
 * that were to be refused, and were; plans that were made. */
enum { MODEL_CALLS, MODEL_HOST, MODEL_REFUSALS, MODEL_BAD_DESCS, MODEL_PLANS, MODEL_COUNTS };

typedef struct model model;

/* Plans of each operation's first sample and of `extra` random descriptions, which the seed decides. `largest`: elements
 * of a call at most. It adds to counts[MODEL_COUNTS], which like the runtime must outlive it. NULL, and a line on
 * stderr, where something is wrong. */
model *model_create(clprim_runtime *runtime, size_t largest, size_t extra, uint64_t seed, size_t *counts);
/* False where something was wrong; what, is then on stderr. */
bool model_step(model *self, test_source *source);
void model_destroy(model *self);

#endif
