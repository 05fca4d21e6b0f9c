/* test_program.c: where kernels come from: compiled once, kept in memory and on disk, never trusted when damaged. */
#define _XOPEN_SOURCE 700 /* setenv, nftw and the like */
#include <clprim/clprim.h>
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "build_log.h"
#include "support.h"

extern char **environ;

enum { PATH_ROOM = TEST_PATH_SIZE + 300 };

static void set(const char *name, const char *value)
{
    cr_assert_eq(value != NULL ? setenv(name, value, 1) : unsetenv(name), 0);
}

/* A cache of the test's own: <new directory>/cache, which is not there yet. */
static void use_cache(char directory[TEST_PATH_SIZE], char cache[PATH_ROOM])
{
    test_directory_create(directory);
    (void)snprintf(cache, PATH_ROOM, "%s/cache", directory);
    set("CLPRIM_CACHE", NULL);
    set("CLPRIM_CACHE_DIR", cache);
    set("CLPRIM_SELF_TEST", "off"); /* whose verdicts would be entries, too, on a driver that is not known */
}

/* A new runtime makes one plan and gets the right sum out of it. */
static clprim_program_stats reduce_once(clprim_type type)
{
    static int32_t in[] = {1, 20, 300};
    int32_t sum = 0;
    clprim_runtime *runtime = test_runtime(NULL);
    const clprim_reduce_desc desc = {.type = type, .variant = CLPRIM_REDUCE_SEQUENTIAL};
    ASSERT_OK(clprim_reduce_run(runtime, &desc,
                                &(clprim_reduce_call){.in = {.host = in}, .count = 3, .out = {.host = &sum}}));
    cr_assert_eq(sum, 321);
    const clprim_program_stats stats = clprim_runtime_program_stats(runtime);
    clprim_runtime_destroy(runtime);
    return stats;
}

static void expect(clprim_program_stats stats, size_t built, size_t from_disk, size_t rejected, const char *what)
{
    cr_assert(stats.built == built && stats.from_disk == from_disk && stats.rejected == rejected,
              "%s: %zu built, %zu from disk, %zu rejected; not %zu, %zu, %zu", what, stats.built, stats.from_disk,
              stats.rejected, built, from_disk, rejected);
}

/* The number of files in a directory, and the path of one of them. */
static size_t list_entries(const char *cache, char path[PATH_ROOM])
{
    size_t count = 0;
    DIR *directory = opendir(cache);
    if (directory == NULL)
        return 0;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            const int length = snprintf(path, PATH_ROOM, "%s/%s", cache, entry->d_name);
            cr_assert(length > 0 && length < PATH_ROOM);
            count++;
        }
    (void)closedir(directory);
    return count;
}

static mode_t mode_of(const char *path)
{
    struct stat facts;
    cr_assert_eq(stat(path, &facts), 0, "%s is not there", path);
    return facts.st_mode & 07777;
}

static unsigned char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    cr_assert_eq(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(*size + 1);
    cr_assert_not_null(bytes);
    cr_assert_eq(fread(bytes, 1, *size, file), *size);
    (void)fclose(file);
    return bytes;
}

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file, "%s", path);
    cr_assert_eq(fwrite(bytes, 1, size, file), size);
    cr_assert_eq(fclose(file), 0);
}

Test(program, is_compiled_once_and_then_found)
{
    char directory[TEST_PATH_SIZE];
    char cache[PATH_ROOM];
    char entry[PATH_ROOM];
    use_cache(directory, cache);
    expect(reduce_once(CLPRIM_I32), 1, 0, 0, "the first time");
    cr_assert_eq(list_entries(cache, entry), 1, "one entry and nothing temporary");
    cr_assert_eq(mode_of(cache), 0700, "the directory is the user's own");
    cr_assert_eq(mode_of(entry) & 077, 0, "the entry is the user's own");
    expect(reduce_once(CLPRIM_I32), 0, 1, 0, "the second time");
    expect(reduce_once(CLPRIM_U32), 1, 0, 0, "another type");
    cr_assert_eq(list_entries(cache, entry), 2);

    clprim_runtime *runtime = test_runtime(NULL);
    clprim_plan *plans[2] = {NULL, NULL};
    const clprim_reduce_desc desc = {.variant = CLPRIM_REDUCE_SEQUENTIAL};
    for (size_t i = 0; i < 2; i++)
        ASSERT_OK(clprim_reduce_create(&plans[i], runtime, &desc));
    const clprim_program_stats stats = clprim_runtime_program_stats(runtime);
    expect(stats, 0, 1, 0, "two plans of one runtime");
    cr_assert_eq(stats.from_memory, 1);
    for (size_t i = 0; i < 2; i++)
        clprim_plan_destroy(plans[i]);
    clprim_runtime_destroy(runtime);
    test_directory_remove(directory);
}

