// SPDX-License-Identifier: MIT
/* test_program.cache.c: the directory of compiled programs, without a driver: permissions, killed writers, many
 * processes at once. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cache_entry.h"
#include "cache_limit.h"
#include "cases.h"
#include "files.h"
#include "program_cache.h"

enum { KEYS = 4, LARGEST_BINARY = 200000, TOO_MUCH = 3 << 19 };

/* Each test has its own cache: <new directory>/cache, which does not exist yet. */
static char directory[TEST_PATH_SIZE], path[TEST_PATH_SIZE + 16];
static clprim__disk_cache *cache;

static void begin(void)
{
    test_directory_create(directory);
    (void)snprintf(path, sizeof path, "%s/cache", directory);
    test_setenv("CLPRIM_CACHE", NULL);
    test_setenv("CLPRIM_CACHE_DIR", path);
    ASSERT_OK(clprim__disk_cache_open(&cache));
}

static void end(void)
{
    clprim__disk_cache_close(cache);
    test_directory_remove(directory);
}

TestSuite(cache, .init = begin, .fini = end);

/* Open the cache of a directory under another name. */
static void reopen(const char *name)
{
    clprim__disk_cache_close(cache);
    test_setenv("CLPRIM_CACHE_DIR", name);
    ASSERT_OK(clprim__disk_cache_open(&cache));
}

static size_t make_key(char key[32], size_t number)
{
    return (size_t)snprintf(key, 32, "a program's source %zu", number);
}

/* A key may have several binaries: a size and a byte determine one. */
static bool put(size_t number, size_t size, char filler)
{
    static char bytes[TOO_MUCH];
    char key[32];
    const size_t key_size = make_key(key, number);
    memset(bytes, filler, size);
    return clprim__disk_cache_put(cache, key, key_size, bytes, size);
}

typedef enum found { NOTHING, SOUND, REJECTED, OTHER } found;

static found get(size_t number)
{
    char key[32];
    size_t size = 0;
    bool is_rejected = false;
    const size_t key_size = make_key(key, number);
    char *entry = clprim__disk_cache_get(&size, &is_rejected, cache, key, key_size);
    found what = entry != NULL ? SOUND : is_rejected ? REJECTED : NOTHING;
    if (entry != NULL && (is_rejected || size == 0 || memcmp(entry, key, key_size) != 0))
        what = OTHER;
    for (size_t i = 0; i < size && what == SOUND; i++)
        if (entry[key_size + i] != entry[key_size])
            what = OTHER; /* of two different binaries */
    free(entry);
    return what;
}

static const char *entry_path(size_t number)
{
    char key[32];
    char name[CLPRIM__CACHE_NAME_SIZE];
    clprim__cache_entry_name(name, key, make_key(key, number));
    return test_path(path, name);
}

static void set_age(const char *file, long seconds)
{
    const struct timespec used = {.tv_sec = time(NULL) - seconds};
    cr_assert_eq(utimensat(AT_FDCWD, file, (const struct timespec[]){used, used}, AT_SYMLINK_NOFOLLOW), 0);
}

static void expect_problem(const char *words)
{
    char problem[2 * TEST_PATH_SIZE];
    cr_assert_eq(clprim__disk_cache_problem(problem, sizeof problem, cache), words != NULL, "%s", problem);
    cr_assert(words == NULL ? problem[0] == '\0' : strstr(problem, words) != NULL && strstr(problem, directory) != NULL,
              "\"%s\" is not in: %s", words, problem);
    if (words != NULL) {
        cr_assert_eq(get(0), NOTHING, "it is read although %s", words);
        cr_assert_not(put(0, 100, 'x'), "it is written although %s", words);
    }
}

