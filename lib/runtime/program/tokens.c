/* tokens.c: the words of OpenCL C text, one after another. */
#include "tokens.h"

#include <string.h>

#include "text.h"

/* May an identifier begin with it? */
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

static const char *end_of_comment(const char *at, const char *end)
{
    const bool is_line = at[1] == '/';
    for (at += is_line ? 2 : 3; at < end; at++)
        if (is_line ? *at == '\n' : at[-1] == '*' && *at == '/')
            return is_line ? at : at + 1;
    return end;
}

static const char *end_of_literal(const char *at, const char *end)
{
    const char quote = *at;
    for (at++; at < end && *at != quote && *at != '\n'; at++)
        if (*at == '\\' && at + 1 < end)
            at++;
    return at < end && *at == quote ? at + 1 : at;
}

bool clprim__is_word(const clprim__token *token, const char *word)
{
    return token->size == strlen(word) && memcmp(token->text, word, token->size) == 0;
}

/* From behind '#': the end of the directive's name. */
static const char *read_directive(clprim__line *out, const char *at, const char *end)
{
    static const struct {
        const char *word;
        clprim__line line;
    } rows[] = {{"define", CLPRIM__DEFINES}, {"undef", CLPRIM__TESTS},  {"if", CLPRIM__TESTS},
                {"ifdef", CLPRIM__TESTS},    {"ifndef", CLPRIM__TESTS}, {"elif", CLPRIM__TESTS},
                {"pragma", CLPRIM__TESTS}};
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    const clprim__token word = {.text = at, .size = (size_t)(end_of_word(at, end) - at)};
    *out = CLPRIM__SAYS;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (clprim__is_word(&word, rows[i].word))
            *out = rows[i].line;
    return at + word.size;
}

/* Where the token that begins at `at` ends, and which kind it is. */
static const char *end_of(clprim__token *out, const char *at, const char *end)
{
    const char next = at + 1 < end ? at[1] : '\0';
    out->kind = CLPRIM__OTHER;
    if (is_letter(*at)) {
        out->kind = CLPRIM__WORD;
        return end_of_word(at, end);
    }
    if (clprim__is_digit(*at) || (*at == '.' && clprim__is_digit(next)))
        return end_of_number(at, end);
    if (*at == '"' || *at == '\'')
        return end_of_literal(at, end);
    if (*at == '/' && (next == '/' || next == '*')) {
        out->kind = CLPRIM__SPACE;
        return end_of_comment(at, end);
    }
    if (strchr(" \t\r\n\\", *at) != NULL)
        out->kind = CLPRIM__SPACE;
    if (*at == '\\' && next != '\0') /* the line goes on */
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
