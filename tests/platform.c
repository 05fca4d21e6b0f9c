// SPDX-License-Identifier: MIT
/* platform.c: what platform.h promises, on whatever system this runs. DIRECTORY, which must not exist yet, is left empty
 * and removed by nobody. A program by itself, without Criterion, which is not on all systems. */
#ifdef __linux__
#define _GNU_SOURCE /* for processors */
#include <sched.h>
#endif
#include "platform.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* File names are UTF-8. */
#define NAME "numbers \xc3\xa4\xe2\x82\xac.bin"

static int num_failed;

static void expect(bool is_so, const char *what, int line)
{
    if (is_so)
        return;
    num_failed++;
    printf("line %d: not so: %s (errno %d)\n", line, what, errno);
}

#define EXPECT(condition) expect(condition, #condition, __LINE__)

static void check_bytes(int directory)
{
    static const char text[] = "a\nb\r\nc\x1a"
                               "d"; /* what text files of Windows change */
    char got[32] = "";
    size_t size = 0;
    clprim__facts facts = {0};
    const int fd = clprim__file_open(directory, NAME, CLPRIM__OPEN_NEW);
    EXPECT(fd >= 0);
    EXPECT(clprim__file_write(fd, text, sizeof text, -1));
    EXPECT(clprim__file_write(fd, "x", 1, 0));
    EXPECT(clprim__file_write(fd, "end", 3, -1)); /* where the first write has ended */
    EXPECT(clprim__facts_of(&facts, fd) && facts.is_file && !facts.is_directory && facts.size == sizeof text + 3);
    EXPECT(facts.is_mine && !facts.others_may_write && facts.num_names == 1);
    EXPECT(facts.modified > clprim__date() - INT64_C(60000000000) &&
           facts.modified <= clprim__date() + INT64_C(60000000000));
    EXPECT(clprim__file_rewind(fd) && clprim__file_read(fd, got, sizeof got, -1, &size) && size == sizeof text + 3);
    EXPECT(got[0] == 'x' && memcmp(got + 1, text + 1, sizeof text - 1) == 0 &&
           memcmp(got + sizeof text, "end", 3) == 0);
    EXPECT(clprim__file_truncate(fd, 4));
    EXPECT(clprim__file_read(fd, got, sizeof got, 1, &size) && size == 3);
    clprim__file_sync(fd);
    clprim__file_touch(fd);
    EXPECT(clprim__file_close_written(fd));
    errno = 0;
    EXPECT(clprim__file_open(directory, NAME, CLPRIM__OPEN_NEW) < 0 && errno == EEXIST);
    errno = 0;
    EXPECT(clprim__file_open(directory, "nothing", CLPRIM__OPEN_READ) < 0 && errno == ENOENT);
    EXPECT(clprim__facts_at(&facts, directory, NAME) && facts.size == 4 &&
           !clprim__facts_at(&facts, directory, "nothing"));
}

/* Positions of more than 32 bits; the file has a hole. */
static void check_far(int directory)
{
    const int64_t far = (INT64_C(1) << 32) + 5;
    char byte = 0;
    size_t size = 0;
    clprim__facts facts = {0};
    const int fd = clprim__file_open(directory, "far", CLPRIM__OPEN_NEW);
    EXPECT(clprim__file_write(fd, "z", 1, far) && clprim__facts_of(&facts, fd) && facts.size == (uint64_t)far + 1);
    EXPECT(clprim__file_read(fd, &byte, 1, far, &size) && size == 1 && byte == 'z');
    clprim__file_close(fd);
    EXPECT(clprim__file_remove(directory, "far"));
}

/* Wine 8 removes a file, and its name, when nobody has it open any more, and does not say so before. */
#ifdef _WIN32
static const unsigned removed_names = 1;
#else
static const unsigned removed_names = 0;
#endif

/* A file may get another's name, or lose its own, while both are open. */
static void check_names(int directory)
{
    char got[8] = "";
    size_t size = 0;
    clprim__facts facts = {0};
    const int before = clprim__file_open(directory, NAME, CLPRIM__OPEN_OWN);
    const int fresh = clprim__file_open(directory, "fresh", CLPRIM__OPEN_NEW);
    EXPECT(before >= 0 && clprim__file_write(fresh, "new", 3, -1));
    EXPECT(clprim__file_rename(directory, "fresh", NAME));
    EXPECT(clprim__facts_of(&facts, before) && facts.num_names == removed_names);
    clprim__file_close(before);
    EXPECT(clprim__file_remove(directory, NAME));
    EXPECT(clprim__facts_of(&facts, fresh) && facts.num_names == removed_names);
    EXPECT(clprim__file_read(fresh, got, sizeof got, 0, &size) && size == 3 && memcmp(got, "new", 3) == 0);
    clprim__file_close(fresh);
    EXPECT(!clprim__file_remove(directory, NAME));
}

