/* model.h: calls of primitives as a random source says them, right and wrong ones, and what must come of each.
 *
 * A model owns buffers on the device and keeps beside each what must be in it. A step makes one call; whether the
 * library must take it or refuse it is worked out here, from what the headers say, and what it writes by
 * clprim_reference_*. Then every byte of every buffer is compared. The fuzzer and the soak test are made of this.
 * No Criterion: a step that finds something says so and gives false. */
#ifndef CLPRIM_TEST_MODEL_H
#define CLPRIM_TEST_MODEL_H

#include <clprim/clprim.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers: of given bytes, and zeros behind their end, or without end of a generator. */
typedef struct model_source {
    const uint8_t *bytes; /* NULL: of the generator */
    size_t left;
    uint64_t state;
} model_source;

uint32_t model_number(model_source *source);            /* 2 bytes of what is given */
size_t model_below(model_source *source, size_t limit); /* 0 .. limit - 1 */
bool model_is_empty(const model_source *source);

typedef struct model_counts {
    size_t calls;     /* that were to succeed, and did */
    size_t refusals;  /* that were to be refused, and were */
    size_t bad_descs; /* descriptions that were refused */
    size_t host;      /* of calls those from host to host */
    size_t plans;     /* made */
} model_counts;

typedef struct model model;

/* NULL, and a line on stderr, where the device fails. `largest`: elements of a call at most; 0: small ones. The runtime
 * must outlive it. */
model *model_create(clprim_runtime *runtime, size_t largest);
/* False where something was wrong; what, is then on stderr. */
bool model_step(model *self, model_source *source);
model_counts model_total(const model *self);
void model_destroy(model *self);

#endif
