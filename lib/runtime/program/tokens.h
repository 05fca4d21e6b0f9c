/* tokens.h: the words of OpenCL C text, one after another. */
#ifndef CLPRIM_LIB_TOKENS_H
#define CLPRIM_LIB_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

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

bool clprim__is_word(const clprim__token *token, const char *word);

#endif
