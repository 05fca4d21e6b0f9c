// SPDX-License-Identifier: MIT
/* races.h: calls of any operation, made from its table. */
#ifndef CLPRIM_TEST_RACES_H
#define CLPRIM_TEST_RACES_H

#include "call.h"

/* Properties that all calls of a round share. In each round every variant is called once, with a description that the
 * round determines. */
typedef struct races_round {
    const char *name;
    size_t count;
    size_t skip;         /* elements before the first one, in all arrays */
    unsigned pattern;    /* pattern of the data, as in trials */
    bool is_in_place;    /* outputs are in place if possible */
    const char *without; /* CLPRIM_WITHOUT */
    bool by_expressions; /* elements are read and results written by expressions, if possible */
    bool is_full;        /* only if all rounds are run; uses the sizes that the library chooses */
} races_round;

enum { RACES_MAX_MEMBERS = 64 };

/* The description of an operation. */
typedef struct races_desc {
    test_struct given, plain; /* plain: another description for the reference, which means the same but has no caller's
                               * text */
    const clprim_member *members[RACES_MAX_MEMBERS]; /* the members that differ from the sample */
    size_t num_members;
} races_desc;

/* One call of one variant. */
typedef struct races_call {
    const clprim__trial_subject *subject;
    const races_round *round;
    size_t number; /* number of the round, which determines members' values */
    int variant;
    size_t most; /* elements at most; 0: any number */
    clprim_runtime *runtime;
    clprim__trial trial; /* owns the memory */
    races_desc desc;
    test_call self;
} races_call;

/* Elements of the call. */
size_t races_count(const races_call *call);
/* Whether descriptions change this member in any round. */
bool races_knows(const clprim_member *member);
/* Make a plan with a description in which, if possible, each member of the operation has another value. False if the
 * variant does not support it. */
bool races_make(races_call *call);
/* Create the data, and the expected results. */
void races_fill(races_call *call);

#endif
