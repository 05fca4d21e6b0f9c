/* races.h: calls of any operation, made from its table. */
#ifndef CLPRIM_TEST_RACES_H
#define CLPRIM_TEST_RACES_H

#include "call.h"

/* What the calls of a round have in common. In each every variant is called once, by a description of the round's. */
typedef struct races_round {
    const char *name;
    size_t count;
    size_t skip;         /* elements before the first one, in all arrays */
    unsigned pattern;    /* of data, as trials have it */
    bool is_in_place;    /* what may be */
    const char *without; /* CLPRIM_WITHOUT */
    bool by_expressions; /* elements are read, and results written, by an expression, where that is possible */
    bool is_full;        /* only where everything is run; with the sizes that the library chooses */
} races_round;

enum { RACES_MAX_MEMBERS = 64 };

/* The description of an operation. */
typedef struct races_desc {
    test_struct given, plain; /* plain: another that means the same without text of the caller's, for the reference */
    const clprim_member *members[RACES_MAX_MEMBERS]; /* those that it changes in the sample */
    size_t num_members;
} races_desc;

/* One call of one variant. */
typedef struct races_call {
    const clprim__trial_subject *subject;
    const races_round *round;
    size_t number; /* of the round: members' values depend on it */
    int variant;
    size_t most; /* elements; 0: any number */
    clprim_runtime *runtime;
    clprim__trial trial; /* memory */
    races_desc desc;
    test_call self;
} races_call;

/* Elements of the call. */
size_t races_count(const races_call *call);
/* Whether descriptions change this member in any round. */
bool races_knows(const clprim_member *member);
/* Make a plan by a description in which, if possible, each member that the operation has got another value. False where
 * the variant cannot do it. */
bool races_make(races_call *call);
/* Data for it, and what must come of them. */
void races_fill(races_call *call);

#endif
