// SPDX-License-Identifier: MIT
/* verdicts.h: which variants work on this device with this driver, and which give wrong results.
 *
 * A verdict's key identifies everything that it depends on, including each program (trial.c). So with another driver,
 * another version of the library or a changed kernel, the trial is run again. Verdicts are kept in the runtime, and on
 * disk as entries of the program cache, whose programs never have such keys. */
#ifndef CLPRIM_LIB_VERDICTS_H
#define CLPRIM_LIB_VERDICTS_H

#include <clprim/runtime.h>
#include <stdbool.h>
#include <stddef.h>

#include "program.h"
#include "text.h"

enum { CLPRIM__WHY_SIZE = 512 }; /* size of the sentence why a variant is wrong; "" if it works */

/* The verdicts of one runtime. Thread-safe. */
typedef struct clprim__verdicts clprim__verdicts;

/* Create them. programs: their disk cache is used, and they must outlive the verdicts.
 * Errors: CLPRIM_OUT_OF_MEMORY; CLPRIM_INVALID_ARGUMENT for an unknown CLPRIM_SELF_TEST. */
clprim_status clprim__verdicts_create(clprim__verdicts **out, const clprim_device_info *info,
                                      const clprim__programs *programs);
void clprim__verdicts_destroy(clprim__verdicts *self);

/* Whether to test a variant without a verdict when a plan is created: see CLPRIM_SELF_TEST. */
bool clprim__verdicts_are_wanted(const clprim__verdicts *self);

/* Whether to take notes (risk.h) during trials and compilations: on drivers that nobody has tested. */
bool clprim__verdicts_take_notes(const clprim__verdicts *self);

/* The disk cache, for notes. */
clprim__disk_cache *clprim__verdicts_disk(const clprim__verdicts *self);

/* Find a verdict in memory or on disk; returns whether there is one. */
bool clprim__verdicts_find(char why[CLPRIM__WHY_SIZE], clprim__verdicts *self, const clprim__text *key);

/* Keep a verdict, and replace an older one. `name` is what sentences call the variant. for_good: keep it on disk, too.
 * Errors: CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__verdicts_keep(clprim__verdicts *self, const clprim__text *key, const char *name, const char *why,
                                    bool for_good);

/* The implementation of clprim_runtime_set_aside. */
size_t clprim__verdicts_set_aside(clprim__verdicts *self, char *out, size_t capacity);

#endif
