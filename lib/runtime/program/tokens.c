// SPDX-License-Identifier: MIT
/* tokens.c: split OpenCL C text into tokens. */
#include "tokens.h"

#include <string.h>

#include "text.h"

/* Whether an identifier may begin with this character. */
static bool is_letter(char c)
{
    return clprim__is_letter(c) || c == '_';
}

static const char *end_of_word(const char *at, const char *end)
{
    while (at < end && (is_letter(*at) || clprim__is_digit(*at)))
        at++;
    return at;
}

static const char *end_of_number(const char *at, const char *end)
{
    for (at++; at < end; at++) {
        const bool is_sign = (*at == '+' || *at == '-') && strchr("eEpP", at[-1]) != NULL;
        if (!is_letter(*at) && !clprim__is_digit(*at) && *at != '.' && !is_sign)
            break;
    }
    return at;
}

/* Whether a backslash continues the line that ends here. */
static bool is_continued(const char *begin, const char *newline)
{
    while (newline > begin && strchr(" \t\r", newline[-1]) != NULL)
        newline--;
    return newline > begin && newline[-1] == '\\';
}

static const char *end_of_comment(bool *is_open, const char *at, const char *end)
{
    const char *begin = at;
    const bool is_line = at[1] == '/';
    for (at += is_line ? 2 : 3; at < end; at++)
        if (is_line ? *at == '\n' && !is_continued(begin, at) : at[-1] == '*' && *at == '/')
            return is_line ? at : at + 1;
    *is_open = !is_line;
    return end;
}

static const char *end_of_literal(bool *is_open, const char *at, const char *end)
{
    const char quote = *at;
    for (at++; at < end && *at != quote && *at != '\n'; at++)
        if (*at == '\\' && at + 1 < end)
            at++;
    *is_open = at == end || *at != quote;
    return *is_open ? at : at + 1;
}

bool clprim__reads_half_at_i(clprim__token *name, clprim__tokens *tokens)
{
    clprim__token open, index, comma, close;
    return clprim__next_code(&open, tokens) && clprim__is_char(&open, '(') && clprim__next_code(&index, tokens) &&
           clprim__is_word(&index, "i") && clprim__next_code(&comma, tokens) && clprim__is_char(&comma, ',') &&
           clprim__next_code(name, tokens) && name->kind == CLPRIM__WORD && clprim__next_code(&close, tokens) &&
           clprim__is_char(&close, ')');
}

size_t clprim__line_joint(const char *at)
{
    const size_t size = *at == '\\' ? 1 : strncmp(at, "?\?/", 3) == 0 ? 3 : 0;
    const size_t blanks = size > 0 ? strspn(at + size, " \t\r") : 0;
    if (size == 0 || (at[size + blanks] != '\n' && at[size + blanks] != '\0'))
        return 0;
    return size + blanks + (at[size + blanks] == '\n');
}

/* The character that a trigraph or digraph stands for, and the sequence's size; '\0': it is neither. */
static char meaning_of(size_t *size, const char *at)
{
    static const char rows[][5] = {"?\?([", "?\?)]", "?\?<{", "?\?>}", "?\?=#", "?\?/\\", "?\?'^",
                                   "?\?!|", "?\?-~", "<:[",   ":>]",   "<%{",   "%>}",    "%:#"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        *size = strlen(rows[i]) - 1;
        if (strncmp(at, rows[i], *size) == 0)
            return rows[i][*size];
    }
    return '\0';
}

void clprim__text_plain(clprim__text *out, const char *text)
{
    size_t missing = 0; /* number of blanks to insert at the next place where they change nothing */
    while (*text != '\0') {
        size_t size = clprim__line_joint(text);
        char c = '\0';
        if (size == 0) {
            c = meaning_of(&size, text);
            size = c != '\0' ? size : 1;
            c = c != '\0' ? c : *text;
        }
        for (; missing > 0 && c != '\0' && strchr(" \t\n", c) != NULL; missing--)
            clprim__text_append(out, " ", 1);
        if (c != '\0')
            clprim__text_append(out, &c, 1);
        missing += size - (c != '\0');
        text += size;
    }
    for (; missing > 0; missing--)
        clprim__text_append(out, " ", 1);
    clprim__text_append(out, "", 1);
}

