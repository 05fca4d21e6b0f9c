// SPDX-License-Identifier: MIT
/* tasks.c: several threads for one computation on the host. */
#include "tasks.h"

#include <limits.h>
#include <sched.h>

#include "platform.h"

enum {
    LOOKS = 1000,    /* before others may use the processor */
    LAST_LOOKS = 200 /* before threads are fetched: some 10 us */
};

static const long gone = LONG_MIN / 2; /* in place of the number of tasks that are left: there will be no others */

size_t clprim__tasks_threads(size_t n, size_t least)
{
    const size_t worth = n / least;
    if (worth <= 1)
        return 1;
    const long processors = clprim__processors();
    const size_t most = processors < 1                      ? 1
                        : processors > CLPRIM__MOST_THREADS ? CLPRIM__MOST_THREADS
                                                            : (size_t)processors;
    return worth < most ? worth : most;
}

static void wait_a_little(unsigned *looks)
{
    if (++*looks >= LOOKS) {
        *looks = 0;
        (void)sched_yield();
        return;
    }
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* A number that was not positive when it was decremented belongs to no task. So a thread that comes late, when the next
 * tasks may be there or not, takes one of them or nothing. */
static void take_part(clprim__workers *self)
{
    for (;;) {
        const long left = __atomic_fetch_sub(&self->left, 1, __ATOMIC_ACQUIRE);
        if (left <= 0)
            return;
        self->task(self->user, (size_t)left - 1);
        (void)__atomic_fetch_add(&self->done, 1, __ATOMIC_RELEASE);
    }
}

static void *work(void *user)
{
    clprim__workers *self = user;
    unsigned looks = 0;
    for (;;) {
        const long left = __atomic_load_n(&self->left, __ATOMIC_RELAXED);
        if (left <= gone) {
            (void)__atomic_fetch_add(&self->over, 1, __ATOMIC_RELAXED);
            return NULL;
        }
        if (left > 0)
            take_part(self);
        else
            wait_a_little(&looks);
    }
}

void clprim__workers_begin(clprim__workers *self, size_t threads)
{
    self->left = 0;
    self->begun = self->over = 0;
    while (self->begun + 1 < threads && clprim__thread_begin(&self->others[self->begun], work, self)) {
        self->begun++;
        clprim__thread_spread(self->others[self->begun - 1], self->begun, threads);
    }
}

void clprim__workers_run(clprim__workers *self, size_t tasks, void (*task)(void *user, size_t index), void *user)
{
    unsigned looks = 0;
    self->task = task;
    self->user = user;
    __atomic_store_n(&self->done, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&self->left, (long)tasks, __ATOMIC_RELEASE);
    take_part(self);
    while (__atomic_load_n(&self->done, __ATOMIC_ACQUIRE) < (long)tasks)
        wait_a_little(&looks);
}

/* Where other programs are at work, a thread may not run for milliseconds. It need not, for there is nothing left to do. */
void clprim__workers_end(clprim__workers *self)
{
    unsigned looks = 0;
    __atomic_store_n(&self->left, gone, __ATOMIC_RELAXED);
    for (int k = 0; k < LAST_LOOKS && __atomic_load_n(&self->over, __ATOMIC_RELAXED) < self->begun; k++)
        wait_a_little(&looks);
    if (__atomic_load_n(&self->over, __ATOMIC_RELAXED) < self->begun)
        for (size_t i = 0; i < self->begun; i++)
            clprim__thread_fetch(self->others[i]);
    while (self->begun > 0)
        (void)pthread_join(self->others[--self->begun], NULL);
}

void clprim__tasks_run(size_t tasks, size_t threads, void (*task)(void *user, size_t index), void *user)
{
    clprim__workers workers;
    clprim__workers_begin(&workers, threads < tasks ? threads : tasks);
    clprim__workers_run(&workers, tasks, task, user);
    clprim__workers_end(&workers);
}
