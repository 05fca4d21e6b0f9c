/* races.h: calls of any operation, made from its table. */
#ifndef CLPRIM_TEST_RACES_H
#define CLPRIM_TEST_RACES_H

#include "describe.h"

/* What the calls of a round have in common. In each every variant is called once, by a description of the round's. */
typedef struct races_round {
    const char *name;
    size_t count;
    size_t skip;         /* elements before the first one, in all arrays */
    unsigned pattern;    /* of data, as trials have it */
    bool is_in_place;    /* what may be */
    const char *without; /* CLPRIM_WITHOUT */
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
    const char *without;
    size_t most; /* elements; 0: any number */
    clprim_runtime *runtime;
    clprim__trial trial; /* memory */
    races_desc desc;
    clprim_plan *plan;
    bool is_wrong;
} races_call;

/* Elements of the call. */
size_t races_count(const races_call *call);
/* Whether descriptions change this member in any round. */
bool races_knows(const clprim_member *member);
/* Make a plan by a description in which, if possible, each member that the operation has got another value. Any status
 * is the library's. */
clprim_status races_make(races_call *call);
/* Enqueue it twice, and compare; what differs is recorded in the call. */
clprim_status races_enqueue(races_call *call);

/* Whether a status says that this cannot be asked of the variant. */
bool races_is_refused(clprim_status status);

/* Memory of the call's, zeroed. */
void *races_memory(races_call *call, size_t bytes);

#endif
