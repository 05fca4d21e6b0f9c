/* tuned.h: what the files that say how a primitive is tuned have in common. */
#ifndef CLPRIM_TOOLS_TUNED_H
#define CLPRIM_TOOLS_TUNED_H

#include <stdlib.h>
#include <string.h>

#include "subjects.h"

enum { TUNED_BINS = 256 };

/* Zeroed memory, for 0 bytes, too; free it. */
static inline void *tuned_room(size_t bytes)
{
    return calloc(1, bytes > 0 ? bytes : 1);
}

static inline size_t subject_type_size(const subject *self)
{
    return clprim_type_size(self->type);
}

static inline double tuned_once(const subject *self, size_t count)
{
    return (double)count * (double)subject_type_size(self);
}

static inline double tuned_in_and_out(const subject *self, size_t count)
{
    return 2 * (double)count * (double)(subject_type_size(self) + self->value_size);
}

/* The primitive `name` of a stem, by its functions <name>_desc_of, _prepare and _enqueue. */
#define TUNED_PRIMITIVE(name, stem, variants, traffic, prepare)                                                        \
    static void name##_destroy(void *plan)                                                                             \
    {                                                                                                                  \
        clprim_##stem##_destroy(plan);                                                                                 \
    }                                                                                                                  \
    static clprim_status name##_create(void **plan, clprim_runtime *runtime, const subject *self, int variant,         \
                                       size_t count)                                                                   \
    {                                                                                                                  \
        clprim_##stem *made = NULL;                                                                                    \
        const clprim_##stem##_desc desc = name##_desc_of(self, variant, count);                                        \
        const clprim_status status = clprim_##stem##_create(&made, runtime, &desc);                                    \
        *plan = made;                                                                                                  \
        return status;                                                                                                 \
    }                                                                                                                  \
    const tuned_primitive tuned_##name = {                                                                             \
        #stem, &clprim__##stem##_tunables, variants, traffic, prepare, name##_create, stem##_enqueue, name##_destroy};

/* The same for operations whose calls are a struct; or with other variants than all. */
#define TUNED_OPERATION(name, stem, traffic, prepare)                                                                  \
    static const clprim_variant_info *name##_variants(size_t *count)                                                   \
    {                                                                                                                  \
        return clprim_##stem##_operation.variants(count);                                                              \
    }                                                                                                                  \
    TUNED_OPERATION_WITH(name, stem, name##_variants, traffic, prepare)
#define TUNED_OPERATION_WITH(name, stem, variants, traffic, prepare)                                                   \
    static void name##_destroy(void *plan)                                                                             \
    {                                                                                                                  \
        clprim_plan_destroy(plan);                                                                                     \
    }                                                                                                                  \
    static clprim_status name##_create(void **plan, clprim_runtime *runtime, const subject *self, int variant,         \
                                       size_t count)                                                                   \
    {                                                                                                                  \
        clprim_plan *made = NULL;                                                                                      \
        const clprim_##stem##_desc desc = name##_desc_of(self, variant, count);                                        \
        const clprim_status status = clprim_##stem##_create(&made, runtime, &desc);                                    \
        *plan = made;                                                                                                  \
        return status;                                                                                                 \
    }                                                                                                                  \
    const tuned_primitive tuned_##name = {                                                                             \
        #stem, &clprim__##stem##_tunables, variants, traffic, prepare, name##_create, stem##_enqueue, name##_destroy};

#endif
