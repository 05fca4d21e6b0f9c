// SPDX-License-Identifier: MIT
/* plan_sample.c: see plan_sample.h. */
#include "plan_sample.h"

#include <string.h>

/* The member of this name, or NULL. */
static const clprim_member *member_named(const clprim_member *members, const char *name)
{
    while (members->name != NULL && strcmp(members->name, name) != 0)
        members++;
    return members->name != NULL ? members : NULL;
}

/* The array that calls with the plain description have, and calls with the other one do not; NULL: there is none. */
static const clprim_member *missing_array(const clprim__operation *operation, const void *plain, const void *desc)
{
    const clprim_member *m = operation->face->call_members;
    while (m->name != NULL && (m->kind != CLPRIM_MEMBER_INPUT || m->element(plain, 0).size == 0 ||
                               m->element(desc, 0).size > 0 || m->is_value != NULL))
        m++;
    return m->name != NULL ? m : NULL;
}

bool clprim__plan_give_input(void *desc, const clprim__operation *operation)
{
    const clprim_member *input = member_named(operation->face->desc_members, "input");
    const clprim_member *parameters = member_named(operation->face->desc_members, "parameters");
    const char *text = "x[i]";
    clprim__any_desc plain;
    if (input == NULL || parameters == NULL)
        return false;
    memcpy(plain.bytes, desc, operation->face->desc_size);
    memcpy((char *)desc + input->place, &text, sizeof text);
    const clprim_member *array = missing_array(operation, plain.bytes, desc);
    const clprim_type type = array != NULL ? array->element(plain.bytes, 0).type : CLPRIM_TYPE_DEFAULT;
    const clprim_parameter x = {.name = "x", .type = type, .is_array = true};
    if (type == CLPRIM_TYPE_DEFAULT) {
        memcpy(desc, plain.bytes, operation->face->desc_size);
        return false;
    }
    text = type == CLPRIM_F16 ? "vload_half(i, x)" : text;
    memcpy((char *)desc + input->place, &text, sizeof text);
    memcpy((char *)desc + parameters->place, &x, sizeof x);
    return true;
}

bool clprim__plan_give_count_at(void *desc, const clprim__operation *operation)
{
    const clprim_member *m = member_named(operation->face->desc_members, "count_at_type");
    clprim_type type = CLPRIM_TYPE_DEFAULT;
    if (m == NULL || memcmp((char *)desc + m->place, &type, sizeof type) != 0)
        return false;
    type = CLPRIM_U32;
    memcpy((char *)desc + m->place, &type, sizeof type);
    return true;
}

static bool is_same_input(const clprim__operation *operation, const void *desc, const void *other)
{
    const clprim_member *members = operation->face->desc_members;
    const size_t place = member_named(members, "parameters")->place;
    const clprim_parameter *p = (const clprim_parameter *)(const void *)((const char *)desc + place);
    const clprim_parameter *x = (const clprim_parameter *)(const void *)((const char *)other + place);
    const char *texts[2];
    memcpy(&texts[0], (const char *)desc + member_named(members, "input")->place, sizeof texts[0]);
    memcpy(&texts[1], (const char *)other + member_named(members, "input")->place, sizeof texts[1]);
    return strcmp(texts[0], texts[1]) == 0 && p[0].name != NULL && strcmp(p[0].name, x[0].name) == 0 &&
           p[0].type == x[0].type && p[0].is_array && p[0].type_name == NULL && p[1].name == NULL;
}

/* Find the array that the expression of clprim__plan_give_input reads. *out is the description without that expression.
 * NULL: the description does not have it, and *out is a copy of the description. */