static void check_locks(int directory)
{
    const int first = clprim__file_open(directory, "lock", CLPRIM__OPEN_KEEP);
    const int second = clprim__file_open(directory, "lock", CLPRIM__OPEN_CHANGE);
    EXPECT(clprim__file_lock(first) == CLPRIM__LOCKED && clprim__file_lock(second) == CLPRIM__LOCKED_BY_ANOTHER);
    EXPECT(clprim__file_write(second, "x", 1, 0)); /* locks concern only those that ask for them */
    clprim__file_close(first);
    EXPECT(clprim__file_lock(second) == CLPRIM__LOCKED);
    clprim__file_close(second);
    EXPECT(clprim__file_remove(directory, "lock"));

    const int64_t number = (INT64_C(1) << 60) - 1;
    const int holds[] = {clprim__holds_open(directory), clprim__holds_open(directory)};
    EXPECT(!clprim__is_held(directory, number));
    for (int i = 0; i < 2; i++)
        clprim__hold(holds[i], number);
    clprim__hold(holds[0], 0);
    EXPECT(clprim__is_held(directory, number) && clprim__is_held(directory, 0) && !clprim__is_held(directory, 1));
    clprim__file_close(holds[0]);
    EXPECT(clprim__is_held(directory, number) && !clprim__is_held(directory, 0));
    clprim__file_close(holds[1]);
    EXPECT(!clprim__is_held(directory, number));
}

static void count(void *user, int directory, const char *name)
{
    int *counts = user;
    (void)directory;
    counts[0] += strcmp(name, NAME) == 0;
    counts[1] += name[0] != '.';
}

static void check_directory(const char *path)
{
    clprim__facts facts = {0};
    int counts[2] = {0};
    EXPECT(clprim__directory_make(path, true));
    errno = 0;
    EXPECT(!clprim__directory_make(path, true) && errno == EEXIST);
    const int directory = clprim__directory_open(path, true);
    EXPECT(directory >= 0);
    EXPECT(clprim__facts_of(&facts, directory) && facts.is_directory && facts.is_mine && !facts.others_may_write);
    check_bytes(directory);
    clprim__directory_list(directory, count, counts);
    EXPECT(counts[0] == 1 && counts[1] == 1);
    const int again = clprim__directory_again(directory);
    check_names(again);
    clprim__file_close(again);
    check_far(directory);
    check_locks(directory);
    clprim__file_close(directory);
    errno = 0;
    EXPECT(clprim__directory_open("no such directory", true) < 0 && errno == ENOENT);
}

static void *set(void *user)
{
    *(int *)user = 1;
    return NULL;
}

#ifdef __linux__
static void *wait_for(void *user)
{
    while (!__atomic_load_n((bool *)user, __ATOMIC_ACQUIRE))
        (void)sched_yield();
    return NULL;
}

/* A thread of a driver that is bound to one processor: the threads that it starts are not. */
static void *start_bound(void *user)
{
    cpu_set_t all, one, other;
    pthread_t thread;
    (void)user;
    EXPECT(sched_getaffinity(0, sizeof all, &all) == 0);
    const size_t processors = (size_t)CPU_COUNT(&all);
    const int own = sched_getcpu();
    CPU_ZERO(&one);
    CPU_SET(own, &one);
    EXPECT(sched_setaffinity(0, sizeof one, &one) == 0);
    EXPECT(clprim__processors() == (long)processors);
    /* one of as many threads as there are processors, and one of a few */
    for (size_t of = processors; of <= processors + 1 && processors > 1; of++) {
        bool is_over = false;
        EXPECT(clprim__thread_begin(&thread, wait_for, &is_over));
        clprim__thread_spread(thread, 1, of);
        EXPECT(pthread_getaffinity_np(thread, sizeof other, &other) == 0);
        EXPECT(!CPU_ISSET(own, &other) && (size_t)CPU_COUNT(&other) == (of == processors ? 1 : processors - 1));
        clprim__thread_fetch(thread);
        EXPECT(pthread_getaffinity_np(thread, sizeof other, &other) == 0 && CPU_EQUAL(&one, &other));
        __atomic_store_n(&is_over, true, __ATOMIC_RELEASE);
        EXPECT(pthread_join(thread, NULL) == 0);
    }
    return NULL;
}

static void check_spread(void)
{
    pthread_t thread;
    EXPECT(clprim__thread_begin(&thread, start_bound, NULL) && pthread_join(thread, NULL) == 0);
}
#endif

static void check_rest(void)
{
    pthread_t thread;
    int is_set = 0;
    char text[64] = "";
    char *large = clprim__allocate_pages((size_t)64 << 20);
    EXPECT(large != NULL);
    if (large != NULL)
        large[((size_t)64 << 20) - 1] = 1;
    free(large);
    EXPECT(clprim__thread_begin(&thread, set, &is_set) && pthread_join(thread, NULL) == 0 && is_set == 1);
    EXPECT(clprim__processors() > 0 && clprim__process() > 0);
    const long long began = clprim__time();
    clprim__sleep(2000000);
    EXPECT(clprim__time() - began >= 1000000);
    EXPECT(clprim__error_text(text, sizeof text, ENOENT) && text[0] != '\0');
    EXPECT(clprim__environment("CLPRIM_NOT_SET") == NULL && clprim__environment("PATH") != NULL);
    EXPECT(clprim__is_separator('/') && clprim__root_size("a/b") == 0 && clprim__root_size("/a") == 1);
#ifdef _WIN32
    EXPECT(clprim__is_separator('\\') && clprim__root_size("C:\\a") == 3 && clprim__root_size("C:a") == 2);
    EXPECT(strstr(clprim__user_place_of(CLPRIM__USER_CACHE).directory, ":\\") != NULL);
#endif
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        (void)fprintf(stderr, "platform DIRECTORY\n");
        return 2;
    }
    check_directory(argv[1]);
    check_rest();
#ifdef __linux__
    check_spread();
#endif
    return num_failed > 0;
}
