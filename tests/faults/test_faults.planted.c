// SPDX-License-Identifier: MIT
/* test_faults.planted.c: the harness finds what it must find: operations with a bug are reported. */
#include <stdlib.h>

#include "error.h"
#include "support.h"
#include "sweep.h"

typedef enum bug {
    NO_BUG = 0,
    LEAKS_AN_EVENT,
    LEAKS_MEMORY,
    RELEASES_TWICE,
    SWALLOWS_AN_ERROR,
    SAYS_NOTHING,
    GIVES_ANOTHER_STATUS,
    WRITES_WHEN_IT_FAILS,
    IS_WRONG_AFTERWARDS,
    BUGS
} bug;

/* Writes 1 to *out, with two commands and a block of memory. */
typedef struct planted {
    bug bug;
    cl_command_queue queue;
    size_t out;
    int state;
    cl_event leaked_event; /* sanitizers look for leaks, too */
    void *leaked_block;
} planted;

static clprim_status run(void *self)
{
    planted *p = self;
    cl_event event = NULL;
    clprim_status status = CLPRIM_SUCCESS;
    int *block = malloc(sizeof *block);
    if (block == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory");
    p->state++;
    CLPRIM__TRY(clprim__cl(clEnqueueMarkerWithWaitList(p->queue, 0, NULL, &event), "clEnqueueMarkerWithWaitList"));
    const cl_int code = clFlush(p->queue);
    if (p->bug == WRITES_WHEN_IT_FAILS)
        p->out = 1;
    if (code != CL_SUCCESS && p->bug == SAYS_NOTHING)
        status = (clprim_status)code;
    else if (code != CL_SUCCESS && p->bug == GIVES_ANOTHER_STATUS)
        status = clprim__fail(CLPRIM_INVALID_BUFFER, "clFlush");
    else if (p->bug != SWALLOWS_AN_ERROR)
        status = clprim__cl(code, "clFlush");
    if (status != CLPRIM_SUCCESS && p->bug == LEAKS_AN_EVENT && p->leaked_event == NULL) {
        p->leaked_event = event;
        event = NULL;
    }
    CLPRIM__TRY(status);
    p->state--;
    p->out = p->bug == IS_WRONG_AFTERWARDS && p->state > 0 ? 2 : 1;
done:
    if (p->bug != IS_WRONG_AFTERWARDS)
        p->state = 0;
    if (event != NULL)
        (void)clReleaseEvent(event);
    if (event != NULL && p->bug == RELEASES_TWICE && status != CLPRIM_SUCCESS)
        (void)clReleaseEvent(event);
    if (p->bug == LEAKS_MEMORY && status != CLPRIM_SUCCESS && p->leaked_block == NULL)
        p->leaked_block = block;
    else
        free(block);
    return status;
}

static bool is_right(void *self)
{
    const planted *p = self;
    return p->out == 1 || sweep_wrong("*out is %zu", p->out);
}

/* The error that the harness reports for an operation with this bug; NULL: none. */
static const char *verdict(bug which, unsigned ways)
{
    faults_forget();
    clprim_runtime *runtime = test_runtime(NULL);
    planted p = {.bug = which, .queue = test_queue(runtime, 0)};
    const sweep s = {.name = "planted",
                     .ways = ways,
                     .is_planted = true,
                     .self = &p,
                     .out = &p.out,
                     .run = run,
                     .is_right = is_right};
    const char *wrong = sweep_run(&s);
    ASSERT_CL(clReleaseCommandQueue(p.queue));
    clprim_runtime_destroy(runtime);
    if (wrong == NULL)
        wrong = sweep_leaks(&(faults_balance){0});
    if (p.leaked_event != NULL)
        ASSERT_CL(clReleaseEvent(p.leaked_event));
    free(p.leaked_block);
    return wrong;
}

FAULTS_TEST(the_harness_sees_planted_bugs)
{
    static const char *const said[BUGS] = {
        [LEAKS_AN_EVENT] = "1 of clEnqueueMarkerWithWaitList",
        [LEAKS_MEMORY] = "of malloc",
        [RELEASES_TWICE] = "nobody held",
        [SWALLOWS_AN_ERROR] = "clFlush (0): its failure goes unnoticed",
        [SAYS_NOTHING] = "the sentence is",
        [GIVES_ANOTHER_STATUS] = "the status is",
        [WRITES_WHEN_IT_FAILS] = "*out was written",
        [IS_WRONG_AFTERWARDS] = "*out is 2",
    };
    static const unsigned ways[] = {SWEEP_CALLS | SWEEP_MEMORY, SWEEP_LOST | SWEEP_MEMORY};
    for (size_t way = 0; way < 2; way++) {
        const char *none = verdict(NO_BUG, ways[way]);
        cr_assert_null(none, "without a bug: %s", none);
        for (bug b = NO_BUG + 1; b < BUGS; b++) {
            const char *wrong = verdict(b, ways[way]);
            cr_assert_not_null(wrong, "bug %d is not seen", (int)b);
            cr_assert(strstr(wrong, said[b]) != NULL || way > 0, "bug %d: %s", (int)b, wrong);
        }
    }
}
