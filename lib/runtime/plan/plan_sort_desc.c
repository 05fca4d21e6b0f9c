// SPDX-License-Identifier: MIT
/* plan_sort_desc.c: read the order of the keys from a sort's description, and write the descriptions of the pieces'
 * sorts. */
#include <stdint.h>

#include "plan_sort.h"

/* The member of that name in a description; NULL: the operation does not have it. */
static void *member_of(void *desc, const clprim_plan *plan, const char *name)
{
    for (const clprim_member *m = plan->operation->face->desc_members; m->name != NULL; m++)
        if (strcmp(m->name, name) == 0)
            return (char *)desc + m->place;
    return NULL;
}

/* The same for reading; a zeroed member if the operation does not have it. */
static const void *read_member(const void *desc, const clprim_plan *plan, const char *name)
{
    static const union {
        max_align_t alignment;
        char bytes[sizeof(max_align_t)];
    } none;
    for (const clprim_member *m = plan->operation->face->desc_members; m->name != NULL; m++)
        if (strcmp(m->name, name) == 0)
            return (const char *)desc + m->place;
    return none.bytes;
}

#define READ(type, desc, plan, name) (*(type const *)read_member(desc, plan, name))

clprim_key_order clprim__sort_order(const clprim_plan *plan, const void *desc)
{
    return (clprim_key_order){.key_type = READ(clprim_type, desc, plan, "key_type"),
                              .descending = READ(bool, desc, plan, "descending"),
                              .nan_order = READ(clprim_nan_order, desc, plan, "nan_order"),
                              .bit_range = READ(bool, desc, plan, "bit_range"),
                              .begin_bit = READ(unsigned, desc, plan, "begin_bit"),
                              .end_bit = READ(unsigned, desc, plan, "end_bit")};
}

void clprim__sort_describe(void *desc, const clprim_plan *plan, bool is_first)
{
    size_t *max_count = member_of(desc, plan, "max_count");
    clprim_type *count_at_type = member_of(desc, plan, "count_at_type");
    bool *values_only = member_of(desc, plan, "values_only");
    bool *argsort = member_of(desc, plan, "argsort");
    clprim_type *index_type = member_of(desc, plan, "index_type");
    size_t *value_size = member_of(desc, plan, "value_size");
    if (*max_count > UINT32_MAX)
        *max_count = 0;
    if (count_at_type != NULL)
        *count_at_type = CLPRIM_TYPE_DEFAULT;
    if (is_first && values_only != NULL)
        *values_only = false;
    if (!is_first && argsort != NULL && *argsort) {
        *argsort = false;
        *value_size = *index_type == CLPRIM_U64 ? sizeof(uint64_t) : sizeof(uint32_t);
        *index_type = CLPRIM_TYPE_DEFAULT;
    }
}

const char *clprim__sort_obstacle(const clprim_plan *plan, const void *desc)
{
    if (READ(const char *, desc, plan, "input") != NULL)
        return "its keys are computed by .input, which may read its arguments anywhere";
    if (READ(const char *, desc, plan, "less") != NULL)
        return "sorted pieces are merged only in the order of a built-in type, but it has a .less";
    if (READ(clprim_type, desc, plan, "key_type") == CLPRIM_U128)
        return "sorted pieces are merged only by keys of up to 64 bits";
    if (READ(bool, desc, plan, "segmented"))
        return "its segments may be anywhere";
    return NULL;
}
