// SPDX-License-Identifier: MIT
/* suggest.h: find the word that the user may have meant. */
#ifndef CLPRIM_CLI_SUGGEST_H
#define CLPRIM_CLI_SUGGEST_H

#include <stddef.h>

enum { SUGGEST_SIZE = 64, SUGGEST_LONGEST = 32 /* longest word that is compared, in characters */ };

/* A search for the word that is most similar to the given one. */
typedef struct suggest {
    const char *given;
    const char *best; /* NULL: none so far is similar */
    size_t distance;
} suggest;

suggest suggest_for(const char *given);
/* Add an allowed word. It must live as long as the search. */
void suggest_add(suggest *self, const char *allowed);
/* Returns "; did you mean BEFORE<word>?", or `otherwise` if no word is similar. */
const char *suggest_text(char out[static SUGGEST_SIZE], const suggest *self, const char *before, const char *otherwise);

#endif