Test(program, leaves_the_disk_alone_where_the_cache_is_off)
{
    char directory[TEST_PATH_SIZE];
    char cache[PATH_ROOM];
    char entry[PATH_ROOM];
    use_cache(directory, cache);
    expect(reduce_once(CLPRIM_I32), 1, 0, 0, "to fill the cache");
    set("CLPRIM_CACHE", "off");
    expect(reduce_once(CLPRIM_I32), 1, 0, 0, "off: not read");
    expect(reduce_once(CLPRIM_U32), 1, 0, 0, "off");
    cr_assert_eq(list_entries(cache, entry), 1, "off: not written");
    test_directory_remove(directory);
}

/* $XDG_CACHE_HOME/clprim, unless that is no absolute path; else $HOME/.cache/clprim; else nowhere. Directories on the
 * way are made. */
Test(program, finds_the_users_cache)
{
    char directory[TEST_PATH_SIZE];
    char xdg[PATH_ROOM];
    char cache[PATH_ROOM];
    char entry[PATH_ROOM];
    use_cache(directory, cache);
    set("CLPRIM_CACHE_DIR", NULL);
    set("HOME", directory);
    (void)snprintf(xdg, sizeof xdg, "%s/deep/down", directory);
    set("XDG_CACHE_HOME", xdg);
    expect(reduce_once(CLPRIM_I32), 1, 0, 0, "XDG_CACHE_HOME");
    (void)snprintf(cache, sizeof cache, "%s/deep/down/clprim", directory);
    cr_assert_eq(list_entries(cache, entry), 1);
    cr_assert_eq(mode_of(cache), 0700);
    set("XDG_CACHE_HOME", "relative");
    expect(reduce_once(CLPRIM_I32), 1, 0, 0, "HOME");
    (void)snprintf(cache, sizeof cache, "%s/.cache/clprim", directory);
    cr_assert_eq(list_entries(cache, entry), 1);
    set("XDG_CACHE_HOME", NULL);
    expect(reduce_once(CLPRIM_I32), 0, 1, 0, "HOME again");
    set("HOME", NULL);
    expect(reduce_once(CLPRIM_I32), 1, 0, 0, "nowhere");
    test_directory_remove(directory);
}

/* What a damaged entry looks like: the good one, changed by `harm`. */
typedef struct damage {
    const char *name;
    size_t size;   /* new size in 1/16 of the old one; 16: all */
    long at;       /* byte to flip: from the start, or negative from the end; 0: none */
    size_t excess; /* bytes appended */
} damage;

static const damage damages[] = {
    {"empty", 0, 0, 0},
    {"a stump of the header", 0, 0, 7},
    {"cut in half", 8, 0, 0},
    {"a byte too long", 16, 0, 1},
    {"magic", 16, 2, 0},
    {"key size", 16, 8, 0},
    {"high byte of a size", 16, 15, 0},
    {"binary size", 16, 16, 0},
    {"high byte of another size", 16, 23, 0},
    {"checksum", 16, 24, 0},
    {"key", 16, 40, 0},
    {"source", 16, 1000, 0},
    {"last byte", 16, -1, 0},
    {"in the binary", 16, -1000, 0},
};

Test(program, rebuilds_damaged_entries)
{
    char directory[TEST_PATH_SIZE];
    char cache[PATH_ROOM];
    char entry[PATH_ROOM];
    size_t size = 0;
    use_cache(directory, cache);
    expect(reduce_once(CLPRIM_I32), 1, 0, 0, "the first time");
    cr_assert_eq(list_entries(cache, entry), 1);
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        const damage *d = &damages[i];
        unsigned char *good = read_file(entry, &size);
        cr_assert_gt(size, 2000);
        unsigned char *bad = calloc(1, size + 16);
        cr_assert_not_null(bad);
        memcpy(bad, good, size);
        if (d->at != 0)
            bad[d->at > 0 ? (size_t)d->at : size - (size_t)-d->at] ^= 0x40;
        write_file(entry, bad, size * d->size / 16 + d->excess);
        free(bad);
        expect(reduce_once(CLPRIM_I32), 1, 0, 1, d->name);
        expect(reduce_once(CLPRIM_I32), 0, 1, 0, "repaired");
        free(good);
    }
    test_directory_remove(directory);
}

