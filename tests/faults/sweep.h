/* sweep.h: an operation again and again, with its first call failing, its second, its third, until none is left. */
#ifndef CLPRIM_TEST_SWEEP_H
#define CLPRIM_TEST_SWEEP_H

#include <clprim/clprim.h>

#include "faults.h"

/* What fails: a call of OpenCL; one and all that follow, for the device is lost; an allocation; a call of files. */
enum { SWEEP_CALLS = 1, SWEEP_LOST = 2, SWEEP_MEMORY = 4, SWEEP_FILES = 8 };

/* An operation, and what holds after it. All but `run` work without faults; those that return a bool say what is wrong
 * by sweep_wrong. Those that are NULL are passed over. */
typedef struct sweep {
    const char *name;
    unsigned ways;         /* one after another; 0: SWEEP_CALLS */
    bool may_make_none;    /* calls that could fail */
    bool is_planted;       /* an operation of the harness's own, which the tally leaves out */
    cl_int code;           /* 0: several in turn */
    const char *tolerated; /* functions whose failure may go unnoticed, with spaces between: the result is right then */
    clprim_status instead; /* what may be returned instead of a driver's code; 0: nothing */
    void *self;
    void *out; /* a pointer or a number as large, which only a success writes: 0 after a failure */
    void (*prepare)(void *self);
    clprim_status (*run)(void *self);
    void (*finish)(void *self);                               /* wait for what was enqueued */
    bool (*is_kept)(void *self, const faults_report *report); /* after a failure: what the header promises */
    bool (*is_right)(void *self);                             /* after a success */
    void (*clear)(void *self);                                /* give up what was made, if anything was */
    bool (*recover)(void *self); /* what works after that; NULL: the operation once more, without faults */
} sweep;

/* NULL, or a sentence that says what is wrong: also if in one of the ways no call could be made to fail. */
const char *sweep_run(const sweep *s);

/* The fault at hand: "call 12, clSetKernelArg (3)". */
const char *sweep_fault(void);

/* Set that sentence, where there is none yet. Returns false. */
bool sweep_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* After an operation has given up all it had: nothing is held but what was before. */
const char *sweep_leaks(const faults_balance *before);

/* The same for tests, which fail with that sentence; and nothing at all is held. */
void sweep_expect(const sweep *s);
void sweep_expect_no_leaks(void);

/* A test after which nothing is held. (Of what is asserted in .fini a test does not fail.) */
#define FAULTS_TEST(name)                                                                                              \
    static void name(void);                                                                                            \
    Test(faults, name)                                                                                                 \
    {                                                                                                                  \
        name();                                                                                                        \
        sweep_expect_no_leaks();                                                                                       \
    }                                                                                                                  \
    static void name(void)

#endif
