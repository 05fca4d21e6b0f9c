// SPDX-License-Identifier: MIT
/* watch.c: a thread that checks every ten milliseconds whether kernels end. A kernel in which a group waits for a group
 * that cannot run never ends: then this thread ends the process with a message, instead of letting it hang. */
#include "double.h"

#include <ctype.h>
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { TICK_MS = 10, TICKS_OF_A_SECOND = 1000 / TICK_MS, MOST_WATCHED = 4096, NAME_SIZE = 64 };

typedef struct watched {
    cl_event event;
    unsigned ticks; /* since it was first seen running */
    char kernel[NAME_SIZE];
} watched;

/* The page that kernels see at DOUBLE_PAGE (text.c). */
typedef struct shared_page {
    volatile cl_uint counter; /* the counter that a starved group looks at, as it last saw it */
    volatile cl_uint stays;   /* 1 while a group stalls; any other value lets it continue */
} shared_page;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static watched list[MOST_WATCHED];
static size_t num_watched;
static pid_t owner; /* the process that has the thread: after a fork, the child does not */
static shared_page *page;

bool double_map_page(void)
{
    void *wanted = (void *)DOUBLE_PAGE; /* NOLINT(performance-no-int-to-ptr) */
    void *got = mmap(wanted, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (got != wanted)
        return false;
    page = got;
    return true;
}

/* Threads of this process that are running or ready to run. */
static size_t num_running(void)
{
    size_t count = 0;
    DIR *folder = opendir("/proc/self/task");
    for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        char path[300], line[512];
        if (!isdigit((unsigned char)entry->d_name[0]))
            continue;
        (void)snprintf(path, sizeof path, "/proc/self/task/%s/stat", entry->d_name);
        FILE *file = fopen(path, "r");
        const size_t size = file != NULL ? fread(line, 1, sizeof line - 1, file) : 0;
        line[size] = '\0';
        const char *behind = strrchr(line, ')');
        count += behind != NULL && behind[1] == ' ' && behind[2] == 'R';
        if (file != NULL)
            (void)fclose(file);
    }
    if (folder != NULL)
        (void)closedir(folder);
    return count;
}

/* A starved group continues when only itself and this thread run, or when another group has waited too long. */
static void look_at_starved(void)
{
    enum { ENOUGH = 3 * TICKS_OF_A_SECOND, IDLE = 3 };
    static unsigned still, idle;
    static cl_uint last;
    if (page == NULL || page->stays != 1 || page->counter != last) {
        still = idle = 0;
        last = page != NULL ? page->counter : 0;
        return;
    }
    idle = num_running() <= 2 ? idle + 1 : 0;
    if (++still > ENOUGH)
        double_found("%s: groups wait for one that does not run", num_watched > 0 ? list[0].kernel : "a kernel");
    if (still > ENOUGH || idle > IDLE)
        page->stays = 2;
}

static bool has_ended(watched *w)
{
    cl_int state = CL_COMPLETE;
    (void)BELOW(clGetEventInfo)(w->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    if (state == CL_RUNNING)
        w->ticks++;
    return state <= CL_COMPLETE;
}

static void *watch(void *nothing)
{
    const struct timespec tick = {.tv_nsec = TICK_MS * 1000000L};
    for (;;) {
        (void)nanosleep(&tick, NULL);
        pthread_mutex_lock(&mutex);
        look_at_starved();
        for (size_t i = 0; i < num_watched;) {
            watched *w = &list[i];
            if (has_ended(w)) {
                (void)BELOW(clReleaseEvent)(w->event);
                *w = list[--num_watched];
                continue;
            }
            if (w->ticks > double_get()->patience * TICKS_OF_A_SECOND) {
                double_found("%s has run for %u seconds: a group waits for one that does not run", w->kernel,
                             double_get()->patience);
                _exit(70);
            }
            i++;
        }
        pthread_mutex_unlock(&mutex);
    }
    return nothing;
}

void double_watch(cl_event event, const char *kernel)
{
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    if (owner != getpid()) {
        num_watched = 0;
        if (pthread_create(&thread, NULL, watch, NULL) == 0) {
            (void)pthread_detach(thread);
            owner = getpid();
        }
    }
    if (num_watched < MOST_WATCHED && BELOW(clRetainEvent)(event) == CL_SUCCESS) {
        watched *w = &list[num_watched++];
        *w = (watched){.event = event};
        (void)snprintf(w->kernel, sizeof w->kernel, "%s", kernel);
    }
    pthread_mutex_unlock(&mutex);
}
