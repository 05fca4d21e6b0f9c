// SPDX-License-Identifier: MIT
/* plan_texts_always.c: find the arrays that a description's texts read for every index, whatever the values are. */
#include <string.h>

#include "plan_texts.h"
#include "tokens.h"

static bool is_among(const char *const *names, const char *name)
{
    while (*names != NULL && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

/* Whether an expression may skip a part of itself: it has a condition, or an operand that is not evaluated. */
static bool may_skip(const char *text)
{
    static const char *const unevaluated[] = {"sizeof", "vec_step", NULL};
    clprim__tokens tokens = {.at = text, .end = text + strlen(text)};
    clprim__token token;
    if (strpbrk(text, "?{#") != NULL || strstr(text, "&&") != NULL || strstr(text, "||") != NULL ||
        strstr(text, "__") != NULL /* reserved words of the compiler */)
        return true;
    while (clprim__next_code(&token, &tokens))
        for (const char *const *word = unevaluated; *word != NULL; word++)
            if (clprim__is_word(&token, *word))
                return true;
    return false;
}

/* Whether `(i, name)` follows vload_half. */
static bool loads_at_i(clprim__tokens tokens, const char *name)
{
    clprim__token array;
    return clprim__reads_half_at_i(&array, &tokens) && clprim__is_word(&array, name);
}

/* The arrays that an expression reads as `name[i]` or vload_half(i, name) for every i; one bit for each parameter. */
static unsigned read_always(const clprim_parameter *parameters, const char *text)
{
    clprim__tokens tokens = {.at = text, .end = text + strlen(text)};
    clprim__token token;
    unsigned found = 0;
    bool is_address = false;
    char before[2] = {0}; /* the last characters of the two previous tokens */
    if (may_skip(text))
        return 0;
    for (; clprim__next_code(&token, &tokens); before[0] = before[1], before[1] = token.text[token.size - 1]) {
        const bool is_member = before[1] == '.' || (before[0] == '-' && before[1] == '>');
        const bool is_operand = clprim__is_letter(before[1]) || clprim__is_digit(before[1]) || before[1] == '_' ||
                                before[1] == ']'; /* an & after a closing parenthesis may take an address */
        for (size_t k = 0; k < CLPRIM_MAX_PARAMETERS && parameters[k].name != NULL; k++) {
            const char *name = parameters[k].name;
            clprim__tokens ahead = tokens;
            if (!is_member && !is_address && parameters[k].is_array &&
                ((clprim__is_word(&token, name) && clprim__reads_at_i(&ahead)) ||
                 (clprim__is_word(&token, "vload_half") && loads_at_i(tokens, name))))
                found |= 1U << k;
        }
        is_address = (clprim__is_char(&token, '&') && !is_operand) || (is_address && clprim__is_char(&token, '('));
    }
    return found;
}

unsigned clprim__texts_always_read(const clprim_operation *face, const void *desc)
{
    static const char *const of_each[] = {"input",       "second_input", "third_input", "then",
                                          "expressions", "predicate",    NULL};
    const clprim_parameter *parameters = clprim__texts_parameters(face, desc);
    unsigned found = 0;
    if (parameters == NULL || parameters[0].name == NULL)
        return 0;
    for (const clprim_member *m = face->call_members; m->name != NULL; m++)
        if (strcmp(m->name, "offsets") == 0 && m->element(desc, 0).size > 0)
            return 0; /* elements outside all segments are never read */
    for (const clprim_member *m = face->desc_members; m->name != NULL; m++) {
        const char *text = NULL;
        for (size_t at = 0; m->kind == CLPRIM_MEMBER_TEXT && at < m->size; at += sizeof text) {
            memcpy(&text, (const char *)desc + m->place + at, sizeof text);
            if (text != NULL && (strcmp(m->name, "options") == 0 || strchr(text, '#') != NULL))
                return 0; /* macros may hide what is read */
            if (text != NULL && is_among(of_each, m->name))
                found |= read_always(parameters, text);
        }
    }
    return found;
}
