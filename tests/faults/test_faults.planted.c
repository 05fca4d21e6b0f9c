/* test_faults.planted.c: the harness sees what it is there to see: operations with a bug are reported. */
#define _XOPEN_SOURCE 700
#include <clprim/clprim.h>
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
    IS_WRONG_AFTERWARDS
} bug;

/* Writes 1 to *out by way of two commands and a block of memory. */
typedef struct planted {
    bug bug;
    cl_command_queue queue;
    int out;
    int state;
    /* What leaked, for sanitizers look for leaks, too. */
    cl_event events[8];
    void *blocks[8];
    size_t num_events, num_blocks;
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
    if (status != CLPRIM_SUCCESS && p->bug == LEAKS_AN_EVENT && p->num_events < 8) {
        p->events[p->num_events++] = event;
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
    if (p->bug == LEAKS_MEMORY && status != CLPRIM_SUCCESS && p->num_blocks < 8)
        p->blocks[p->num_blocks++] = block;
    else
        free(block);
    return status;
}

static void prepare(void *self)
{
    planted *p = self;
    p->out = 0;
}

static bool is_kept(void *self, const faults_report *report)
{
    planted *p = self;
    (void)report;
    return p->out == 0 || sweep_wrong("*out was written");
}

static bool is_right(void *self)
{
    planted *p = self;
    return p->out == 1 || sweep_wrong("*out is %d", p->out);
}

static bool recover(void *self)
{
    prepare(self);
    return run(self) == CLPRIM_SUCCESS && is_right(self);
}

/* What is said about an operation with that bug; NULL: nothing. */
static const char *verdict(bug which, bool is_forever)
{
    faults_forget();
    clprim_runtime *runtime = test_runtime(NULL);
    planted p = {.bug = which, .queue = test_queue(runtime, 0)};
    sweep s = {.name = "planted",
               .is_forever = is_forever,
               .is_planted = true,
               .self = &p,
               .prepare = prepare,
               .run = run,
               .is_kept = is_kept,
               .is_right = is_right,
               .recover = recover};
    const char *wrong = sweep_run(&s, NULL);
    s.group = FAULTS_MEMORY;
    if (wrong == NULL)
        wrong = sweep_run(&s, NULL);
    ASSERT_CL(clReleaseCommandQueue(p.queue));
    clprim_runtime_destroy(runtime);
    if (wrong == NULL)
        wrong = sweep_leaks("planted", 0, 0);
    for (size_t i = 0; i < p.num_events; i++)
        ASSERT_CL(clReleaseEvent(p.events[i]));
    for (size_t i = 0; i < p.num_blocks; i++)
        free(p.blocks[i]);
    return wrong;
}

Test(faults, the_harness_sees_planted_bugs)
{
    static const struct {
        bug bug;
        const char *said;
    } rows[] = {
        {LEAKS_AN_EVENT, "1 of clEnqueueMarkerWithWaitList"},
        {LEAKS_MEMORY, "of malloc"},
        {RELEASES_TWICE, "nobody held"},
        {SWALLOWS_AN_ERROR, "clFlush (0): its failure goes unnoticed"},
        {SAYS_NOTHING, "the sentence is"},
        {GIVES_ANOTHER_STATUS, "the status is"},
        {WRITES_WHEN_IT_FAILS, "*out was written"},
        {IS_WRONG_AFTERWARDS, "*out is 2"},
    };
    for (int forever = 0; forever < 2; forever++) {
        const char *none = verdict(NO_BUG, forever);
        cr_assert_null(none, "without a bug: %s", none);
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            const char *wrong = verdict(rows[i].bug, forever);
            cr_assert_not_null(wrong, "bug %d is not seen", (int)rows[i].bug);
            cr_assert(strstr(wrong, rows[i].said) != NULL || forever, "bug %d: %s", (int)rows[i].bug, wrong);
        }
    }
}
