// SPDX-License-Identifier: MIT
/* tasks.h: several threads for one computation on the host. */
#ifndef CLPRIM_LIB_TASKS_H
#define CLPRIM_LIB_TASKS_H

#include <stddef.h>

/* How many threads n elements are worth if each should have at least `least`: 1 to the number of the process's
 * processors. */
size_t clprim__tasks_threads(size_t n, size_t least);

/* Call task(user, i) for each i less than `tasks`, once and in any order, and return when all are done. Up to `threads`
 * threads take part, one of which is the caller's; the others begin and end here, which takes 10 to 30 us. So nothing is
 * left behind for a process that forks or unloads the library. If no thread can be started, the caller does it all. */
void clprim__tasks_run(size_t tasks, size_t threads, void (*task)(void *user, size_t index), void *user);

#endif
