// SPDX-License-Identifier: MIT
/* test_program.risk.c: notes of work in progress, without a driver: who owns them, and what remains of them. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"
#include "files.h"
#include "program_cache.h"
#include "risk.h"

static char directory[TEST_PATH_SIZE], path[TEST_PATH_SIZE + 16];
static clprim__disk_cache *cache;

static void begin(void)
{
    test_directory_create(directory);
    (void)snprintf(path, sizeof path, "%s/cache", directory);
    test_setenv("CLPRIM_CACHE", NULL);
    test_setenv("CLPRIM_CACHE_SIZE", NULL);
    test_setenv("CLPRIM_CACHE_DIR", path);
    ASSERT_OK(clprim__disk_cache_open(&cache));
}

static void end(void)
{
    clprim__disk_cache_close(cache);
    test_directory_remove(directory);
}

TestSuite(risk, .init = begin, .fini = end);

static const char key[] = CLPRIM__RISK "what is done";

static bool take(clprim__risk *note, bool again)
{
    return clprim__risk_begin(note, cache, key, sizeof key - 1, again);
}

/* A process takes a note, and ends: with or without removing it. */
static void leave(bool is_ended)
{
    int status = -1;
    const pid_t child = fork();
    if (child == 0) {
        clprim__risk note;
        if (take(&note, false) && note.is_taken && is_ended)
            clprim__risk_end(&note);
        _exit(0);
    }
    cr_assert(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

static void expect_file(bool is_there)
{
    cr_assert_eq(test_count_files(path, ""), is_there);
}

Test(risk, is_left_by_a_process_that_ends_within_it)
{
    clprim__risk note;
    struct stat facts;
    leave(true);
    expect_file(false);
    leave(false);
    expect_file(true);
    glob_t files = test_list(path, "");
    cr_assert(stat(files.gl_pathv[0], &facts) == 0 && (facts.st_mode & 07777) == 0600);
    globfree(&files);
    for (int i = 0; i < 2; i++) { /* also the second time */
        cr_assert_not(take(&note, false));
        cr_assert_not(note.is_taken);
    }
    cr_assert(clprim__risk_begin(&note, cache, "another", 7, false) && note.is_taken);
    clprim__risk_end(&note);
    cr_assert_not(note.is_taken);
    clprim__risk_end(&note); /* nothing happens */
    cr_assert(take(&note, true) && note.is_taken);
    clprim__risk_end(&note);
    expect_file(false);
    cr_assert(take(&note, false) && note.is_taken);
    clprim__risk_end(&note);
    expect_file(false);
}

Test(risk, is_anothers_while_that_one_lives)
{
    clprim__risk first, second;
    cr_assert(take(&first, false) && first.is_taken);
    for (int again = 0; again < 2; again++)
        cr_assert(take(&second, again != 0) && !second.is_taken, "it is taken from a thread that is at work");
    expect_file(true);
    clprim__risk_end(&second);
    expect_file(true);
    clprim__risk_end(&first);
    expect_file(false);
}

/* Everything that ended processes have left is removed, and nothing else. */
Test(risk, is_forgotten)
{
    clprim__risk note, second;
    leave(false);
    cr_assert(clprim__risk_begin(&second, cache, CLPRIM__RISK "another", sizeof CLPRIM__RISK "another" - 1, false));
    cr_assert(clprim__disk_cache_put(cache, "an entry", 8, "of the cache", 12));
    cr_assert(clprim__disk_cache_put(cache, "short", 5, "x", 1));
    cr_assert_eq(test_count_files(path, ""), 4);
    clprim__risk_forget(cache);
    cr_assert_eq(test_count_files(path, ""), 3);
    cr_assert(take(&note, false) && note.is_taken);
    clprim__risk_end(&note);
    clprim__risk_end(&second);
    cr_assert_eq(test_count_files(path, ""), 2);
    clprim__risk_forget(NULL);
}

/* Only a note that was written completely counts. */
Test(risk, is_none_where_its_file_is_damaged)
{
    clprim__risk note;
    leave(false);
    glob_t files = test_list(path, "");
    cr_assert_eq(truncate(files.gl_pathv[0], 20), 0);
    cr_assert(take(&note, false) && note.is_taken, "half a note is left");
    clprim__risk_end(&note);
    expect_file(false);
    test_write_file(files.gl_pathv[0], "", 0);
    cr_assert(take(&note, false) && note.is_taken);
    clprim__risk_end(&note);
    cr_assert_eq(symlink("/dev/null", files.gl_pathv[0]), 0);
    cr_assert(take(&note, false) && !note.is_taken, "a link is followed");
    cr_assert_eq(unlink(files.gl_pathv[0]), 0);
    leave(false);
    cr_assert_eq(chmod(files.gl_pathv[0], 0666), 0); /* anybody may have written it */
    cr_assert(take(&note, false) && note.is_taken);
    clprim__risk_end(&note);
    globfree(&files);
}

Test(risk, is_nowhere_without_a_cache)
{
    clprim__risk note;
    cr_assert(clprim__risk_begin(&note, NULL, key, sizeof key - 1, false) && !note.is_taken);
    cr_assert_eq(mkdir(path, 0777), 0);
    cr_assert_eq(chmod(path, 0777), 0); /* the cache does not use it */
    cr_assert(take(&note, false) && !note.is_taken);
    expect_file(false);
}

/* The limit removes what was used least recently, which is not a note that is read again and again. */
Test(risk, is_an_entry_of_the_cache)
{
    static char bytes[3 << 19];
    static const struct timespec old[] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    test_setenv("CLPRIM_CACHE_SIZE", "2");
    for (int is_read = 0; is_read < 2; is_read++) {
        clprim__risk note;
        test_directory_remove(path);
        leave(false);
        glob_t files = test_list(path, "");
        cr_assert_eq(utimensat(AT_FDCWD, files.gl_pathv[0], old, 0), 0);
        for (int entry = 0; entry < 2; entry++) {
            clprim__disk_cache_close(cache); /* nothing is in use */
            ASSERT_OK(clprim__disk_cache_open(&cache));
            cr_assert(clprim__disk_cache_put(cache, entry == 0 ? "0" : "1", 1, bytes, sizeof bytes));
            cr_assert_eq(usleep(20000), 0); /* file times are coarse */
            cr_assert(is_read == 0 || !take(&note, false));
        }
        cr_assert_eq(access(files.gl_pathv[0], F_OK) == 0, is_read == 1);
        globfree(&files);
    }
}

static int in_turn;

static void *take_turns(void *wrong)
{
    for (int i = 0; i < 1000; i++) {
        clprim__risk_turn_begin();
        clprim__risk_turn_begin(); /* inside its own turn */
        *(int *)wrong += in_turn++ != 0;
        clprim__risk_turn_end();
        *(int *)wrong += in_turn-- != 1;
        clprim__risk_turn_end();
    }
    return NULL;
}

Test(risk, is_taken_in_turn)
{
    pthread_t threads[4];
    int wrong[4] = {0};
    for (int i = 0; i < 4; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, take_turns, &wrong[i]), 0);
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(pthread_join(threads[i], NULL), 0);
        cr_assert_eq(wrong[i], 0);
    }
}