Test(cache, says_why_a_directory_is_not_used)
{
    static const mode_t modes[] = {0770, 0702, 0777, 01777};
    static const char *const names[] = {"link", "link/", "link//", "link/.", "link/./", "link/.//./"};
    const char *link = test_path(directory, "link");
    struct stat facts;
    cr_assert_eq(clprim__disk_cache_problem(NULL, 0, NULL), 0);
    expect_problem(NULL); /* it will be created */
    const mode_t mask = umask(0);
    cr_assert(put(0, 1000, 'a'));
    (void)umask(mask);
    cr_assert_eq(stat(path, &facts), 0);
    cr_assert_eq(facts.st_mode & 07777, 0700);
    cr_assert_eq(get(0), SOUND);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        cr_assert_eq(chmod(path, modes[i]), 0);
        expect_problem("others may write to it; chmod go-w");
    }
    cr_assert_eq(chmod(path, 0755), 0);
    expect_problem(NULL);
    if (geteuid() == 0) {
        cr_assert_eq(chown(path, 12345, (gid_t)-1), 0);
        expect_problem("another user; CLPRIM_CACHE_DIR");
        cr_assert_eq(chown(path, 0, (gid_t)-1), 0);
    }
    cr_assert_eq(get(0), SOUND);

    cr_assert_eq(symlink(path, link), 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) { /* the system would follow all except the first */
        reopen(test_path(directory, names[i]));
        expect_problem("a link");
    }
    cr_assert_eq(mkdir(test_path(path, "below"), 0700), 0);
    reopen(test_path(directory, "link/below/.."));
    expect_problem("ends in \"..\"");
    cr_assert_eq(unlink(link), 0);
    cr_assert_eq(symlink("nowhere", link), 0);
    reopen(link);
    expect_problem("a link");
}

/* The sentences are the same that a user's tool shows. */
static void expect_sentences(size_t count, const char *sentences)
{
    char problem[4 * TEST_PATH_SIZE];
    cr_assert_eq(clprim__disk_cache_problem(problem, sizeof problem, cache), count, "%s", problem);
    cr_assert_str_eq(problem, sentences);
}

Test(cache, says_what_no_directory_can_be_made_of)
{
    static const char none[] = "a directory of compiled kernels is not used: none of CLPRIM_CACHE_DIR, XDG_CACHE_HOME "
                               "and HOME names it";
    test_setenv("XDG_CACHE_HOME", NULL);
    test_setenv("HOME", "/proc");
    reopen(NULL);
    expect_sentences(1, "/proc/.cache/clprim is not used: it does not exist, and cannot be made");
    cr_assert_not(put(0, 100, 'x'));
    test_setenv("HOME", "/dev/null");
    reopen("");
    expect_sentences(1, "/dev/null/.cache/clprim is not used: it is a link or not a directory");
    test_setenv("HOME", NULL);
    reopen(NULL);
    expect_sentences(1, none);
    cr_assert_not(put(0, 100, 'x'));
    cr_assert_eq(get(0), NOTHING);
    test_setenv("XDG_CACHE_HOME", "relative"); /* must be ignored */
    reopen(NULL);
    expect_sentences(1, none);
}