bool clprim__next_code(clprim__token *out, clprim__tokens *tokens)
{
    while (clprim__next_token(out, tokens))
        if (out->kind != CLPRIM__SPACE)
            return true;
    return false;
}

bool clprim__is_char(const clprim__token *token, char c)
{
    return token->size == 1 && *token->text == c;
}

bool clprim__reads_at_i(clprim__tokens *tokens)
{
    clprim__token open, index, close;
    return clprim__next_code(&open, tokens) && clprim__is_char(&open, '[') && clprim__next_code(&index, tokens) &&
           clprim__is_word(&index, "i") && clprim__next_code(&close, tokens) && clprim__is_char(&close, ']');
}

bool clprim__is_word(const clprim__token *token, const char *word)
{
    return token->size == strlen(word) && memcmp(token->text, word, token->size) == 0;
}

bool clprim__is_directive(const clprim__token *token, const char *name)
{
    clprim__tokens tokens = {.at = token->text + 1, .end = token->text + token->size};
    clprim__token word;
    return clprim__next_code(&word, &tokens) && clprim__is_word(&word, name);
}

/* Read the name of a directive, after '#' and any comments; returns its end. */
static const char *read_directive(clprim__line *out, const char *at, const char *end)
{
    static const struct {
        const char *word;
        clprim__line line;
    } rows[] = {{"define", CLPRIM__DEFINES}, {"undef", CLPRIM__TESTS},  {"if", CLPRIM__TESTS},
                {"ifdef", CLPRIM__TESTS},    {"ifndef", CLPRIM__TESTS}, {"elif", CLPRIM__TESTS},
                {"pragma", CLPRIM__TESTS}};
    bool is_open = false;
    for (;;)
        if (at < end && (*at == ' ' || *at == '\t'))
            at++;
        else if (at + 1 < end && at[0] == '/' && at[1] == '*')
            at = end_of_comment(&is_open, at, end);
        else
            break;
    const clprim__token word = {.text = at, .size = (size_t)(end_of_word(at, end) - at)};
    *out = CLPRIM__SAYS;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (clprim__is_word(&word, rows[i].word))
            *out = rows[i].line;
    return at + word.size;
}

/* The end of the token that begins at `at`, and its kind. */
static const char *end_of(clprim__token *out, const char *at, const char *end)
{
    const char next = at + 1 < end ? at[1] : '\0';
    out->kind = CLPRIM__OTHER;
    out->is_open = false;
    if (is_letter(*at)) {
        out->kind = CLPRIM__WORD;
        return end_of_word(at, end);
    }
    if (clprim__is_digit(*at) || (*at == '.' && clprim__is_digit(next)))
        return end_of_number(at, end);
    if (*at == '"' || *at == '\'')
        return end_of_literal(&out->is_open, at, end);
    if (*at == '/' && (next == '/' || next == '*')) {
        out->kind = CLPRIM__SPACE;
        return end_of_comment(&out->is_open, at, end);
    }
    if (strchr(" \t\r\n\\", *at) != NULL)
        out->kind = CLPRIM__SPACE;
    if (*at == '\\' && next != '\0') /* the line is continued */
        return at + (next == '\r' && at + 2 < end ? 3 : 2);
    return at + 1;
}

bool clprim__next_token(clprim__token *out, clprim__tokens *tokens)
{
    const char *at = tokens->at;
    if (at == tokens->end)
        return false;
    if (*at == '#' && !tokens->is_inside) {
        out->kind = CLPRIM__OTHER;
        out->is_open = false;
        tokens->at = read_directive(&tokens->line, at + 1, tokens->end);
        out->line = CLPRIM__SAYS;
    } else {
        tokens->at = end_of(out, at, tokens->end);
        out->line = tokens->line;
        if (tokens->line == CLPRIM__DEFINES && out->kind == CLPRIM__WORD)
            tokens->line = CLPRIM__BODY;
    }
    if (*at == '\n')
        tokens->line = CLPRIM__CODE;
    tokens->is_inside = *at != '\n' && (tokens->is_inside || out->kind != CLPRIM__SPACE);
    out->text = at;
    out->size = (size_t)(tokens->at - at);
    return true;
}
