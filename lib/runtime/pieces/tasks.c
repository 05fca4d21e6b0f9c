// SPDX-License-Identifier: MIT
/* tasks.c: several threads for one computation on the host. */
#include "tasks.h"

#include <pthread.h>

#include "platform.h"

enum { MAX_THREADS = 64 };

/* What all threads of one computation share. */
typedef struct team {
    void (*task)(void *user, size_t index);
    void *user;
    size_t tasks;
    size_t next; /* changed atomically */
} team;

size_t clprim__tasks_threads(size_t n, size_t least)
{
    const size_t worth = n / least;
    if (worth <= 1)
        return 1;
    const long processors = clprim__processors();
    const size_t most = processors < 1 ? 1 : processors > MAX_THREADS ? MAX_THREADS : (size_t)processors;
    return worth < most ? worth : most;
}

static void *take_part(void *user)
{
    team *self = user;
    for (;;) {
        const size_t index = __atomic_fetch_add(&self->next, 1, __ATOMIC_RELAXED);
        if (index >= self->tasks)
            return NULL;
        self->task(self->user, index);
    }
}

void clprim__tasks_run(size_t tasks, size_t threads, void (*task)(void *user, size_t index), void *user)
{
    team self = {.task = task, .user = user, .tasks = tasks};
    pthread_t others[MAX_THREADS];
    size_t begun = 0;
    const size_t wanted = threads < tasks ? threads : tasks;
    while (begun + 1 < wanted && begun < MAX_THREADS && clprim__thread_begin(&others[begun], take_part, &self))
        begun++;
    (void)take_part(&self);
    while (begun > 0)
        (void)pthread_join(others[--begun], NULL);
}
