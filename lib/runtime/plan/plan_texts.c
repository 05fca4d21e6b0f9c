// SPDX-License-Identifier: MIT
/* plan_texts.c: find out what the texts of a description read. */
#include "plan_texts.h"

#include <string.h>

#include "balance.h"
#include "error.h"
#include "names.h"
#include "tokens.h"

enum { MAX_OPEN = 64 /* nested parentheses whose contents are tracked */ };

typedef struct reader {
    const clprim_parameter *parameters;
    clprim__reading found;
    unsigned elsewhere; /* bit k: parameter k is used in another way than `name[i]` */
    bool has_index;     /* the current text is an expression whose `i` is an element's index */
    /* The current position. */
    clprim__tokens tokens;
    clprim__token before; /* the token before the current one; "]" after an element that was read */
    bool is_address;      /* the current token follows an & that takes an address, with only opening parentheses in
                           * between */
    size_t open;          /* number of enclosing parentheses */
    bool may_be_cast[MAX_OPEN];
    bool is_cast; /* the token before may be the end of a cast */
} reader;

static bool is_among(const char *const *names, const char *name)
{
    while (names != NULL && *names != NULL && strcmp(*names, name) != 0)
        names++;
    return names != NULL && *names != NULL;
}

/* If in doubt, assume that the text reads anything. */
static void read_anything(reader *self)
{
    self->found.uses_index = true;
    self->elsewhere = ~0U;
}

static unsigned parameter_named(const reader *self, const clprim__token *word)
{
    unsigned bits = 0;
    for (size_t k = 0; k < self->found.parameters; k++)
        bits |= clprim__is_word(word, self->parameters[k].name) ? 1U << k : 0;
    return bits;
}

static bool ends_operand(const clprim__token *token)
{
    return (token->kind == CLPRIM__WORD && !clprim__is_word(token, "return")) || clprim__is_char(token, ']') ||
           (token->size > 0 && (clprim__is_digit(*token->text) || (*token->text == '.' && token->size > 1)));
}

/* Parentheses may be a cast if they contain only stars and words that are not parameters, and do not follow an
 * operand. */
static void follow_parentheses(reader *self, const clprim__token *token)
{
    const bool is_open = clprim__is_char(token, '(');
    const bool is_closed = clprim__is_char(token, ')') && self->open > 0;
    const bool is_of_type =
        token->kind == CLPRIM__WORD ? parameter_named(self, token) == 0 : clprim__is_char(token, '*');
    self->is_cast = false;
    if (is_open && self->open++ < MAX_OPEN)
        self->may_be_cast[self->open - 1] = !ends_operand(&self->before);
    if (is_closed)
        self->is_cast = self->open-- > MAX_OPEN || self->may_be_cast[self->open];
    for (size_t i = 0; i < self->open && i < MAX_OPEN && !is_open && !is_closed && !is_of_type; i++)
        self->may_be_cast[i] = false;
}

/* Read a word, which may be the beginning of `name[i]` or of `vload_half(i, name)`. If it is, skip all of that, and
 * return true. */
static bool read_word(reader *self, const clprim__token *word)
{
    const unsigned bits = clprim__is_char(&self->before, '.') ? 0 : parameter_named(self, word);
    clprim__tokens ahead = self->tokens;
    clprim__token half;
    if (self->has_index && clprim__is_word(word, "vload_half") && clprim__reads_half_at_i(&half, &ahead) &&
        parameter_named(self, &half) != 0) {
        self->tokens = ahead;
        return true;
    }
    ahead = self->tokens;
    self->found.uses_index = self->found.uses_index || (self->has_index && clprim__is_word(word, "i"));
    if (bits == 0)
        return false;
    for (size_t k = 0; k < self->found.parameters; k++)
        if (bits == 1U << k && self->has_index && !self->is_address && self->parameters[k].is_array &&
            clprim__reads_at_i(&ahead)) {
            self->tokens = ahead;
            return true;
        }
    self->elsewhere |= bits;
    return false;
}

