/* plan_texts.c: what the texts of a description read. */
#include "plan_texts.h"

#include <string.h>

#include "error.h"
#include "names.h"
#include "tokens.h"

typedef struct reader {
    const clprim_parameter *parameters;
    clprim__reading found;
    unsigned elsewhere; /* bit k: parameter k is used in another way than `name[i]` */
} reader;

static bool next_code(clprim__token *out, clprim__tokens *tokens)
{
    while (clprim__next_token(out, tokens))
        if (out->kind != CLPRIM__SPACE)
            return true;
    return false;
}

static bool is_char(const clprim__token *token, char c)
{
    return token->size == 1 && *token->text == c;
}

static bool reads_at_i(clprim__tokens *tokens)
{
    clprim__token open, index, close;
    return next_code(&open, tokens) && is_char(&open, '[') && next_code(&index, tokens) &&
           clprim__is_word(&index, "i") && next_code(&close, tokens) && is_char(&close, ']');
}

/* A word of an expression, which may be the beginning of `name[i]`; where it is one the tokens are behind it. */
static void read_word(reader *self, const clprim__token *word, clprim__tokens *tokens, bool is_address, bool has_index)
{
    if (has_index && clprim__is_word(word, "i"))
        self->found.uses_index = true;
    for (size_t k = 0; k < self->found.parameters; k++) {
        clprim__tokens ahead = *tokens;
        if (!clprim__is_word(word, self->parameters[k].name))
            continue;
        if (has_index && !is_address && self->parameters[k].is_array && reads_at_i(&ahead))
            *tokens = ahead;
        else
            self->elsewhere |= 1U << k;
    }
}

/* has_index: it is an expression whose `i` is an element's index. */
static void read_text(reader *self, const char *text, bool has_index)
{
    clprim__token token;
    bool is_address = false; /* behind a single &, and parentheses that open */
    if (text == NULL)
        return;
    const bool has_directives = strchr(text, '#') != NULL; /* macros may hide anything */
    clprim__tokens tokens = {.at = text, .end = text + strlen(text)};
    self->found.uses_index = self->found.uses_index || has_directives;
    self->elsewhere |= has_directives ? ~0U : 0;
    while (next_code(&token, &tokens)) {
        if (token.kind == CLPRIM__WORD)
            read_word(self, &token, &tokens, is_address, has_index);
        is_address = is_char(&token, '&') ? !is_address : is_address && is_char(&token, '(');
    }
}

