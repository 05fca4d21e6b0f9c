// SPDX-License-Identifier: MIT
/* fuzz_calls.c: descriptions and calls of primitives: see model.h. An input is a sequence of steps. */
#include <clprim/clprim.h>

#include "fuzz.h"
#include "model.h"

enum { MAX_STEPS = 32, LARGEST = 300, RANDOM_PLANS = 8 };

static model *subject;
static size_t counts[MODEL_COUNTS];

/* Destroy the runtime before the driver's own exit handlers run. */
static void tidy(void)
{
    (void)fprintf(stderr, "calls: %zu right, %zu refused, %zu bad descriptions, %zu plans\n", counts[MODEL_CALLS],
                  counts[MODEL_REFUSALS], counts[MODEL_BAD_DESCS], counts[MODEL_PLANS]);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    test_source source = {.bytes = bytes, .left = size};
    if (subject == NULL) {
        clprim_runtime *runtime = NULL;
        EXPECT(clprim_runtime_create(&runtime, NULL) == CLPRIM_SUCCESS);
        subject = model_create(runtime, LARGEST, RANDOM_PLANS, 1, counts);
        EXPECT(subject != NULL);
        EXPECT(atexit(tidy) == 0);
    }
    for (int i = 0; i < MAX_STEPS && !test_is_empty(&source); i++)
        EXPECT(model_step(subject, &source));
    return 0;
}