/* Read a token outside directives. takes_address: the token is an & that is not a binary operator. */
static bool read_code(reader *self, const clprim__token *token, bool takes_address)
{
    const bool is_element = token->kind == CLPRIM__WORD && read_word(self, token);
    self->is_address = takes_address || (self->is_address && clprim__is_char(token, '('));
    if (clprim__is_char(token, '{') && clprim__is_char(&self->before, '('))
        read_anything(self); /* a statement may declare another i */
    return is_element;
}

/* Read a token of a preprocessor line. A macro may use a parameter under the macro's name, so what it reads cannot be
 * known. */
static void read_directive(reader *self, const clprim__token *token, bool takes_address)
{
    const bool is_pasted = clprim__is_char(token, '#') && clprim__is_char(&self->before, '#');
    if (token->line == CLPRIM__SAYS ? *token->text == '#' && clprim__is_directive(token, "include")
                                    : is_pasted || takes_address || clprim__is_word(token, "i"))
        read_anything(self);
    if (token->line != CLPRIM__SAYS)
        self->elsewhere |= parameter_named(self, token);
}

static void read_token(reader *self, clprim__token token, clprim__text_kind kind)
{
    bool is_element = false;
    if (clprim__is_char(&token, '&') && self->tokens.at < self->tokens.end && *self->tokens.at == '&') {
        self->tokens.at++;
        token.size++;
    }
    const bool is_operand = ends_operand(&self->before) || (clprim__is_char(&self->before, ')') && !self->is_cast);
    const bool takes_address = clprim__is_char(&token, '&') && !is_operand;
    if (token.line != CLPRIM__CODE)
        read_directive(self, &token, takes_address);
    else if (kind == CLPRIM__EXPRESSION) /* declarations cannot name parameters */
        is_element = read_code(self, &token, takes_address);
    follow_parentheses(self, &token);
    self->before = is_element ? (clprim__token){.kind = CLPRIM__OTHER, .text = "]", .size = 1} : token;
}

/* Read a text. has_index: it is an expression whose `i` is an element's index. */
static void read_text(reader *self, const char *text, clprim__text_kind kind, bool has_index)
{
    clprim__text plain = {0};
    clprim__token token;
    if (text == NULL)
        return;
    self->has_index = has_index;
    self->before = (clprim__token){.kind = CLPRIM__OTHER, .text = "", .size = 0};
    self->is_address = self->is_cast = false;
    self->open = 0;
    clprim__text_plain(&plain, text);
    if (plain.failed) {
        self->found.failed = true;
    } else {
        const bool is_line = kind == CLPRIM__OPTIONS; /* options define macros */
        self->tokens = (clprim__tokens){.at = plain.data,
                                        .end = plain.data + strlen(plain.data),
                                        .line = is_line ? CLPRIM__BODY : CLPRIM__CODE,
                                        .is_inside = is_line};
        while (clprim__next_code(&token, &self->tokens))
            read_token(self, token, kind);
    }
    clprim__text_free(&plain);
}

/* Read compiler options, which may define macros or include files. */
static void read_options(reader *self, const char *text)
{
    clprim__text macros = {0};
    for (const char *at = text; at != NULL && *at != '\0'; at += strspn(at, " ")) {
        const size_t size = strcspn(at, " ");
        const size_t begin = strncmp(at, "-D", 2) == 0 ? 2 : 0;
        if (*at != '-' || strncmp(at, "-i", 2) == 0 || strncmp(at, "--", 2) == 0 || size == 2)
            read_anything(self);
        clprim__text_append(&macros, at + begin, size - begin);
        clprim__text_append(&macros, " ", 1);
        at += size;
    }
    self->found.failed = self->found.failed || macros.failed;
    if (!macros.failed)
        read_text(self, macros.data, CLPRIM__OPTIONS, false);
    clprim__text_free(&macros);
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
    read_text(self, op->source, CLPRIM__DECLARATIONS, false);
    read_text(self, op->combine, CLPRIM__EXPRESSION, false);
    read_text(self, op->identity, CLPRIM__EXPRESSION, false);
}

