// SPDX-License-Identifier: MIT
/* tasks.h: several threads for one computation on the host. */
#ifndef CLPRIM_LIB_TASKS_H
#define CLPRIM_LIB_TASKS_H

#include <pthread.h>
#include <stddef.h>

enum { CLPRIM__MOST_THREADS = 64 };

/* How many threads n elements are worth if each should have at least `least`: 1 to the number of the process's
 * processors. */
size_t clprim__tasks_threads(size_t n, size_t least);

/* Threads that work together for a short time, one of which is the caller's. The others begin here and are gone at the end, which
 * takes 50 to 100 us: so nothing is left behind for a process that forks or unloads the library. In between they do not
 * sleep, for to wake a thread takes as long again. */
typedef struct clprim__workers {
    void (*task)(void *user, size_t index);
    void *user;
    long left;          /* tasks that nobody has taken; changed atomically */
    long done;          /* changed atomically */
    size_t begun, over; /* over: threads that know that this is the end; changed atomically */
    pthread_t others[CLPRIM__MOST_THREADS];
} clprim__workers;

/* Begin with up to `threads` threads, 1 to CLPRIM__MOST_THREADS. If no thread can be started, the caller's does it all. */
void clprim__workers_begin(clprim__workers *self, size_t threads);

/* Call task(user, i) for each i less than `tasks`, once and in any order, and return when all are done. */
void clprim__workers_run(clprim__workers *self, size_t tasks, void (*task)(void *user, size_t index), void *user);

/* Wait until the other threads are gone. */
void clprim__workers_end(clprim__workers *self);

/* Workers that have only this to do, no more than there are tasks. */
void clprim__tasks_run(size_t tasks, size_t threads, void (*task)(void *user, size_t index), void *user);

#endif
