// SPDX-License-Identifier: MIT
/* test_runtime.pipeline.c: parts go through three stages: in order, each when its buffers are free, several at once;
 * and a failing stage stops the others. */
#include "pipeline.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "error.h"
#include "support.h"

enum { PARTS = 40, STAGES = 3 };

typedef struct line {
    clprim__pipeline pipeline;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    size_t begun[STAGES], ended[STAGES];
    size_t fails_at, fails_in; /* part and stage that fail; STAGES: none */
    bool meets;                /* each stage waits for the others to work on other parts at the same time */
    const char *wrong;
} line;

static void expect(line *self, bool is_right, const char *what)
{
    if (!is_right && self->wrong == NULL)
        self->wrong = what;
}

/* Wait until the stage before has begun the next part, if there is one and it does not use the buffers of this part. */
static void meet(line *self, size_t stage, size_t part)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 20;
    if (!self->meets || stage == 0 || part + 1 == PARTS)
        return;
    while (self->begun[stage - 1] < part + 2)
        if (pthread_cond_timedwait(&self->changed, &self->mutex, &until) != 0) {
            expect(self, false, "stages do not work at the same time");
            return;
        }
}

static clprim_status enter(line *self, size_t stage, size_t part)
{
    const size_t lanes = self->pipeline.num_lanes;
    const bool is_split = self->pipeline.is_split;
    clprim_status status = CLPRIM_SUCCESS;
    pthread_mutex_lock(&self->mutex);
    expect(self, part == self->begun[stage] && part == self->ended[stage], "parts come in another order");
    expect(self, stage == 0 || self->ended[stage - 1] > part, "a stage begins before the one before it has ended");
    if (stage == 0 && part >= lanes)
        expect(self, self->ended[is_split ? 1 : 2] > part - lanes, "a part goes up to buffers that are in use");
    if (stage == 1 && part >= lanes)
        expect(self, self->ended[2] > part - lanes, "kernels write to buffers that are in use");
    self->begun[stage]++;
    pthread_cond_broadcast(&self->changed);
    meet(self, stage, part);
    self->ended[stage]++;
    if (stage == self->fails_in && part == self->fails_at)
        status = clprim__fail(CLPRIM_INVALID_RANGE, "stage %zu, part %zu", stage, part);
    pthread_mutex_unlock(&self->mutex);
    return status;
}

static clprim_status up(void *self, size_t part)
{
    return enter(self, 0, part);
}

static clprim_status launch(void *self, size_t part)
{
    return enter(self, 1, part);
}

static clprim_status down(void *self, size_t part)
{
    return enter(self, 2, part);
}

static clprim_status run(line *self, size_t num_parts, size_t num_lanes, bool is_split)
{
    self->pipeline = (clprim__pipeline){.num_parts = num_parts,
                                        .num_lanes = num_lanes,
                                        .is_split = is_split,
                                        .user = self,
                                        .up = up,
                                        .launch = launch,
                                        .down = down};
    pthread_mutex_init(&self->mutex, NULL);
    pthread_cond_init(&self->changed, NULL);
    const clprim_status status = clprim__pipeline_run(&self->pipeline);
    cr_assert_null(self->wrong, "%zu parts, %zu lanes: %s", num_parts, num_lanes, self->wrong);
    pthread_cond_destroy(&self->changed);
    pthread_mutex_destroy(&self->mutex);
    return status;
}

Test(runtime_pipeline, parts_in_order)
{
    for (size_t parts = 0; parts <= PARTS; parts += parts < 4 ? 1 : 12)
        for (size_t lanes = 1; lanes <= 3; lanes++)
            for (int is_split = 0; is_split < 2; is_split++) {
                line self = {.fails_in = STAGES};
                ASSERT_OK(run(&self, parts, lanes, is_split != 0));
                for (size_t s = 0; s < STAGES; s++)
                    cr_assert_eq(self.ended[s], parts);
            }
}

Test(runtime_pipeline, stages_at_once, .timeout = 600)
{
    line split = {.fails_in = STAGES, .meets = true}, whole = split;
    ASSERT_OK(run(&split, PARTS, 2, true));
    ASSERT_OK(run(&whole, PARTS, 3, false));
}

/* The error sentence comes from another thread. No stage begins a part after it has failed, or has been told of a
 * failure. */
Test(runtime_pipeline, failures, .timeout = 600)
{
    for (size_t stage = 0; stage < STAGES; stage++)
        for (size_t part = 0; part < PARTS; part += 13) {
            char sentence[64];
            line self = {.fails_in = stage, .fails_at = part};
            (void)snprintf(sentence, sizeof sentence, "stage %zu, part %zu", stage, part);
            ASSERT_REFUSED(run(&self, PARTS, 2, true), CLPRIM_INVALID_RANGE, sentence);
            cr_assert_eq(self.begun[stage], part + 1);
            for (size_t later = stage + 1; later < STAGES; later++)
                cr_assert_leq(self.begun[later], part);
        }
}