/* A sound entry under another's name: of another program, or, which is the same, of another device. */
Test(program, rebuilds_foreign_entries)
{
    char directory[TEST_PATH_SIZE];
    char cache[PATH_ROOM];
    char first[PATH_ROOM];
    char second[PATH_ROOM];
    use_cache(directory, cache);
    expect(reduce_once(CLPRIM_U32), 1, 0, 0, "the first program");
    cr_assert_eq(list_entries(cache, first), 1);
    size_t size = 0;
    unsigned char *foreign = read_file(first, &size);
    cr_assert_eq(remove(first), 0);
    expect(reduce_once(CLPRIM_I32), 1, 0, 0, "the second program");
    cr_assert_eq(list_entries(cache, second), 1);
    write_file(second, foreign, size);
    expect(reduce_once(CLPRIM_I32), 1, 0, 1, "another program's");
    expect(reduce_once(CLPRIM_I32), 0, 1, 0, "repaired");
    free(foreign);
    test_directory_remove(directory);
}

/* Neither links nor what others may write to is trusted. */
Test(program, does_not_trust_what_others_may_change)
{
    char directory[TEST_PATH_SIZE];
    char cache[PATH_ROOM];
    char entry[PATH_ROOM];
    char elsewhere[PATH_ROOM];
    use_cache(directory, cache);
    expect(reduce_once(CLPRIM_I32), 1, 0, 0, "the first time");
    cr_assert_eq(list_entries(cache, entry), 1);
    cr_assert_eq(chmod(entry, 0666), 0);
    expect(reduce_once(CLPRIM_I32), 1, 0, 1, "an entry that all may write to");
    (void)snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", directory);
    cr_assert_eq(rename(entry, elsewhere), 0);
    cr_assert_eq(symlink(elsewhere, entry), 0);
    expect(reduce_once(CLPRIM_I32), 1, 0, 1, "a link in place of an entry");
    expect(reduce_once(CLPRIM_I32), 0, 1, 0, "repaired");
    cr_assert_eq(chmod(cache, 0777), 0);
    expect(reduce_once(CLPRIM_I32), 1, 0, 0, "a directory that all may write to");
    cr_assert_eq(chmod(cache, 0700), 0);
    expect(reduce_once(CLPRIM_I32), 0, 1, 0, "the user's own again");
    (void)snprintf(elsewhere, sizeof elsewhere, "%s/link", directory);
    cr_assert_eq(symlink(cache, elsewhere), 0);
    set("CLPRIM_CACHE_DIR", elsewhere);
    expect(reduce_once(CLPRIM_I32), 1, 0, 0, "a link in place of the directory");
    test_directory_remove(directory);
}

/* A cache that cannot be written costs time, nothing else. */
Test(program, does_without_a_cache_it_cannot_write)
{
    char directory[TEST_PATH_SIZE];
    char cache[PATH_ROOM];
    char entry[PATH_ROOM];
    use_cache(directory, cache);
    expect(reduce_once(CLPRIM_I32), 1, 0, 0, "to fill the cache");
    cr_assert_eq(chmod(cache, 0500), 0);
    expect(reduce_once(CLPRIM_I32), 0, 1, 0, "read-only: still read");
    expect(reduce_once(CLPRIM_U32), 1, 0, 0, "read-only"); /* root may write nevertheless */
    cr_assert_eq(list_entries(cache, entry), geteuid() == 0 ? 2 : 1);
    cr_assert_eq(chmod(cache, 0700), 0);
    set("CLPRIM_CACHE_DIR", "/proc/clprim/cache"); /* not even root may make this one */
    expect(reduce_once(CLPRIM_I32), 1, 0, 0, "impossible to make");
    (void)snprintf(cache, sizeof cache, "%s/file", directory);
    write_file(cache, "x", 1);
    set("CLPRIM_CACHE_DIR", cache);
    expect(reduce_once(CLPRIM_I32), 1, 0, 0, "a file in place of the directory");
    test_directory_remove(directory);
}

/* What the processes of the next test run; on its own it only shows that the cache of the environment works. */
Test(program, serves_one_process)
{
    const clprim_program_stats stats = reduce_once(CLPRIM_I32);
    cr_assert_eq(stats.built + stats.from_disk, 1);
    cr_assert_eq(stats.rejected, 0, "a process saw another's half-written entry");
}

