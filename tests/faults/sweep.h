/* sweep.h: an operation again and again, with its first call failing, its second, its third, until none is left. */
#ifndef CLPRIM_TEST_SWEEP_H
#define CLPRIM_TEST_SWEEP_H

#include <clprim/clprim.h>

#include "faults.h"

/* An operation, and what holds after it. All but `run` work without faults; those that return a bool say what is wrong
 * by sweep_wrong. Those that are NULL are passed over. */
typedef struct sweep {
    const char *name;
    faults_group group;
    bool is_forever;
    bool is_planted;              /* an operation of the harness's own, which the tally leaves out */
    cl_int code;                  /* 0: several in turn */
    const char *const *tolerated; /* functions whose failure may go unnoticed, up to NULL: the result is right then */
    clprim_status instead;        /* what may be returned instead of a driver's code; 0: nothing */
    void *self;
    void (*prepare)(void *self);
    clprim_status (*run)(void *self);
    void (*finish)(void *self);                               /* wait for what was enqueued */
    bool (*is_kept)(void *self, const faults_report *report); /* after a failure: what the header promises */
    bool (*is_right)(void *self);                             /* after a success */
    bool (*recover)(void *self);                              /* the operation once more, without faults */
} sweep;

/* NULL, or a sentence that says what is wrong. *calls, where not NULL, is how many calls could fail. */
const char *sweep_run(const sweep *s, unsigned *calls);

/* The fault at hand: "call 12, clSetKernelArg (3)". */
const char *sweep_fault(void);

/* Set that sentence, where there is none yet. Returns false. */
bool sweep_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* After an operation has given up all it had: nothing is held but what was before. */
const char *sweep_leaks(const char *name, size_t objects, size_t blocks);

/* The same for tests, which fail with that sentence; and at least one call could fail, or nothing at all is held. */
void sweep_expect(const sweep *s);
void sweep_expect_no_leaks(const char *name);

#endif
