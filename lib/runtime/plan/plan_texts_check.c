// SPDX-License-Identifier: MIT
/* plan_texts_check.c: check that all texts of a description are complete. */
#include <stdio.h>
#include <string.h>

#include "plan_texts.h"

enum { NAME_SIZE = 64 };

clprim__text_kind clprim__text_kind_of(const char *member)
{
    return strcmp(member, "source") == 0         ? CLPRIM__DECLARATIONS
           : strcmp(member, "options") == 0      ? CLPRIM__OPTIONS
           : strstr(member, "type_name") != NULL ? CLPRIM__TYPE_NAME
                                                 : CLPRIM__EXPRESSION;
}

const char *clprim__text_at(const void *desc, const clprim_member *m, size_t k)
{
    const char *text = NULL;
    memcpy(&text, (const char *)desc + m->place + k * sizeof text, sizeof text);
    return text;
}

static clprim_status check_custom(const clprim_custom_op *op)
{
    clprim_status status = CLPRIM_SUCCESS;
    if (op == NULL)
        return CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__balance_check("type_name", op->type_name, CLPRIM__TYPE_NAME));
    CLPRIM__TRY(clprim__balance_check("source", op->source, CLPRIM__DECLARATIONS));
    CLPRIM__TRY(clprim__balance_check("combine", op->combine, CLPRIM__EXPRESSION));
    status = clprim__balance_check("identity", op->identity, CLPRIM__EXPRESSION);
done:
    return status;
}

static clprim_status check_member(const clprim_member *m, const void *desc)
{
    const char *place = (const char *)desc + m->place;
    const clprim_custom_op *op = NULL;
    char name[NAME_SIZE];
    clprim_status status = CLPRIM_SUCCESS;
    if (m->kind == CLPRIM_MEMBER_CUSTOM_OP) {
        memcpy(&op, place, sizeof op);
        status = check_custom(op);
    }
    for (size_t k = 0; m->kind == CLPRIM_MEMBER_TEXT && k < m->size / sizeof(char *); k++) {
        (void)snprintf(name, sizeof name, m->size > sizeof(char *) ? "%s_%zu" : "%s", m->name, k);
        CLPRIM__TRY(clprim__balance_check(name, clprim__text_at(desc, m, k), clprim__text_kind_of(m->name)));
    }
    for (size_t k = 0; m->kind == CLPRIM_MEMBER_PARAMETER && k < m->size / sizeof(clprim_parameter); k++) {
        const clprim_parameter *parameter = (const clprim_parameter *)(const void *)place + k;
        (void)snprintf(name, sizeof name, "%s[%zu].type_name", m->name, k);
        CLPRIM__TRY(clprim__balance_check(name, parameter->type_name, CLPRIM__TYPE_NAME));
    }
done:
    return status;
}

clprim_status clprim__texts_check(const clprim_operation *face, const void *desc)
{
    clprim_status status = CLPRIM_SUCCESS;
    for (const clprim_member *m = face->desc_members; m->name != NULL && status == CLPRIM_SUCCESS; m++)
        status = check_member(m, desc);
    return status;
}