Test(cache, says_which_variables_are_malformed)
{
    static const struct {
        const char *mode, *size;
        size_t count;
        const char *sentences;
    } rows[] = {
        {"on", "5", 0, ""},
        {"", "", 0, ""},
        {"yes", NULL, 1, "CLPRIM_CACHE must be \"on\" or \"off\", not \"yes\", and is ignored"},
        {"OFF", "x", 2,
         "CLPRIM_CACHE must be \"on\" or \"off\", not \"OFF\", and is ignored\n"
         "CLPRIM_CACHE_SIZE must be a number of MiB, not \"x\", and is ignored: the limit is 256 MiB"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        test_setenv("CLPRIM_CACHE", rows[i].mode);
        test_setenv("CLPRIM_CACHE_SIZE", rows[i].size);
        reopen(path);
        expect_sentences(rows[i].count, rows[i].sentences);
        cr_assert_eq(clprim__disk_cache_is_asked_for(cache), i == 0);
        cr_assert(put(i, 100, 'x'), "row %zu", i);
    }
}

/* A full disk, as far as one process can simulate it. */
Test(cache, says_that_nothing_can_be_stored)
{
    struct rlimit limit;
    char problem[2 * TEST_PATH_SIZE];
    cr_assert_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    const struct rlimit tiny = {.rlim_cur = 1000, .rlim_max = limit.rlim_max};
    cr_assert(signal(SIGXFSZ, SIG_IGN) != SIG_ERR && setrlimit(RLIMIT_FSIZE, &tiny) == 0);
    cr_assert_not(put(0, 2000, 'x'));
    cr_assert_eq(clprim__disk_cache_problem(problem, sizeof problem, cache), 1);
    cr_assert_not_null(strstr(problem, "the latest entry could not be stored: File too large"), "%s", problem);
    cr_assert_eq(test_count_files(path, ""), 0);
    cr_assert(setrlimit(RLIMIT_FSIZE, &limit) == 0 && put(0, 2000, 'x'));
    expect_sentences(0, "");
}

/* A runtime reports the same. */
TEST_WITH_RUNTIME(cache, problem_is_told_by_the_runtime)
{
    char problem[2 * TEST_PATH_SIZE] = "?";
    char cut[8];
    cr_assert(put(0, 10, 'a'));
    cr_assert_eq(clprim_runtime_cache_problem(runtime, problem, sizeof problem), 0);
    cr_assert_str_empty(problem);
    cr_assert_eq(chmod(path, 0777), 0);
    cr_assert_eq(clprim_runtime_cache_problem(runtime, problem, sizeof problem), 1);
    cr_assert_not_null(strstr(problem, path), "%s", problem);
    cr_assert_eq(clprim_runtime_cache_problem(runtime, cut, sizeof cut), 1);
    cr_assert_eq(strlen(cut), sizeof cut - 1);
    cr_assert_eq(clprim_runtime_cache_problem(runtime, NULL, 0), 1);
    cr_assert_eq(clprim_runtime_cache_problem(NULL, problem, sizeof problem), 0);
    cr_assert_str_empty(problem);
}

static void expect_replaced(const char *what)
{
    cr_assert_eq(get(0), REJECTED, "%s", what);
    cr_assert(put(0, 1000, 'a'), "%s", what);
    cr_assert_eq(get(0), SOUND, "%s", what);
}

/* Entries that are not a file that belongs to the user. */
Test(cache, trusts_only_files_of_its_own)
{
    const char *entry = entry_path(0);
    const char *elsewhere = test_path(directory, "elsewhere");
    cr_assert(put(0, 1000, 'a'));
    cr_assert_eq(chmod(entry, 0620), 0);
    cr_assert_eq(get(0), REJECTED);
    cr_assert_eq(chmod(entry, 0600), 0);
    cr_assert_eq(get(0), SOUND);
    cr_assert_eq(chmod(entry, 0666), 0);
    expect_replaced("an entry that all may write to");
    if (geteuid() == 0) {
        cr_assert_eq(chown(entry, 12345, (gid_t)-1), 0);
        expect_replaced("another user's entry");
    }
    cr_assert(rename(entry, elsewhere) == 0 && symlink(elsewhere, entry) == 0);
    expect_replaced("a link to a sound entry");
    cr_assert(unlink(entry) == 0 && mkfifo(entry, 0600) == 0);
    expect_replaced("a pipe, which nobody writes to");
    cr_assert(unlink(entry) == 0 && mkdir(entry, 0700) == 0);
    cr_assert_eq(get(0), REJECTED, "a directory");
    cr_assert_not(put(0, 1000, 'a'));
    cr_assert_eq(test_count_files(path, ".tmp"), 0, "what cannot be renamed is removed");
}

/* The work of a process until it is killed, or for `rounds` rounds. Returns 1 if it finds something that nobody has
 * stored. */
static int store_and_load(uint64_t seed, size_t rounds)
{
    for (size_t i = 0; i < rounds; i++) {
        const size_t size = 1 + test_random_below(&seed, LARGEST_BINARY);
        (void)put(test_random_below(&seed, KEYS), size, (char)test_random(&seed));
        const found what = get(test_random_below(&seed, KEYS));
        if (what == REJECTED || what == OTHER)
            return 1;
    }
    return 0;
}

/* The same with its own entries, which may have been removed again. */
static int store_own(uint64_t first, size_t rounds)
{
    for (size_t number = first; number < first + rounds; number++) {
        reopen(path); /* as a later program would */
        const found what = put(number, LARGEST_BINARY, 'a') ? get(number) : OTHER;
        if (what == REJECTED || what == OTHER)
            return 1;
    }
    return 0;
}

Test(cache, survives_writers_that_are_killed)
{
    const size_t kills = test_is_full() ? 2000 : 200;
    uint64_t seed = TEST_SEED;
    for (size_t i = 0; i < kills; i++) {
        int status = 0;
        const uint64_t first = test_random(&seed);
        const struct timespec pause = {.tv_nsec = (long)test_random_below(&seed, 3000000)};
        const pid_t process = fork();
        if (process == 0)
            _exit(store_and_load(first, SIZE_MAX));
        (void)nanosleep(&pause, NULL);
        cr_assert(process > 0 && kill(process, SIGKILL) == 0);
        cr_assert_eq(waitpid(process, &status, 0), process);
        cr_assert(WIFSIGNALED(status), "it found a bad entry");
        for (size_t key = 0; key < KEYS && i > 0; key++) {
            const found what = get(key);
            cr_assert(what == SOUND || what == NOTHING, "after %zu kills: %d", i + 1, (int)what);
        }
    }
    cr_assert_leq(test_count_files(path, ".bin"), KEYS);
    cr_assert(put(0, 100, 'x'), "what they left is in nobody's way");
    const size_t stale = test_count_files(path, ".tmp");
    cr_assert_gt(stale, 0, "no kill came while an entry was written");

    /* An hour later it is removed, and nothing else is. */
    glob_t files = test_list(path, "");
    for (size_t i = 0; i < files.gl_pathc; i++)
        set_age(files.gl_pathv[i], 4000);
    globfree(&files);
    cr_assert(put(1, 100, 'y'));
    cr_assert_eq(test_count_files(path, ".tmp"), 0);
    cr_assert_eq(get(0), SOUND);
    cr_assert_eq(get(1), SOUND);
    fprintf(stderr, "cache: %zu writers killed, %zu of them while they wrote: no bad entry\n", kills, stale);
}

Test(cache, serves_sixteen_processes_at_once)
{
    const size_t rounds = test_is_full() ? 500 : 50;
    test_processes(16, store_and_load, rounds);
    cr_assert_eq(test_count_files(path, ".bin"), KEYS);
    cr_assert_eq(test_count_files(path, ".tmp"), 0);
    for (size_t key = 0; key < KEYS; key++)
        cr_assert_eq(get(key), SOUND);
    fprintf(stderr, "cache: 16 processes at once, %zu entries written: no bad one\n", 16 * rounds);
}

Test(cache, keeps_its_limit_with_many_processes)
{
    off_t sum = 0;
    test_setenv("CLPRIM_CACHE_SIZE", "1");
    reopen(path);
    test_processes(4, store_own, 20);
    glob_t files = test_list(path, ".bin");
    for (size_t i = 0; i < files.gl_pathc; i++) {
        struct stat facts;
        cr_assert_eq(stat(files.gl_pathv[i], &facts), 0);
        sum += facts.st_size;
    }
    globfree(&files);
    cr_assert(sum > 0 && sum <= 1 << 20, "%lld bytes", (long long)sum);
}

Test(cache, limit_is_a_number_of_mebibytes)
{
    static const struct {
        uint64_t bytes;
        const char *texts[6];
        bool is_malformed;
    } rows[] = {{256 << 20, {"-1", "2x", " 2", "many", "1.5", "+1"}, true},
                {256 << 20, {""}, false},
                {1 << 20, {"1"}, false},
                {100 << 20, {"100"}, false},
                {UINT64_MAX, {"0", "18446744073709551615", "99999999999999999999"}, false}};
    uint64_t limit = 0;
    test_setenv("CLPRIM_CACHE_SIZE", NULL);
    cr_assert(clprim__cache_limit(&limit) && limit == 256 << 20);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t k = 0; k < 6 && rows[i].texts[k] != NULL; k++) {
            test_setenv("CLPRIM_CACHE_SIZE", rows[i].texts[k]);
            cr_assert_eq(clprim__cache_limit(&limit), !rows[i].is_malformed, "\"%s\"", rows[i].texts[k]);
            cr_assert_eq(limit, rows[i].bytes, "\"%s\"", rows[i].texts[k]);
        }
}