Test(program, serves_many_processes_at_once)
{
    enum { PROCESSES = 6 };
    set("BXFI_MAP", NULL); /* by which Criterion tells its own test processes, such as this one */
    char directory[TEST_PATH_SIZE];
    char cache[PATH_ROOM];
    char entry[PATH_ROOM];
    char self[] = "/proc/self/exe";
    char filter[] = "--filter=program/serves_one_process";
    char quiet[] = "--quiet";
    char *arguments[] = {self, filter, quiet, NULL};
    pid_t processes[PROCESSES];
    use_cache(directory, cache);
    for (size_t i = 0; i < PROCESSES; i++)
        cr_assert_eq(posix_spawn(&processes[i], self, NULL, NULL, arguments, environ), 0);
    for (size_t i = 0; i < PROCESSES; i++) {
        int status = -1;
        cr_assert_eq(waitpid(processes[i], &status, 0), processes[i]);
        cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0, "process %zu failed (%d)", i, status);
    }
    cr_assert_eq(list_entries(cache, entry), 1, "one entry and nothing temporary");
    expect(reduce_once(CLPRIM_I32), 0, 1, 0, "afterwards");
    test_directory_remove(directory);
}

/* A thread that makes a plan as soon as all are there. */
typedef struct maker {
    pthread_t thread;
    pthread_barrier_t *start;
    clprim_runtime *runtime; /* NULL: one of its own, which is then made by all at once */
    const clprim_custom_op *op;
    clprim_status status;
    clprim_program_stats stats;
} maker;

static void *make_plan(void *argument)
{
    maker *self = argument;
    clprim_runtime *own = NULL;
    clprim_plan *plan = NULL;
    const clprim_reduce_desc desc = {.variant = CLPRIM_REDUCE_SEQUENTIAL, .custom = self->op};
    (void)pthread_barrier_wait(self->start);
    self->status = self->runtime == NULL ? clprim_runtime_create(&own, NULL) : CLPRIM_SUCCESS;
    if (self->status == CLPRIM_SUCCESS)
        self->status = clprim_reduce_create(&plan, self->runtime != NULL ? self->runtime : own, &desc);
    self->stats = clprim_runtime_program_stats(own);
    clprim_plan_destroy(plan);
    clprim_runtime_destroy(own);
    return NULL;
}

enum { MAKERS = 4 };

static void make_plans(maker makers[MAKERS], clprim_runtime *runtime, const clprim_custom_op *op,
                       clprim_status expected)
{
    pthread_barrier_t start;
    cr_assert_eq(pthread_barrier_init(&start, NULL, MAKERS), 0);
    for (size_t i = 0; i < MAKERS; i++) {
        makers[i] = (maker){.start = &start, .runtime = runtime, .op = op};
        cr_assert_eq(pthread_create(&makers[i].thread, NULL, make_plan, &makers[i]), 0);
    }
    for (size_t i = 0; i < MAKERS; i++) {
        cr_assert_eq(pthread_join(makers[i].thread, NULL), 0);
        cr_assert_eq((int)makers[i].status, (int)expected, "thread %zu: %s", i, clprim_status_string(makers[i].status));
    }
    (void)pthread_barrier_destroy(&start);
}

Test(program, is_built_once_for_many_threads)
{
    maker makers[MAKERS];
    set("CLPRIM_CACHE", "off");
    set("CLPRIM_SELF_TEST", "off");
    clprim_runtime *runtime = test_runtime(NULL);
    make_plans(makers, runtime, NULL, CLPRIM_SUCCESS);
    const clprim_program_stats stats = clprim_runtime_program_stats(runtime);
    expect(stats, 1, 0, 0, "four threads");
    cr_assert_eq(stats.from_memory, MAKERS - 1);
    clprim_runtime_destroy(runtime);
}

/* None of them waits for ever for a build that failed. */
Test(program, fails_for_each_of_many_threads, .timeout = 120)
{
    maker makers[MAKERS];
    static const clprim_custom_op broken = {.combine = "missing", .identity = "0"};
    clprim_runtime *runtime = test_runtime(NULL);
    make_plans(makers, runtime, &broken, CLPRIM_BUILD_FAILED);
    expect(clprim_runtime_program_stats(runtime), 0, 0, 0, "four failures");
    clprim_runtime_destroy(runtime);
}

/* Runtimes know nothing of one another, yet share the directory; and the driver, whose first use by several threads at
 * once is not safe with every one of them (PoCL 3.1 crashes): the library sees to that. */
