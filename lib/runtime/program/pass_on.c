// SPDX-License-Identifier: MIT
/* pass_on.c: pass the values of a caller's parameters to the functions that need them. */
#include "pass_on.h"

#include <string.h>

#include "error.h"
#include "names.h"
#include "tokens.h"

static const char CALLERS[] = CLPRIM__RESERVED "callers_";

/* A position in the text's structure: the number of open braces and parentheses. */
typedef struct depth {
    int braces, parentheses;
} depth;

static void advance(depth *at, const clprim__token *token)
{
    const char c = token->kind == CLPRIM__OTHER && token->line == CLPRIM__CODE ? *token->text : '\0';
    at->braces += (c == '{') - (c == '}');
    at->parentheses += (c == '(') - (c == ')');
}

static bool is_outermost(const depth *at)
{
    return at->braces == 0 && at->parentheses == 0;
}

/* Whether a word is in the list of functions, in which a space follows each name. A name in the list that ends with _
 * matches all words that begin with it. */
static bool is_function(const clprim__text *functions, const clprim__token *word)
{
    size_t size = 0;
    for (const char *at = functions->data; at != NULL && *at != '\0'; at += size + 1) {
        size = strcspn(at, " ");
        if ((size == word->size || (size < word->size && at[size - 1] == '_')) && memcmp(at, word->text, size) == 0)
            return true;
    }
    return false;
}

static bool begins_with(const clprim__token *word, const char *beginning)
{
    const size_t size = strlen(beginning);
    return word->kind == CLPRIM__WORD && word->size >= size && memcmp(word->text, beginning, size) == 0;
}

/* If this is a macro CLPRIM_...(NAME, ...) of clprim/device/, it defines functions whose names begin with NAME_: add
 * them. */
static void find_instance(clprim__text *functions, const clprim__token *macro, clprim__tokens tokens)
{
    clprim__token name;
    if (begins_with(macro, "CLPRIM_") && clprim__next_code(&name, &tokens) && clprim__is_char(&name, '(') &&
        clprim__next_code(&name, &tokens) && begins_with(&name, CLPRIM__RESERVED) && !is_function(functions, &name))
        clprim__text_format(functions, "%.*s_ ", (int)name.size, name.text);
}

/* Find all functions: a word, parentheses and braces at the top level. Functions of clprim/device/, which are marked
 * CLPRIM__INLINE, are left out, because they need no parameters. */
static clprim_status find_functions(clprim__text *functions, const char *text, size_t size)
{
    clprim__tokens tokens = {.at = text, .end = text + size};
    clprim__token last = {.size = 0};      /* the last word outside all parentheses */
    clprim__token candidate = {.size = 0}; /* the word before the parentheses that were closed just now */
    bool is_public = false;
    depth at = {0, 0};
    for (clprim__token token; clprim__next_token(&token, &tokens);) {
        if (token.line == CLPRIM__CODE || token.line == CLPRIM__BODY)
            find_instance(functions, &token, tokens);
        if (token.kind == CLPRIM__SPACE || token.line != CLPRIM__CODE)
            continue;
        if (is_outermost(&at) && token.kind == CLPRIM__WORD)
            last = token;
        is_public = is_public || (is_outermost(&at) && clprim__is_word(&token, "CLPRIM__INLINE"));
        if (is_outermost(&at) && *token.text == '{') {
            if (candidate.size > 0 && !is_public && !is_function(functions, &candidate))
                clprim__text_format(functions, "%.*s ", (int)candidate.size, candidate.text);
            is_public = false;
        }
        advance(&at, &token);
        candidate = (clprim__token){.size = 0};
        if (is_outermost(&at) && *token.text == ')')
            candidate = last;
    }
    return clprim__text_status(functions);
}

/* Read a function's opening parenthesis, and write it with `added` after it. */
static void add_to_list(clprim__text *out, clprim__tokens *tokens, const char *added)
{
    clprim__token token;
    (void)clprim__next_token(&token, tokens);
    clprim__text_format(out, "(%s", added);
    clprim__tokens ahead = *tokens;
    (void)clprim__next_token(&token, &ahead);
    if (clprim__is_word(&token, "void")) /* the function has no parameters of its own */
        *tokens = ahead;
    else if (*token.text != ')')
        clprim__text_append(out, ", ", 2);
}

/* Whether a name in a macro's body is declared here: then the token before it is a word of its type. */
static bool is_declared(const clprim__token *before)
{
    return before->kind == CLPRIM__WORD && before->line == CLPRIM__BODY && !clprim__is_word(before, "return") &&
           !clprim__is_word(before, "else") && !clprim__is_word(before, "do");
}

clprim_status clprim__pass_on(clprim__text *out, const char *text, size_t size, bool has_arguments)
{
    clprim__tokens tokens = {.at = text, .end = text + size};
    clprim__text functions = {0};
    clprim__token before = {.kind = CLPRIM__OTHER}; /* the previous token that is not space */
    depth at = {0, 0};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(find_functions(&functions, text, size));
    for (clprim__token token; clprim__next_token(&token, &tokens);
         before = token.kind != CLPRIM__SPACE ? token : before) {
        const bool is_callers = token.size >= sizeof CALLERS && memcmp(token.text, CALLERS, sizeof CALLERS - 1) == 0;
        const bool is_code = token.line == CLPRIM__CODE;
        clprim__text_append(out, token.text, token.size);
        advance(&at, &token);
        if (token.kind != CLPRIM__WORD || (!is_code && token.line != CLPRIM__BODY) || tokens.at == tokens.end ||
            *tokens.at != '(' || (is_callers ? !has_arguments : !is_function(&functions, &token)))
            continue;
        add_to_list(out, &tokens,
                    is_callers                                             ? "ARGUMENTS"
                    : (is_code ? is_outermost(&at) : is_declared(&before)) ? "PARAMETERS"
                                                                           : "PASSED");
        at.parentheses += is_code;
        token.kind = CLPRIM__OTHER; /* the parenthesis that was written last */
    }
    status = clprim__text_status(out);
done:
    clprim__text_free(&functions);
    return status;
}
