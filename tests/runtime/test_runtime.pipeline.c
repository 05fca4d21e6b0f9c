// SPDX-License-Identifier: MIT
/* test_runtime.pipeline.c: pieces go through three stages: in order, each when its buffers are free, several at once;
 * and a failing stage stops the others. */
#include "pipeline.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "error.h"
#include "support.h"

enum { PIECES = 40, STAGES = 3 };

typedef struct line {
    clprim__pipeline pipeline;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    size_t begun[STAGES], ended[STAGES];
    size_t fails_at, fails_in; /* piece and stage that fail; STAGES: none */
    bool meets;                /* each stage waits for the others to work on other pieces at the same time */
    const char *wrong;
} line;

static void expect(line *self, bool is_right, const char *what)
{
    if (!is_right && self->wrong == NULL)
        self->wrong = what;
}

/* Wait until the stage before has begun the next piece, if there is one and it does not use the buffers of this piece. */
static void meet(line *self, size_t stage, size_t piece)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 20;
    if (!self->meets || stage == 0 || piece + 1 == PIECES)
        return;
    while (self->begun[stage - 1] < piece + 2)
        if (pthread_cond_timedwait(&self->changed, &self->mutex, &until) != 0) {
            expect(self, false, "stages do not work at the same time");
            return;
        }
}

static clprim_status enter(line *self, size_t stage, size_t piece)
{
    const size_t lanes = self->pipeline.num_lanes;
    const bool is_split = self->pipeline.is_split;
    clprim_status status = CLPRIM_SUCCESS;
    pthread_mutex_lock(&self->mutex);
    expect(self, piece == self->begun[stage] && piece == self->ended[stage], "pieces come in another order");
    expect(self, stage == 0 || self->ended[stage - 1] > piece, "a stage begins before the one before it has ended");
    if (stage == 0 && piece >= lanes)
        expect(self, self->ended[is_split ? 1 : 2] > piece - lanes, "a piece goes up to buffers that are in use");
    if (stage == 1 && piece >= lanes)
        expect(self, self->ended[2] > piece - lanes, "kernels write to buffers that are in use");
    self->begun[stage]++;
    pthread_cond_broadcast(&self->changed);
    meet(self, stage, piece);
    self->ended[stage]++;
    if (stage == self->fails_in && piece == self->fails_at)
        status = clprim__fail(CLPRIM_INVALID_RANGE, "stage %zu, piece %zu", stage, piece);
    pthread_mutex_unlock(&self->mutex);
    return status;
}

static clprim_status up(void *self, size_t piece)
{
    return enter(self, 0, piece);
}

static clprim_status launch(void *self, size_t piece)
{
    return enter(self, 1, piece);
}

static clprim_status down(void *self, size_t piece)
{
    return enter(self, 2, piece);
}

static clprim_status run(line *self, size_t num_pieces, size_t num_lanes, bool is_split)
{
    self->pipeline = (clprim__pipeline){.num_pieces = num_pieces,
                                        .num_lanes = num_lanes,
                                        .is_split = is_split,
                                        .user = self,
                                        .up = up,
                                        .launch = launch,
                                        .down = down};
    pthread_mutex_init(&self->mutex, NULL);
    pthread_cond_init(&self->changed, NULL);
    const clprim_status status = clprim__pipeline_run(&self->pipeline);
    cr_assert_null(self->wrong, "%zu pieces, %zu lanes: %s", num_pieces, num_lanes, self->wrong);
    pthread_cond_destroy(&self->changed);
    pthread_mutex_destroy(&self->mutex);
    return status;
}

Test(runtime_pipeline, pieces_in_order)
{
    for (size_t pieces = 0; pieces <= PIECES; pieces += pieces < 4 ? 1 : 12)
        for (size_t lanes = 1; lanes <= 3; lanes++)
            for (int is_split = 0; is_split < 2; is_split++) {
                line self = {.fails_in = STAGES};
                ASSERT_OK(run(&self, pieces, lanes, is_split != 0));
                for (size_t s = 0; s < STAGES; s++)
                    cr_assert_eq(self.ended[s], pieces);
            }
}

Test(runtime_pipeline, stages_at_once, .timeout = 600)
{
    line split = {.fails_in = STAGES, .meets = true}, whole = split;
    ASSERT_OK(run(&split, PIECES, 2, true));
    ASSERT_OK(run(&whole, PIECES, 3, false));
}

/* The error sentence comes from another thread. No stage begins a piece after it has failed, or has been told of a
 * failure. */
Test(runtime_pipeline, failures, .timeout = 600)
{
    for (size_t stage = 0; stage < STAGES; stage++)
        for (size_t piece = 0; piece < PIECES; piece += 13) {
            char sentence[64];
            line self = {.fails_in = stage, .fails_at = piece};
            (void)snprintf(sentence, sizeof sentence, "stage %zu, piece %zu", stage, piece);
            ASSERT_REFUSED(run(&self, PIECES, 2, true), CLPRIM_INVALID_RANGE, sentence);
            cr_assert_eq(self.begun[stage], piece + 1);
            for (size_t later = stage + 1; later < STAGES; later++)
                cr_assert_leq(self.begun[later], piece);
        }
}