static const clprim_member *read_array(clprim__any_desc *out, const clprim__operation *operation, const void *desc)
{
    const clprim_member *input = member_named(operation->face->desc_members, "input");
    const clprim_member *parameters = member_named(operation->face->desc_members, "parameters");
    const char *text = NULL;
    clprim__any_desc again;
    memcpy(out->bytes, desc, operation->face->desc_size);
    if (input != NULL)
        memcpy(&text, out->bytes + input->place, sizeof text);
    if (text == NULL || parameters == NULL)
        return NULL;
    memset(out->bytes + input->place, 0, input->size);
    memset(out->bytes + parameters->place, 0, parameters->size);
    again = *out;
    if (clprim__plan_give_input(again.bytes, operation) && is_same_input(operation, desc, again.bytes))
        return missing_array(operation, out->bytes, desc);
    memcpy(out->bytes, desc, operation->face->desc_size);
    return NULL;
}

bool clprim__plan_has_reference(const clprim__operation *operation, const void *desc)
{
    clprim__any_desc plain;
    (void)read_array(&plain, operation, desc);
    for (const clprim_member *m = operation->face->desc_members; m->name != NULL; m++) {
        const void *text = NULL;
        if (m->kind != CLPRIM_MEMBER_TEXT && m->kind != CLPRIM_MEMBER_CUSTOM_OP && m->kind != CLPRIM_MEMBER_PARAMETER)
            continue;
        memcpy(&text, plain.bytes + m->place, sizeof text);
        if (text != NULL)
            return false;
    }
    return operation->has_reference == NULL || operation->has_reference(plain.bytes);
}

/* An array of a call; for a repeated member, the first one. */
static clprim_array *array_at(void *call, const clprim_member *member)
{
    return (clprim_array *)(void *)((char *)call + member->place);
}

void clprim__plan_sample(clprim__trial *trial, const clprim__operation *operation, const void *desc, void *call,
                         size_t count)
{
    const cl_ulong numbers[] = {count / 2, count, 0, count + 3, 1, count - (count > 0)};
    size_t which = (size_t)(trial->random >> 7);
    clprim__any_desc plain;
    const clprim_member *array = read_array(&plain, operation, desc);
    trial->without_half_nans = array != NULL;
    operation->sample(trial, plain.bytes, call, count);
    for (const clprim_member *m = operation->face->call_members; m->name != NULL; m++) {
        const size_t size = clprim__is_count_at(m) ? m->element(desc, 0).size : 0;
        clprim_array *at = array_at(call, m);
        if (size == 0 || (at->host = clprim__trial_memory(trial, size)) == NULL)
            continue;
        memcpy(at->host, &numbers[which++ % (sizeof numbers / sizeof *numbers)], size); /* little-endian */
    }
    if (array == NULL)
        return;
    *array_at(call, member_named(operation->face->call_members, "arguments")) = *array_at(call, array);
    *array_at(call, array) = (clprim_array){0};
}

void clprim__plan_limit(clprim__given *out, const clprim__operation *operation, const void *desc, const void *call)
{
    const clprim_operation *face = operation->face;
    memcpy(out->bytes, call, face->call_size);
    for (const clprim_member *m = face->call_members; m->name != NULL; m++) {
        const clprim_array *at = (const clprim_array *)(const void *)((const char *)call + m->place);
        cl_ulong limit = 0;
        if (!clprim__is_count_at(m) || at->host == NULL)
            continue;
        memcpy(&limit, at->host, m->element(desc, 0).size);
        for (const clprim_member *of = face->call_members; of->name != NULL; of++) {
            size_t *count = (size_t *)(void *)(out->bytes + of->place);
            if (strncmp(of->name, m->name, strlen(m->name) - strlen("_at")) == 0 && of->kind == CLPRIM_MEMBER_SIZE &&
                limit < *count)
                *count = (size_t)limit;
        }
    }
}

clprim_status clprim__plan_reference(const clprim__operation *operation, const void *desc, const void *call)
{
    clprim__any_desc plain;
    clprim__given limited;
    const clprim_member *array = read_array(&plain, operation, desc);
    clprim__plan_limit(&limited, operation, desc, call);
    if (array != NULL) {
        clprim_array *x = array_at(limited.bytes, member_named(operation->face->call_members, "arguments"));
        *array_at(limited.bytes, array) = *x;
        *x = (clprim_array){0};
    }
    return operation->reference(plain.bytes, limited.bytes);
}
