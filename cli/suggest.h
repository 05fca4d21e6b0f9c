/* suggest.h: the word that somebody may have meant. */
#ifndef CLPRIM_CLI_SUGGEST_H
#define CLPRIM_CLI_SUGGEST_H

#include <stddef.h>

enum { SUGGEST_SIZE = 64, SUGGEST_LONGEST = 32 /* characters of a word that is compared */ };

/* The search for the word that is most like one that was given. */
typedef struct suggest {
    const char *given;
    const char *best; /* NULL: none so far is like it */
    size_t distance;
} suggest;

suggest suggest_for(const char *given);
/* A word that is allowed, which lives as long as the search does. */
void suggest_add(suggest *self, const char *allowed);
/* "; did you mean BEFORE<word>?", or, if no word is like it, `otherwise`. */
const char *suggest_text(char out[static SUGGEST_SIZE], const suggest *self, const char *before, const char *otherwise);

#endif
