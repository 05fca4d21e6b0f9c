// SPDX-License-Identifier: MIT
/* nth_element_digits.h: find the keys at given ranks of an array of which no device has all elements. */
#ifndef CLPRIM_LIB_NTH_ELEMENT_DIGITS_H
#define CLPRIM_LIB_NTH_ELEMENT_DIGITS_H

#include <clprim/pieces.h>
#include <clprim/runtime.h>

/* Counters of a pass over the keys, if there is memory for them: as many as the digits of 16 bits. */
enum { CLPRIM__DIGITS_BINS = 1 << 16 };

/* A selection by digits, from the highest on: each pass over the keys counts those that begin with the digits found so
 * far by their next digit. The counts of several pieces of the array are added up, wherever the pieces are. */
typedef struct clprim__digits {
    clprim_runtime *runtime;
    clprim_key_order order; /* of all bits of keys of up to 64 bits */
    const void *keys;       /* the keys that are here, on the host */
    size_t count;
    size_t bins; /* counters of a pass, a power of two of at least 256; the same wherever pieces are */
    /* Add what was counted elsewhere; `status` says whether counting has succeeded here. NULL: all keys are here. If it
     * fails, so does it elsewhere. */
    clprim_status (*add_up)(void *user, clprim_status status, uint64_t *counts, size_t num);
    /* Called after each piece; NULL: nobody wants to know. */
    clprim_status (*progress)(void *user, size_t done, size_t total);
    void *user;
} clprim__digits;

/* out[i] becomes the key at rank ranks[i] of all keys. Each rank is less than their number.
 * Errors: those of histogram's run; those of the functions. */
clprim_status clprim__digits_select(void *out, const clprim__digits *self, const uint64_t *ranks, size_t rank_count);

#endif
