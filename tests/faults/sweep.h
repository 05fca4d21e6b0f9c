// SPDX-License-Identifier: MIT
/* sweep.h: runs an operation again and again; its first call fails, then its second, then its third, until there is no
 * further call. */
#ifndef CLPRIM_TEST_SWEEP_H
#define CLPRIM_TEST_SWEEP_H

#include <clprim/clprim.h>

#include "faults.h"

/* The calls that fail: one call of OpenCL; one call and all that follow, because the device is lost; an allocation; a
 * file operation. */
enum { SWEEP_CALLS = 1, SWEEP_LOST = 2, SWEEP_MEMORY = 4, SWEEP_FILES = 8 };

/* An operation, and what must hold after it. All functions except `run` are called without faults. Functions that
 * return a bool report what is wrong with sweep_wrong. Members that are NULL are skipped. */
typedef struct sweep {
    const char *name;
    unsigned ways;         /* all of these ways, one after another; 0: SWEEP_CALLS */
    bool may_make_none;    /* the operation may make no call that could fail */
    bool is_planted;       /* a test of the harness itself, which is not counted */
    cl_int code;           /* 0: several codes, alternating */
    const char *tolerated; /* functions, separated by spaces, whose failure may go unnoticed, provided that the result
                            * is right */
    clprim_status instead; /* a status that may be returned instead of the one for the driver's code; 0: none */
    void *self;
    void *out; /* a pointer, or a number of the same size, that only a success writes: it is 0 after a failure */
    void (*prepare)(void *self);
    clprim_status (*run)(void *self);
    void (*finish)(void *self);                               /* wait for the commands that were enqueued */
    bool (*is_kept)(void *self, const faults_report *report); /* after a failure: whether the header's promises hold */
    bool (*is_right)(void *self);                             /* after a success: whether the result is right */
    void (*clear)(void *self);                                /* release what was made, if anything was */
    bool (*recover)(void *self); /* what must work afterwards; NULL: run the operation once more without faults */
} sweep;

/* Returns NULL, or a sentence that says what is wrong. It is also an error if no call could be made to fail in one of
 * the ways. */
const char *sweep_run(const sweep *s);

/* The current fault: "call 12, clSetKernelArg (3)". */
const char *sweep_fault(void);

/* Set that sentence unless there is one already. Returns false. */
bool sweep_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Call this after an operation has released everything: nothing may be held that was not held before. */
const char *sweep_leaks(const faults_balance *before);

/* The same for tests: they fail with that sentence, and nothing at all may be held. */
void sweep_expect(const sweep *s);
void sweep_expect_no_leaks(void);

/* A test after which nothing is held. (Failed assertions in .fini do not make a test fail.) */
#define FAULTS_TEST(name)                                                                                              \
    static void name(void);                                                                                            \
    Test(faults, name)                                                                                                 \
    {                                                                                                                  \
        name();                                                                                                        \
        sweep_expect_no_leaks();                                                                                       \
    }                                                                                                                  \
    static void name(void)

#endif
