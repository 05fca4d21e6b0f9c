// SPDX-License-Identifier: MIT
/* tokens.h: split OpenCL C text into tokens. */
#ifndef CLPRIM_LIB_TOKENS_H
#define CLPRIM_LIB_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

#include "text.h"

/* The kind of text in a line, or in a part of a preprocessor line. */
typedef enum clprim__line {
    CLPRIM__CODE,    /* not a preprocessor line */
    CLPRIM__DEFINES, /* the name of the macro that a #define defines */
    CLPRIM__BODY,    /* the body of that macro */
    CLPRIM__TESTS,   /* names of macros, or words of a pragma */
    CLPRIM__SAYS     /* no names: the directive itself, a message, a file name */
} clprim__line;

typedef struct clprim__token {
    enum {
        CLPRIM__WORD,  /* an identifier or a keyword */
        CLPRIM__SPACE, /* between tokens: a blank, a line end, a comment */
        CLPRIM__OTHER  /* a number, a literal, or one character */
    } kind;
    clprim__line line;
    bool is_open;     /* a comment or a literal that is not terminated */
    const char *text; /* points into the text that is read */
    size_t size;
} clprim__token;

/* A position in the text. */
typedef struct clprim__tokens {
    const char *at, *end;
    clprim__line line;
    bool is_inside; /* after the first token of a line */
} clprim__tokens;

/* Read the next token; false at the end. The tokens together make up the whole text. */
bool clprim__next_token(clprim__token *out, clprim__tokens *tokens);

/* Read the next token that is not CLPRIM__SPACE. */
bool clprim__next_code(clprim__token *out, clprim__tokens *tokens);

/* Read `[i]` after the name of an array. Returns whether it is there; if not, the position in `tokens` is
 * unspecified. */
bool clprim__reads_at_i(clprim__tokens *tokens);

/* The same for `(i, NAME)` after vload_half; *name receives the name. */
bool clprim__reads_half_at_i(clprim__token *name, clprim__tokens *tokens);

/* Append a caller's text, and a zero, as a compiler sees it before it splits it into tokens: lines that end with a
 * backslash are joined, and trigraphs and digraphs are replaced by their characters. Blanks are added so that the text
 * keeps its length and tokens keep their positions, or nearly so. */
void clprim__text_plain(clprim__text *out, const char *text);

/* The size of a backslash with a line end, which joins the next line to this one; 0: there is none here. A backslash at
 * the end of the text counts, too. */
size_t clprim__line_joint(const char *at);

/* Whether the token, which begins with #, is the directive of this name. */
bool clprim__is_directive(const clprim__token *token, const char *name);

bool clprim__is_char(const clprim__token *token, char c);
bool clprim__is_word(const clprim__token *token, const char *word);

#endif