Test(program, serves_many_runtimes_at_once)
{
    maker makers[MAKERS];
    char directory[TEST_PATH_SIZE];
    char cache[PATH_ROOM];
    char entry[PATH_ROOM];
    use_cache(directory, cache);
    make_plans(makers, NULL, NULL, CLPRIM_SUCCESS);
    for (size_t i = 0; i < MAKERS; i++)
        cr_assert(makers[i].stats.built + makers[i].stats.from_disk == 1 && makers[i].stats.rejected == 0, "%zu", i);
    cr_assert_eq(list_entries(cache, entry), 1, "one entry and nothing temporary");
    test_directory_remove(directory);
}

/* While developing kernels: read from disk, and mistakes in them are found by file and line. */
Test(program, reads_kernels_from_a_directory)
{
    char directory[TEST_PATH_SIZE];
    char cache[PATH_ROOM];
    char path[PATH_ROOM];
    char place[64];
    size_t size = 0;
    use_cache(directory, cache);
    test_kernels_copy(directory);
    expect(reduce_once(CLPRIM_I32), 1, 0, 0, "embedded");
    set("CLPRIM_KERNEL_DIR", directory);
    (void)reduce_once(CLPRIM_I32); /* compiled anew: with warnings, which embedded kernels do without */
    expect(reduce_once(CLPRIM_I32), 0, 1, 0, "the same text from disk");

    (void)snprintf(path, sizeof path, "%s/reduce/sequential.cl", directory);
    unsigned char *text = read_file(path, &size);
    size_t lines = 1;
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    FILE *file = fopen(path, "ab");
    cr_assert_not_null(file);
    cr_assert_gt(fputs("/* changed */\n", file), 0);
    cr_assert_eq(fclose(file), 0);
    expect(reduce_once(CLPRIM_I32), 1, 0, 0, "a changed text");

    file = fopen(path, "ab");
    cr_assert_not_null(file);
    cr_assert_gt(fputs("missing here;\n", file), 0);
    cr_assert_eq(fclose(file), 0);
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_plan *plan = NULL;
    const clprim_reduce_desc desc = {.variant = CLPRIM_REDUCE_SEQUENTIAL};
    ASSERT_STATUS(clprim_reduce_create(&plan, runtime, &desc), CLPRIM_BUILD_FAILED);
    (void)snprintf(place, sizeof place, "reduce/sequential.cl:%zu", lines + 1);
    cr_assert_not_null(strstr(clprim_last_error(), place), "%s is not named in: %s", place, clprim_last_error());
    cr_assert_eq(remove(path), 0);
    ASSERT_STATUS(clprim_reduce_create(&plan, runtime, &desc), CLPRIM_KERNEL_SOURCE_MISSING);
    cr_assert_not_null(strstr(clprim_last_error(), path), "%s", clprim_last_error());
    cr_assert_null(plan);
    write_file(path, text, size);
    ASSERT_OK(clprim_reduce_create(&plan, runtime, &desc));
    clprim_plan_destroy(plan);
    clprim_runtime_destroy(runtime);
    free(text);
    test_directory_remove(directory);
}

/* NVIDIA's compiler counts lines in the whole source: they are translated by its #line directives. */
Test(program, logs_are_located)
{
    static const char source[] = "#line 1 \"prelude\"\nA\nB\n#line 7\nC\n#line 10 \"kernels/f.cl\"\nD\nE";
    clprim__text log = {0};
    clprim__build_log_append(&log, "<kernel>:2:1: a\nin other words:\n<kernel>:5:3: b\n<kernel>:8: c", source);
    cr_assert_str_eq(log.data, "prelude:1:1: a\nin other words:\nprelude:7:3: b\nkernels/f.cl:11: c");
    clprim__text_free(&log);
}

Test(program, numbers_in_sources_are_exact)
{
    static const struct {
        double value;
        const char *text;
    } rows[] = {{0, "0x0p0"},
                {-0.0, "-0x0p0"},
                {1, "0x1p0"},
                {-2.5, "-0x5p-1"},
                {0.1, "0xccccccccccccdp-55"},
                {768, "0x3p8"},
                {0x1.fffffffffffffp+1023, "0x1fffffffffffffp971"},
                {0x1p-1022, "0x1p-1022"},
                {0x1p-1074, "0x1p-1074"},
                {-0x1.8p-1073, "-0x3p-1074"}};
    cr_assert(test_has_locale());
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clprim__text text = {0};
        clprim__text_number(&text, rows[i].value);
        ASSERT_OK(clprim__text_status(&text));
        cr_assert_str_eq(text.data, rows[i].text);
        clprim__text_free(&text);
    }
}
