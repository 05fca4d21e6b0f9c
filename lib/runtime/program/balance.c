// SPDX-License-Identifier: MIT
/* balance.c: check whether a caller's text is complete in itself. */
#include "balance.h"

#include <string.h>

#include "error.h"
#include "tokens.h"

/* An open bracket or #if. */
typedef struct opened {
    char what; /* the bracket, or '#' */
    size_t at; /* its position in the text */
} opened;

typedef struct checker {
    const char *name, *text; /* of the member, as given by the caller */
    clprim__text plain;
    clprim__text stack; /* stack of `opened` */
    clprim__text_kind kind;
    bool is_blank;        /* no token so far */
    bool is_anybodys;     /* only the compiler can tell whether brackets are balanced */
    size_t conditionals;  /* number of open conditionals */
    int macro;            /* number of brackets that the current macro leaves open; negative: it closes some */
    clprim__line in_line; /* the kind of line of the last token */
} checker;

static size_t depth_of(const checker *self)
{
    return self->stack.size / sizeof(opened);
}

static opened top_of(const checker *self)
{
    opened top = {.what = '\0'};
    if (depth_of(self) > 0)
        memcpy(&top, self->stack.data + self->stack.size - sizeof top, sizeof top);
    return top;
}

static void push(checker *self, char what, size_t at)
{
    const opened next = {what, at};
    clprim__text_append(&self->stack, (const char *)&next, sizeof next);
}

static void pop(checker *self)
{
    self->stack.size -= sizeof(opened);
}

/* Fail with a sentence that begins with the position in the text. */
static clprim_status fail_at(const checker *self, size_t at, const char *what, const char *why)
{
    size_t line = 1, begin = 0;
    for (size_t i = 0; i < at && self->text[i] != '\0'; i++)
        if (self->text[i] == '\n') {
            line++;
            begin = i + 1;
        }
    return clprim__fail(CLPRIM_BUILD_FAILED, "%s:%zu:%zu: %s%s", self->name, line, at - begin + 1, what, why);
}

static clprim_status fail_at_bracket(const checker *self, size_t at, char bracket, const char *why)
{
    return fail_at(self, at, (const char[]){'\'', bracket, '\'', '\0'}, why);
}

/* A branch of an #if ends: remove the brackets that it left open. */
static void end_branch(checker *self)
{
    while (top_of(self).what != '#') {
        self->is_anybodys = true;
        pop(self);
    }
}

static clprim_status read_directive(checker *self, const clprim__token *directive, size_t at)
{
    static const char *const begins[] = {"if", "ifdef", "ifndef"};
    static const char *const branches[] = {"else", "elif", "elifdef", "elifndef"};
    bool is_begin = false, is_branch = false;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        is_begin = is_begin || clprim__is_directive(directive, begins[i]);
    for (size_t i = 0; i < sizeof branches / sizeof *branches; i++)
        is_branch = is_branch || clprim__is_directive(directive, branches[i]);
    const bool is_end = clprim__is_directive(directive, "endif");
    if (is_begin) {
        self->conditionals++;
        push(self, '#', at);
    }
    self->is_anybodys =
        self->is_anybodys || (clprim__is_directive(directive, "include") && self->kind == CLPRIM__DECLARATIONS);
    if (!is_branch && !is_end)
        return CLPRIM_SUCCESS;
    if (self->conditionals == 0)
        return fail_at(self, at, "an #else, #elif or #endif", " without #if");
    const opened top = top_of(self);
    if (top.what != '#' && self->kind == CLPRIM__EXPRESSION)
        return fail_at_bracket(self, top.at, top.what, " is not closed in its branch of an #if");
    end_branch(self);
    if (is_end) {
        self->conditionals--;
        pop(self);
    }
    return CLPRIM_SUCCESS;
}

static clprim_status read_bracket(checker *self, char c, size_t at)
{
    static const char open[] = "([{", close[] = ")]}";
    const char *closes = strchr(close, c);
    const opened top = top_of(self);
    if (strchr(open, c) != NULL) {
        push(self, c, at);
        return CLPRIM_SUCCESS;
    }
    if (closes == NULL) {
        return c == ';' && depth_of(self) == self->conditionals && self->kind == CLPRIM__EXPRESSION
                   ? fail_at(self, at, "';' ends a statement", ", but this is an expression")
                   : CLPRIM_SUCCESS;
    }
    if (top.what == open[closes - close]) {
        pop(self);
        return CLPRIM_SUCCESS;
    }
    if (top.what == '#' && self->kind == CLPRIM__DECLARATIONS) { /* opened before the #if */
        self->is_anybodys = true;
        return CLPRIM_SUCCESS;
    }
    if (self->is_anybodys)
        return CLPRIM_SUCCESS;
    return top.what == '\0' || top.what == '#'
               ? fail_at_bracket(self, at, c, " closes nothing that the text has opened")
               : fail_at_bracket(self, at, c,
                                 top.what == '('   ? " where ')' must come first"
                                 : top.what == '[' ? " where ']' must come first"
                                                   : " where '}' must come first");
}