static bool is_among(const char *const *names, const char *name)
{
    while (*names != NULL && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

const clprim_parameter *clprim__texts_parameters(const clprim_operation *face, const void *desc)
{
    for (const clprim_member *m = face->desc_members; m->name != NULL; m++)
        if (m->kind == CLPRIM_MEMBER_PARAMETER)
            return (const void *)((const char *)desc + m->place);
    return NULL;
}

static void read_custom(reader *self, const clprim_custom_op *op)
{
    if (op == NULL)
        return;
    read_text(self, op->source, false);
    read_text(self, op->combine, false);
    read_text(self, op->identity, false);
}

clprim__reading clprim__texts_read(const clprim_operation *face, const void *desc, const char *const *texts)
{
    static const char *const none[] = {NULL};
    static const char *const names_of_types[] = {"type_name", "output_type_name", "type_names", NULL};
    reader self = {.parameters = clprim__texts_parameters(face, desc)};
    const char *text = NULL;
    const clprim_custom_op *op = NULL;
    if (self.parameters == NULL)
        return self.found;
    while (self.found.parameters < CLPRIM_MAX_PARAMETERS && self.parameters[self.found.parameters].name != NULL)
        self.found.parameters++;
    for (const clprim_member *m = face->desc_members; m->name != NULL; m++) {
        const char *place = (const char *)desc + m->place;
        if (m->kind == CLPRIM_MEMBER_CUSTOM_OP) {
            memcpy(&op, place, sizeof op);
            read_custom(&self, op);
        }
        for (size_t at = 0; m->kind == CLPRIM_MEMBER_TEXT && at < m->size; at += sizeof text) {
            memcpy(&text, place + at, sizeof text);
            if (strcmp(m->name, "options") == 0)
                read_text(&self, text != NULL ? "#" : NULL, false);
            else if (!is_among(names_of_types, m->name))
                read_text(&self, text, is_among(texts != NULL ? texts : none, m->name));
        }
    }
    for (size_t k = 0; k < self.found.parameters; k++)
        if (self.parameters[k].is_array && (self.elsewhere & 1U << k) == 0)
            self.found.at_index |= 1U << k;
    return self.found;
}

/* Whether an expression may leave a part of itself out: it has a condition, or an operand that nothing evaluates. */
static bool may_skip(const char *text)
{
    static const char *const unevaluated[] = {"sizeof", "vec_step", NULL};
    clprim__tokens tokens = {.at = text, .end = text + strlen(text)};
    clprim__token token;
    if (strpbrk(text, "?{#") != NULL || strstr(text, "&&") != NULL || strstr(text, "||") != NULL ||
        strstr(text, "__") != NULL /* the compiler's own words */)
        return true;
    while (next_code(&token, &tokens))
        for (const char *const *word = unevaluated; *word != NULL; word++)
            if (clprim__is_word(&token, *word))
                return true;
    return false;
}

/* `(i, name)`, behind vload_half. */
static bool loads_at_i(clprim__tokens tokens, const char *name)
{
    clprim__token open, index, comma, array, close;
    return next_code(&open, &tokens) && is_char(&open, '(') && next_code(&index, &tokens) &&
           clprim__is_word(&index, "i") && next_code(&comma, &tokens) && is_char(&comma, ',') &&
           next_code(&array, &tokens) && clprim__is_word(&array, name) && next_code(&close, &tokens) &&
           is_char(&close, ')');
}

/* The arrays that an expression reads as `name[i]` or vload_half(i, name) for each i, a bit for each parameter. */
static unsigned read_always(const clprim_parameter *parameters, const char *text)
{
    clprim__tokens tokens = {.at = text, .end = text + strlen(text)};
    clprim__token token;
    unsigned found = 0;
    bool is_address = false;
    char before[2] = {0}; /* the last characters of the two tokens before */
    if (may_skip(text))
        return 0;
    for (; next_code(&token, &tokens); before[0] = before[1], before[1] = token.text[token.size - 1]) {
        const bool is_member = before[1] == '.' || (before[0] == '-' && before[1] == '>');
        const bool is_operand = clprim__is_letter(before[1]) || clprim__is_digit(before[1]) || before[1] == '_' ||
                                before[1] == ']'; /* behind a parenthesis that closes may be an address */
        for (size_t k = 0; k < CLPRIM_MAX_PARAMETERS && parameters[k].name != NULL; k++) {
            const char *name = parameters[k].name;
            clprim__tokens ahead = tokens;
            if (!is_member && !is_address && parameters[k].is_array &&
                ((clprim__is_word(&token, name) && reads_at_i(&ahead)) ||
                 (clprim__is_word(&token, "vload_half") && loads_at_i(tokens, name))))
                found |= 1U << k;
        }
        is_address = (is_char(&token, '&') && !is_operand) || (is_address && is_char(&token, '('));
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
            return 0; /* elements outside all segments need not be there */
    for (const clprim_member *m = face->desc_members; m->name != NULL; m++) {
        const char *text = NULL;
        for (size_t at = 0; m->kind == CLPRIM_MEMBER_TEXT && at < m->size; at += sizeof text) {
            memcpy(&text, (const char *)desc + m->place + at, sizeof text);
            if (text != NULL && (strcmp(m->name, "options") == 0 || strchr(text, '#') != NULL))
                return 0; /* macros may hide anything */
            if (text != NULL && is_among(of_each, m->name))
                found |= read_always(parameters, text);
        }
    }
    return found;
}

/* The expression with other reads of arrays, ended by a zero. */
static void write_cut(clprim__text *out, const char *text, const clprim_parameter *parameters, unsigned cut)
{
    static const char local[] = "[" CLPRIM__RESERVED "i]";
    clprim__tokens tokens = {.at = text, .end = text + strlen(text)};
    clprim__token token;
    while (clprim__next_token(&token, &tokens)) {
        clprim__tokens ahead = tokens;
        bool is_read = false;
        for (size_t k = 0; k < CLPRIM_MAX_PARAMETERS && parameters[k].name != NULL; k++)
            is_read = is_read || ((cut & 1U << k) != 0 && clprim__is_word(&token, parameters[k].name));
        clprim__text_append(out, token.text, token.size);
        if (is_read && token.kind == CLPRIM__WORD && reads_at_i(&ahead)) {
            clprim__text_append(out, local, sizeof local - 1);
            tokens = ahead;
        }
    }
    clprim__text_append(out, "", 1);
}

clprim_status clprim__texts_cut(void *desc, clprim__text *memory, const clprim_operation *face,
                                const char *const *texts, unsigned cut)
{
    const clprim_parameter *parameters = clprim__texts_parameters(face, desc);
    for (int writes = 1; writes >= 0;
         writes--) { /* first all texts, then, where they have come to lie, who uses them */
        size_t at = 0;
        for (const clprim_member *m = face->desc_members; m->name != NULL; m++)
            for (size_t k = 0; m->kind == CLPRIM_MEMBER_TEXT && is_among(texts, m->name) && k < m->size;
                 k += sizeof(const char *)) {
                const char *text = NULL;
                char *place = (char *)desc + m->place + k;
                memcpy(&text, place, sizeof text);
                if (text == NULL)
                    continue;
                if (writes != 0) {
                    write_cut(memory, text, parameters, cut);
                    continue;
                }
                text = memory->data + at;
                at += strlen(text) + 1;
                memcpy(place, &text, sizeof text);
            }
        if (memory->failed)
            return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for the texts of a run in parts");
    }
    return CLPRIM_SUCCESS;
}