clprim__reading clprim__texts_read(const clprim_operation *face, const void *desc, const char *const *texts)
{
    reader self = {.parameters = clprim__texts_parameters(face, desc)};
    const clprim_custom_op *op = NULL;
    if (self.parameters == NULL)
        return self.found;
    while (self.found.parameters < CLPRIM_MAX_PARAMETERS && self.parameters[self.found.parameters].name != NULL)
        self.found.parameters++;
    for (const clprim_member *m = face->desc_members; m->name != NULL; m++) {
        const clprim__text_kind kind = clprim__text_kind_of(m->name);
        if (m->kind == CLPRIM_MEMBER_CUSTOM_OP) {
            memcpy(&op, (const char *)desc + m->place, sizeof op);
            read_custom(&self, op);
        }
        for (size_t k = 0; m->kind == CLPRIM_MEMBER_TEXT && k < m->size / sizeof(char *); k++)
            if (kind == CLPRIM__OPTIONS)
                read_options(&self, clprim__text_at(desc, m, k));
            else if (kind != CLPRIM__TYPE_NAME)
                read_text(&self, clprim__text_at(desc, m, k), kind, is_among(texts, m->name));
    }
    for (size_t k = 0; k < self.found.parameters; k++)
        if (self.parameters[k].is_array && (self.elsewhere & 1U << k) == 0)
            self.found.at_index |= 1U << k;
    return self.found;
}

static bool is_cut(const clprim__token *token, const clprim_parameter *parameters, unsigned cut)
{
    bool is_one = false;
    for (size_t k = 0; k < CLPRIM_MAX_PARAMETERS && parameters[k].name != NULL; k++)
        is_one = is_one || ((cut & 1U << k) != 0 && clprim__is_word(token, parameters[k].name));
    return is_one && token->kind == CLPRIM__WORD;
}

/* Write the expression with the local index in place of `i` when it reads a cut array. A zero byte ends it. */
static void write_cut(clprim__text *out, const char *text, const clprim_parameter *parameters, unsigned cut)
{
    static const char local[] = "[" CLPRIM__RESERVED "i]";
    clprim__text plain = {0};
    clprim__text_plain(&plain, text);
    out->failed = out->failed || plain.failed;
    clprim__tokens tokens = {.at = NULL};
    if (!out->failed)
        tokens = (clprim__tokens){.at = plain.data, .end = plain.data + strlen(plain.data)};
    clprim__token token, before = {.kind = CLPRIM__OTHER, .text = "", .size = 0};
    while (clprim__next_token(&token, &tokens)) {
        clprim__tokens ahead = tokens, ahead_of_half = tokens;
        clprim__token half;
        clprim__text_append(out, token.text, token.size);
        if (is_cut(&token, parameters, cut) && !clprim__is_char(&before, '.') && clprim__reads_at_i(&ahead)) {
            clprim__text_append(out, local, sizeof local - 1);
            tokens = ahead;
        } else if (clprim__is_word(&token, "vload_half") && clprim__reads_half_at_i(&half, &ahead_of_half) &&
                   is_cut(&half, parameters, cut)) {
            clprim__text_format(out, "(" CLPRIM__RESERVED "i, %.*s)", (int)half.size, half.text);
            tokens = ahead_of_half;
        }
        before = token.kind == CLPRIM__SPACE ? before : token;
    }
    clprim__text_append(out, "", 1);
    clprim__text_free(&plain);
}

clprim_status clprim__texts_cut(void *desc, clprim__text *memory, const clprim_operation *face,
                                const char *const *texts, unsigned cut)
{
    const clprim_parameter *parameters = clprim__texts_parameters(face, desc);
    for (int writes = 1; writes >= 0; writes--) { /* first all texts, then the pointers to them */
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
            return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for the texts of a run in pieces");
    }
    return CLPRIM_SUCCESS;
}
