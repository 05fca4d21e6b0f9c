// SPDX-License-Identifier: MIT
/* pipeline.c: send the pieces of an array to the device, run kernels on them, and copy results back, all three at
 * once. */
#include "pipeline.h"

#include <pthread.h>

#include "error.h"

typedef enum stage { UP = 0, LAUNCH, DOWN, STAGES } stage;

typedef struct pipeline {
    const clprim__pipeline *given;
    pthread_mutex_t mutex; /* guards the members below */
    pthread_cond_t changed;
    bool is_open;        /* threads may start work; until then, it is not known whether all could be created */
    size_t done[STAGES]; /* number of pieces that have left each stage */
    clprim_status status;
    char *sentence; /* of the first failure; NULL: there was no memory for it */
} pipeline;

/* Whether piece done[s] may enter the stage. The mutex must be held. */
static bool is_free(const pipeline *self, stage s)
{
    const size_t piece = self->done[s];
    const size_t lanes = self->given->num_lanes;
    const bool is_split = self->given->is_split;
    switch (s) {
    case UP: return piece < self->done[is_split ? LAUNCH : DOWN] + lanes;
    case LAUNCH: return piece < self->done[UP] && (!is_split || piece < self->done[DOWN] + lanes);
    default: return piece < self->done[LAUNCH];
    }
}

/* Wait for the stage's next piece. Returns false if there is none, or if something has failed. */
static bool next(size_t *piece, pipeline *self, stage s)
{
    pthread_mutex_lock(&self->mutex);
    while (self->status == CLPRIM_SUCCESS && self->done[s] < self->given->num_pieces &&
           !(self->is_open && is_free(self, s)))
        pthread_cond_wait(&self->changed, &self->mutex);
    const bool is_there = self->status == CLPRIM_SUCCESS && self->done[s] < self->given->num_pieces;
    *piece = self->done[s];
    pthread_mutex_unlock(&self->mutex);
    return is_there;
}

static void leave(pipeline *self, stage s, clprim_status status)
{
    pthread_mutex_lock(&self->mutex);
    if (status == CLPRIM_SUCCESS) {
        self->done[s]++;
    } else if (self->status == CLPRIM_SUCCESS) {
        self->status = status;
        self->sentence = clprim__last_error_copy();
    }
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->mutex);
}

static clprim__stage stage_of(const pipeline *self, stage s)
{
    return s == UP ? self->given->up : s == LAUNCH ? self->given->launch : self->given->down;
}

static void work(pipeline *self, stage s)
{
    size_t piece;
    while (next(&piece, self, s))
        leave(self, s, stage_of(self, s)(self->given->user, piece));
}

static void *go_up(void *self)
{
    work(self, UP);
    return NULL;
}

static void *launch(void *self)
{
    work(self, LAUNCH);
    return NULL;
}

/* Run all stages in one thread. */
static clprim_status run_alone(const clprim__pipeline *given)
{
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t piece = 0; piece < given->num_pieces; piece++) {
        CLPRIM__TRY(given->up(given->user, piece));
        CLPRIM__TRY(given->launch(given->user, piece));
        CLPRIM__TRY(given->down(given->user, piece));
    }
done:
    return status;
}

/* If is_open, let the threads that were created start work. Otherwise too few could be created, and they end. */
static void open_or_end(pipeline *self, bool is_open)
{
    pthread_mutex_lock(&self->mutex);
    self->is_open = is_open;
    if (!is_open)
        self->done[UP] = self->given->num_pieces;
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->mutex);
}

clprim_status clprim__pipeline_run(const clprim__pipeline *given)
{
    pipeline self = {.given = given};
    pthread_t threads[DOWN];
    if (given->num_pieces <= 1)
        return run_alone(given);
    pthread_mutex_init(&self.mutex, NULL);
    pthread_cond_init(&self.changed, NULL);
    const bool goes_up = pthread_create(&threads[UP], NULL, go_up, &self) == 0;
    const bool launches = goes_up && pthread_create(&threads[LAUNCH], NULL, launch, &self) == 0;
    open_or_end(&self, launches);
    if (launches) {
        work(&self, DOWN);
        (void)pthread_join(threads[LAUNCH], NULL);
    }
    if (goes_up)
        (void)pthread_join(threads[UP], NULL);
    pthread_cond_destroy(&self.changed);
    pthread_mutex_destroy(&self.mutex);
    if (!launches)
        return run_alone(given);
    if (self.status != CLPRIM_SUCCESS) {
        (void)clprim__fail(self.status, "a piece of a run failed: %s", clprim_status_string(self.status));
        clprim__last_error_put_back(self.sentence);
    }
    return self.status;
}