/* Read a macro's body, which may open or close brackets. */
static void read_macro(checker *self, const clprim__token *token)
{
    if (token->line == CLPRIM__BODY && token->size == 1)
        self->macro += (strchr("([{", *token->text) != NULL) - (strchr(")]}", *token->text) != NULL);
    if (self->in_line == CLPRIM__BODY && token->line != CLPRIM__BODY) {
        self->is_anybodys = self->is_anybodys || (self->macro != 0 && self->kind == CLPRIM__DECLARATIONS);
        self->macro = 0;
    }
    self->in_line = token->line;
}

static clprim_status read_token(checker *self, const clprim__token *token)
{
    const size_t at = (size_t)(token->text - self->plain.data);
    const char first = *token->text;
    read_macro(self, token);
    if (token->is_open && token->kind == CLPRIM__SPACE)
        return fail_at(self, at, "a comment", " that the text does not end");
    if (token->is_open && token->line == CLPRIM__CODE && self->conditionals == 0)
        return fail_at(self, at, first == '"' ? "a string" : "a character", " that its line does not end");
    if (token->kind == CLPRIM__SPACE)
        return CLPRIM_SUCCESS;
    self->is_blank = false;
    if (first == '#' && token->line == CLPRIM__SAYS)
        return read_directive(self, token, at);
    return token->kind == CLPRIM__OTHER && token->size == 1 && token->line == CLPRIM__CODE
               ? read_bracket(self, first, at)
               : CLPRIM_SUCCESS;
}

static clprim_status check_end(checker *self)
{
    const clprim__token end = {.text = "", .line = CLPRIM__CODE};
    read_macro(self, &end);
    const char *newline = strrchr(self->text, '\n');
    for (const char *at = newline != NULL ? newline + 1 : self->text; *at != '\0'; at++) {
        const size_t joint = clprim__line_joint(at);
        if (joint > 0 && at[joint] == '\0')
            return fail_at(self, (size_t)(at - self->text), "a backslash", " at the end of the text");
    }
    for (; depth_of(self) > 0; pop(self)) {
        const opened top = top_of(self);
        if (top.what == '#')
            return fail_at(self, top.at, "an #if", " without #endif");
        if (!self->is_anybodys)
            return fail_at_bracket(self, top.at, top.what, " is not closed");
    }
    if (self->is_blank && self->kind == CLPRIM__EXPRESSION)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s is blank, but it must be an expression, or NULL", self->name);
    return CLPRIM_SUCCESS;
}

static clprim_status check(checker *self)
{
    clprim_status status = CLPRIM_SUCCESS;
    clprim__text_plain(&self->plain, self->text);
    CLPRIM__TRY(clprim__text_status(&self->plain));
    clprim__tokens tokens = {.at = self->plain.data, .end = self->plain.data + strlen(self->plain.data)};
    for (clprim__token token; clprim__next_token(&token, &tokens);) {
        CLPRIM__TRY(read_token(self, &token));
        CLPRIM__TRY(clprim__text_status(&self->stack));
    }
    status = check_end(self);
done:
    clprim__text_free(&self->plain);
    clprim__text_free(&self->stack);
    return status;
}

static clprim_status check_type_name(const char *name, const char *text)
{
    clprim__tokens tokens = {.at = text, .end = text + strlen(text)};
    size_t words = 0;
    for (clprim__token token; clprim__next_token(&token, &tokens);) {
        const bool is_blank = token.kind == CLPRIM__SPACE && strchr(" \t\r\n", *token.text) != NULL;
        if (token.kind != CLPRIM__WORD && !is_blank)
            words = SIZE_MAX / 2;
        words += token.kind == CLPRIM__WORD;
    }
    return words > 0 && words < SIZE_MAX / 2
               ? CLPRIM_SUCCESS
               : clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s '%s' is not the name of a type", name, text);
}

/* Check an option: if it defines a macro, it becomes a line of the program. All other options go to the compiler
 * unchanged. */
static clprim_status check_option(const checker *self, const char *at, size_t size)
{
    clprim__tokens tokens = {.at = at, .end = at + size};
    const bool is_joint = (size > 0 && at[size - 1] == '\\') || (size > 2 && strncmp(at + size - 3, "?\?/", 3) == 0);
    if (is_joint)
        return fail_at(self, (size_t)(at + size - 1 - self->text), "a backslash", " at the end of an option");
    for (clprim__token token; strncmp(at, "-D", 2) == 0 && clprim__next_token(&token, &tokens);)
        if (token.is_open && token.kind == CLPRIM__SPACE)
            return fail_at(self, (size_t)(token.text - self->text), "a comment", " that the option does not end");
    return CLPRIM_SUCCESS;
}

static clprim_status check_options(const checker *self)
{
    const size_t line = strcspn(self->text, "\r\n");
    clprim_status status = CLPRIM_SUCCESS;
    if (self->text[line] != '\0')
        return fail_at(self, line, "a line ends", ", but options are one line");
    for (const char *at = self->text; *at != '\0' && status == CLPRIM_SUCCESS; at += strspn(at, " \t")) {
        const size_t size = strcspn(at, " \t");
        status = check_option(self, at, size);
        at += size;
    }
    return status;
}

clprim_status clprim__balance_check(const char *name, const char *text, clprim__text_kind kind)
{
    checker self = {.name = name, .text = text, .kind = kind, .is_blank = true};
    if (text == NULL)
        return CLPRIM_SUCCESS;
    return kind == CLPRIM__TYPE_NAME ? check_type_name(name, text)
           : kind == CLPRIM__OPTIONS ? check_options(&self)
                                     : check(&self);
}
