/* tokens.h: the words of OpenCL C text, one after another. */
#ifndef CLPRIM_LIB_TOKENS_H
#define CLPRIM_LIB_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

#include "text.h"

/* What stands in a line of the preprocessor's. */
typedef enum clprim__line {
    CLPRIM__CODE,    /* no such line: the compiler's */
    CLPRIM__DEFINES, /* the name of a macro that is defined */
    CLPRIM__BODY,    /* what that macro stands for */
    CLPRIM__TESTS,   /* names of macros, or words of a pragma */
    CLPRIM__SAYS     /* nothing: the directive itself, a sentence, the name of a file */
} clprim__line;

typedef struct clprim__token {
    enum {
        CLPRIM__WORD,  /* an identifier or a keyword */
        CLPRIM__SPACE, /* between tokens: a blank, the end of a line, a comment */
        CLPRIM__OTHER  /* a number, a literal, or one character */
    } kind;
    clprim__line line;
    bool is_open;     /* a comment or a literal that does not end where it must */
    const char *text; /* in the text that is read */
    size_t size;
} clprim__token;

/* Where reading is. */
typedef struct clprim__tokens {
    const char *at, *end;
    clprim__line line;
    bool is_inside; /* of a line: behind its first token */
} clprim__tokens;

/* The next token; false where there is none. The tokens together are the whole text. */
bool clprim__next_token(clprim__token *out, clprim__tokens *tokens);

/* The next one that is not CLPRIM__SPACE. */
bool clprim__next_code(clprim__token *out, clprim__tokens *tokens);

/* Read `[i]`, which is behind the name of an array; if something else is there, how far this came does not matter. */
bool clprim__reads_at_i(clprim__tokens *tokens);

/* The same of `(i, NAME)`, which is behind vload_half; the name. */
bool clprim__reads_half_at_i(clprim__token *name, clprim__tokens *tokens);

/* Append a caller's text as a compiler sees it before it looks for tokens, and a zero: lines that a backslash joins are
 * one line, and trigraphs and digraphs are the characters that they stand for. Blanks are added, so that tokens stay
 * where they are, or nearly so: it is as long as the text. */
void clprim__text_plain(clprim__text *out, const char *text);

/* How many characters a backslash and the end of the line have, which join the next one to it; 0: here are none. At the
 * end of a text a backslash is that, too. */
size_t clprim__line_joint(const char *at);

/* Whether the token, which begins with #, is the directive of that name. */
bool clprim__is_directive(const clprim__token *token, const char *name);

bool clprim__is_char(const clprim__token *token, char c);
bool clprim__is_word(const clprim__token *token, const char *word);

#endif