/* Six entries nearly reach the limit. When another one is stored, the least recently used ones are removed, but no file
 * that is not an entry. */
Test(cache, removes_what_was_used_least_recently)
{
    enum { ENTRIES = 6, SIZE = 170000, FOREIGN = 4 };
    static const char *const foreign[FOREIGN] = {"notes.txt", "notes.bin", "0123456789abcdef0123456789abcdef.bin",
                                                 "00000000000000000000000000000000.bin"};
    static const found expected[ENTRIES + 1] = {SOUND, NOTHING, NOTHING, SOUND, SOUND, SOUND, SOUND};
    struct stat facts;
    test_setenv("CLPRIM_CACHE_SIZE", "1");
    reopen(path);
    for (size_t i = 0; i < ENTRIES; i++)
        cr_assert(put(i, SIZE, 'a'));
    for (size_t i = 0; i < FOREIGN; i++) {
        const char *name = test_path(path, foreign[i]);
        if (i + 1 < FOREIGN)
            test_write_file(name, "mine", 4);
        else
            cr_assert_eq(symlink("notes.txt", name), 0);
        set_age(name, 100000);
    }
    for (size_t i = 0; i < ENTRIES; i++) {
        cr_assert_eq(get(i), SOUND, "entry %zu", i);
        set_age(entry_path(i), 1000 - (long)i);
    }
    cr_assert_eq(get(0), SOUND); /* the oldest one is used again */
    reopen(path);                /* not held any more */
    cr_assert(put(ENTRIES, SIZE, 'b'));
    for (size_t i = 0; i <= ENTRIES; i++)
        cr_assert_eq(get(i), expected[i], "entry %zu", i);
    for (size_t i = 0; i < FOREIGN; i++)
        cr_assert_eq(lstat(test_path(path, foreign[i]), &facts), 0, "%s was removed", foreign[i]);
    /* An entry that is larger than the limit stays until the next one is stored. */
    reopen(path);
    cr_assert(put(ENTRIES + 1, TOO_MUCH, 'c'));
    cr_assert_eq(get(ENTRIES + 1), SOUND);
    cr_assert_eq(get(ENTRIES), NOTHING);
    reopen(path);
    cr_assert(put(0, SIZE, 'd'));
    cr_assert_eq(get(ENTRIES + 1), NOTHING);
    cr_assert_eq(get(0), SOUND);
}

