/* verdicts.h: which variants were found right or wrong on this device, by this driver.
 *
 * A verdict's key says what it is about down to the last program (trial.c), so that another driver, another version of
 * the library or another kernel is tried anew. Verdicts are kept in the runtime, and on disk as entries of the program
 * cache, in which no program has such a key. */
#ifndef CLPRIM_LIB_VERDICTS_H
#define CLPRIM_LIB_VERDICTS_H

#include <clprim/runtime.h>
#include <stdbool.h>
#include <stddef.h>

#include "program.h"
#include "text.h"

enum { CLPRIM__WHY_SIZE = 512 }; /* of the sentence why a variant is wrong; "" where it is right */

/* Of one runtime. Thread-safe. */
typedef struct clprim__verdicts clprim__verdicts;

/* programs: whose cache on disk is used; they must outlive the verdicts.
 * Errors: CLPRIM_OUT_OF_MEMORY; CLPRIM_INVALID_ARGUMENT for an unknown CLPRIM_SELF_TEST. */
clprim_status clprim__verdicts_create(clprim__verdicts **out, const clprim_device_info *info,
                                      const clprim__programs *programs);
void clprim__verdicts_destroy(clprim__verdicts *self);

/* Whether a variant without a verdict is to be tried when a plan is made: see CLPRIM_SELF_TEST. */
bool clprim__verdicts_are_wanted(const clprim__verdicts *self);

/* Whether what is tried, or compiled, is noted while it is (risk.h): on drivers that nobody has tested. */
bool clprim__verdicts_take_notes(const clprim__verdicts *self);

/* The cache on disk, for notes. */
clprim__disk_cache *clprim__verdicts_disk(const clprim__verdicts *self);

/* True where there is a verdict, from memory or from disk. */
bool clprim__verdicts_find(char why[CLPRIM__WHY_SIZE], clprim__verdicts *self, const clprim__text *key);

/* Keep one, over what there is. `name` is what sentences call the variant. for_good: on disk, too.
 * Errors: CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__verdicts_keep(clprim__verdicts *self, const clprim__text *key, const char *name, const char *why,
                                    bool for_good);

/* As clprim_runtime_set_aside. */
size_t clprim__verdicts_set_aside(clprim__verdicts *self, char *out, size_t capacity);

#endif