/* Store as many entries as other programs might: twice the limit. */
static void flood(size_t first)
{
    for (size_t i = first; i < first + 12; i++) {
        reopen(path);
        cr_assert(put(i, 170000, 'f'));
    }
}

/* A running program: it loads an entry, stores one, and reports that. */
static int hold_two(int said)
{
    const bool has_two = get(0) == SOUND && put(1, 1000, 'b');
    if (write(said, has_two ? "2" : "0", 1) == 1)
        (void)pause();
    return 1;
}

/* What a running program has loaded or stored stays until it ends, however it ends. */
Test(cache, keeps_what_a_running_program_uses)
{
    int pipes[2];
    char said = '?';
    test_setenv("CLPRIM_CACHE_SIZE", "1");
    reopen(path);
    cr_assert(put(0, 1000, 'a') && put(2, 1000, 'c'));
    reopen(path);
    cr_assert_eq(pipe(pipes), 0);
    const pid_t process = fork();
    if (process == 0)
        _exit(hold_two(pipes[1]));
    cr_assert(process > 0 && read(pipes[0], &said, 1) == 1);
    cr_assert_eq(said, '2');
    for (size_t i = 0; i < 3; i++)
        set_age(entry_path(i), 1000);
    flood(10);
    cr_assert_eq(access(entry_path(0), F_OK), 0, "what was loaded");
    cr_assert_eq(access(entry_path(1), F_OK), 0, "what was stored");
    cr_assert_eq(access(entry_path(2), F_OK), -1, "what nobody uses");
    cr_assert(kill(process, SIGKILL) == 0 && waitpid(process, NULL, 0) == process);
    flood(30);
    cr_assert_eq(access(entry_path(0), F_OK), -1);
    cr_assert_eq(access(entry_path(1), F_OK), -1);
}

/* Change every byte of an entry, truncate it to every length, and put each key's entry in place of another one. */
Test(cache, rejects_every_damage)
{
    static char good[2048];
    char key[32];
    size_t rejected = 0;
    cr_assert(put(0, 500, 'a') && put(1, 500, 'a'));
    const int fd = open(entry_path(0), O_RDWR);
    cr_assert_geq(fd, 0);
    const ssize_t size = read(fd, good, sizeof good);
    cr_assert_eq((size_t)size, 32 + make_key(key, 0) + 500);
    for (ssize_t at = 0; at < size; at++)
        for (int bit = 0; bit < 8; bit += 7, rejected++) {
            const char bad = (char)(good[at] ^ 1 << bit);
            cr_assert_eq(pwrite(fd, &bad, 1, at), 1);
            cr_assert_eq(get(0), REJECTED, "bit %d of byte %zd", bit, at);
            cr_assert_eq(pwrite(fd, &good[at], 1, at), 1);
        }
    cr_assert_eq(get(0), SOUND);
    for (ssize_t length = size; length-- > 0; rejected++) {
        cr_assert_eq(ftruncate(fd, length), 0);
        cr_assert_eq(get(0), REJECTED, "cut to %zd bytes", length);
    }
    cr_assert_eq(pwrite(fd, good, (size_t)size, 0), size);
    cr_assert_eq(pwrite(fd, "x", 1, size), 1);
    cr_assert_eq(get(0), REJECTED, "a byte too long");
    (void)close(fd);
    cr_assert_eq(rename(entry_path(1), entry_path(0)), 0);
    cr_assert_eq(get(0), REJECTED, "another key's");
    fprintf(stderr, "cache: %zu damaged entries rejected\n", rejected + 2);
}
