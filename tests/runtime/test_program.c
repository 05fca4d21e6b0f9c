// SPDX-License-Identifier: MIT
/* test_program.c: how kernels are obtained: compiled once, kept in memory and on disk, and never trusted if damaged. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "build_log.h"
#include "cases.h"
#include "files.h"

static const clprim_reduce_desc sequential = {.variant = CLPRIM_REDUCE_SEQUENTIAL};

/* Each test has its own cache: <new directory>/cache, which does not exist yet. */
static char directory[TEST_PATH_SIZE], cache[TEST_PATH_SIZE + 16];
static char entry[2 * TEST_PATH_SIZE]; /* path of the entry in it */

static void begin(void)
{
    test_make_every_plan();
    test_directory_create(directory);
    (void)snprintf(cache, sizeof cache, "%s/cache", directory);
    test_setenv("CLPRIM_CACHE", "on");
    test_setenv("CLPRIM_CACHE_DIR", cache);
    test_setenv("CLPRIM_SELF_TEST", "off"); /* on a driver that is not known, verdicts would be entries, too */
}

static void end(void)
{
    test_directory_remove(directory);
}

TestSuite(program, .init = begin, .fini = end);

/* A new runtime makes one plan, which must compute the right sum. */
static clprim_program_stats reduce_once(clprim_type type)
{
    const clprim_reduce_desc desc = {.type = type, .variant = CLPRIM_REDUCE_SEQUENTIAL};
    const clprim_reduce_call call = {
        .in = {.host = (int32_t[]){1, 20, 300}}, .count = 3, .out = {.host = &(int32_t){321}}};
    clprim_runtime *runtime = test_runtime(NULL);
    test_check_known(runtime, &clprim_reduce_operation, &desc, &call);
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

/* There is one file in a directory, the entry. File and directory belong to the user. */
static void expect_entry(const char *where)
{
    struct stat facts[2];
    glob_t files = test_list(where, "");
    cr_assert_eq(files.gl_pathc, 1, "one entry and nothing temporary in %s", where);
    (void)snprintf(entry, sizeof entry, "%s", files.gl_pathv[0]);
    globfree(&files);
    cr_assert(stat(where, &facts[0]) == 0 && stat(entry, &facts[1]) == 0);
    cr_assert_eq(facts[0].st_mode & 07777, 0700, "%s", where);
    cr_assert_eq(facts[1].st_mode & 077, 0, "%s", entry);
}

Test(program, is_compiled_once_and_then_found)
{
    expect(reduce_once(CLPRIM_I32), 1, 0, 0, "the first time");
    expect_entry(cache);
    expect(reduce_once(CLPRIM_I32), 0, 1, 0, "the second time");
    expect(reduce_once(CLPRIM_U32), 1, 0, 0, "another type");
    cr_assert_eq(test_count_files(cache, ""), 2);
}

/* PoCL caches kernels itself, and would compile them once more for our cache. */
Test(program, is_kept_by_one_cache)
{
    clprim_runtime *runtime = test_runtime(NULL);
    const size_t kept = clprim_runtime_info(runtime)->vendor != CLPRIM_VENDOR_POCL;
    clprim_runtime_destroy(runtime);
    test_setenv("CLPRIM_CACHE", NULL);
    expect(reduce_once(CLPRIM_I32), 1, 0, 0, "the first time");
    expect(reduce_once(CLPRIM_I32), 1 - kept, kept, 0, "the second time");
    cr_assert_eq(test_count_files(cache, ""), kept);
    test_setenv("CLPRIM_CACHE", "on");
    expect(reduce_once(CLPRIM_I32), 1 - kept, kept, 0, "the first time that it is asked for");
    expect(reduce_once(CLPRIM_I32), 0, 1, 0, "then");
    expect_entry(cache);
}

/* If kernels are limited to a number of registers, they must also be when they come from disk. Otherwise some of them
 * would have more registers than their work-groups may use on NVIDIA's devices. */
Test(program, from_disk_runs_like_a_new_one)
{
    enum { COUNT = 30000 };
    static uint32_t keys[COUNT], values[COUNT], offsets[] = {0, COUNT};
    for (size_t round = 0; round < 2; round++) {
        clprim_runtime *runtime = test_runtime(NULL);
        for (size_t segmented = 0; segmented < 2; segmented++) {
            for (uint32_t i = 0; i < COUNT; i++)
                keys[i] = values[i] = COUNT - 1 - i;
            const clprim_array k = {.host = keys}, v = {.host = values};
            if (segmented)
                ASSERT_OK(clprim_segmented_sort_run(
                    runtime, &(clprim_segmented_sort_desc){.key_type = CLPRIM_U32, .value_size = 4},
                    &(clprim_segmented_sort_call){.keys_in = k,
                                                  .values_in = v,
                                                  .offsets = {.host = offsets},
                                                  .count = COUNT,
                                                  .segment_count = 1,
                                                  .keys_out = k,
                                                  .values_out = v}));
            else
                ASSERT_OK(clprim_radix_sort_run(
                    runtime, &(clprim_radix_sort_desc){.key_type = CLPRIM_U32, .value_size = 4},
                    &(clprim_radix_sort_call){
                        .keys_in = k, .values_in = v, .count = COUNT, .keys_out = k, .values_out = v}));
            for (uint32_t i = 0; i < COUNT; i++)
                cr_assert(keys[i] == i && values[i] == i, "round %zu, segmented %zu: %u", round, segmented, i);
        }
        const clprim_program_stats stats = clprim_runtime_program_stats(runtime);
        cr_assert(round > 0 ? stats.built == 0 && stats.from_disk > 0 : stats.built > 0);
        clprim_runtime_destroy(runtime);
    }
}

/* The cache is in $XDG_CACHE_HOME/clprim, unless that is not an absolute path; otherwise in $HOME/.cache/clprim;
 * otherwise there is none. Missing directories are created. */
Test(program, finds_the_users_cache)
{
    test_setenv("CLPRIM_CACHE_DIR", NULL);
    test_setenv("HOME", directory);
    test_setenv("XDG_CACHE_HOME", test_path(directory, "deep/down"));
    expect(reduce_once(CLPRIM_I32), 1, 0, 0, "XDG_CACHE_HOME");
    expect_entry(test_path(directory, "deep/down/clprim"));
    test_setenv("XDG_CACHE_HOME", "relative");
    expect(reduce_once(CLPRIM_I32), 1, 0, 0, "HOME");
    expect_entry(test_path(directory, ".cache/clprim"));
    test_setenv("XDG_CACHE_HOME", NULL);
    expect(reduce_once(CLPRIM_I32), 0, 1, 0, "HOME again");
    test_setenv("HOME", NULL);
    expect(reduce_once(CLPRIM_I32), 1, 0, 0, "nowhere");
}

/* Damaged entries with a real program. Damage to every byte of a smaller entry, and an entry under another name, are in
 * test_program.cache.c. */
Test(program, rebuilds_damaged_entries)
{
    static const struct {
        const char *name;
        long at;   /* the byte to flip: from the start, or negative from the end; 0: none */
        long more; /* bytes to add at the end */
    } rows[] = {{"cut", 0, -1000}, {"too long", 0, 1}, {"in the source", 1000, 0}, {"in the binary", -1000, 0}};
    size_t size = 0;
    expect(reduce_once(CLPRIM_I32), 1, 0, 0, "the first time");
    expect_entry(cache);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *bytes = test_read_file(entry, &size);
        cr_assert_gt(size, 2000);
        if (rows[i].at != 0)
            bytes[rows[i].at > 0 ? (size_t)rows[i].at : size - (size_t)-rows[i].at] ^= 0x40;
        test_write_file(entry, bytes, (size_t)((long)size + rows[i].more)); /* one more byte: the terminating NUL */
        free(bytes);
        expect(reduce_once(CLPRIM_I32), 1, 0, 1, rows[i].name);
        expect(reduce_once(CLPRIM_I32), 0, 1, 0, "repaired");
    }
}

/* A cache that is off, that others may change, or that cannot be written costs time, but has no other effect. */
Test(program, does_without_a_cache)
{
    expect(reduce_once(CLPRIM_I32), 1, 0, 0, "to fill the cache");
    test_setenv("CLPRIM_CACHE", "off");
    expect(reduce_once(CLPRIM_I32), 1, 0, 0, "off: not read");
    expect(reduce_once(CLPRIM_U32), 1, 0, 0, "off");
    cr_assert_eq(test_count_files(cache, ""), 1, "off: not written");
    test_setenv("CLPRIM_CACHE", "on");
    cr_assert_eq(chmod(cache, 0777), 0);
    expect(reduce_once(CLPRIM_I32), 1, 0, 0, "a directory that all may write to");
    cr_assert_eq(chmod(cache, 0500), 0);
    expect(reduce_once(CLPRIM_I32), 0, 1, 0, "read-only: still read");
    expect(reduce_once(CLPRIM_U32), 1, 0, 0, "read-only"); /* root can write all the same */
    cr_assert_eq(test_count_files(cache, ""), geteuid() == 0 ? 2 : 1);
    cr_assert_eq(chmod(cache, 0700), 0);

    cr_assert_eq(symlink(cache, test_path(directory, "link")), 0);
    test_setenv("CLPRIM_CACHE_DIR", test_path(directory, "link"));
    expect(reduce_once(CLPRIM_I32), 1, 0, 0, "a link in place of the directory");
    test_write_file(test_path(directory, "file"), "x", 1);
    test_setenv("CLPRIM_CACHE_DIR", test_path(directory, "file"));
    expect(reduce_once(CLPRIM_I32), 1, 0, 0, "a file in place of the directory");
    test_setenv("CLPRIM_CACHE_DIR", "/proc/clprim/cache"); /* not even root can create this one */
    expect(reduce_once(CLPRIM_I32), 1, 0, 0, "impossible to make");
}

static int reduce_in_process(uint64_t first, size_t rounds)
{
    const clprim_program_stats stats = reduce_once(CLPRIM_I32);
    (void)first, (void)rounds;
    return stats.built + stats.from_disk != 1 || stats.rejected != 0; /* another process's half-written entry */
}

Test(program, serves_many_processes_at_once)
{
    test_processes(6, reduce_in_process, 1);
    expect_entry(cache);
    expect(reduce_once(CLPRIM_I32), 0, 1, 0, "afterwards");
}

/* A thread that makes a plan as soon as all threads have started. */
typedef struct maker {
    pthread_t thread;
    pthread_barrier_t *start;
    clprim_runtime *runtime; /* NULL: each thread makes its own runtime, all at the same time */
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

/* Programs are built or read once for all threads. If a build fails, no thread may wait for ever. */
Test(program, is_built_once_for_many_threads, .timeout = 600)
{
    static const clprim_custom_op broken = {.combine = "missing", .identity = "0"};
    maker makers[MAKERS];
    for (size_t is_there = 0; is_there < 2; is_there++) {
        clprim_runtime *runtime = test_runtime(NULL);
        make_plans(makers, runtime, NULL, CLPRIM_SUCCESS);
        make_plans(makers, runtime, &broken, CLPRIM_BUILD_FAILED);
        const clprim_program_stats stats = clprim_runtime_program_stats(runtime);
        expect(stats, 1 - is_there, is_there, 0, "four threads");
        cr_assert_eq(stats.from_memory, MAKERS - 1);
        clprim_runtime_destroy(runtime);
    }
}

/* Runtimes know nothing of each other, but share the directory and the driver. Not every driver supports that several
 * threads use it for the first time at once (PoCL 3.1 crashes), so the library prevents that. */
Test(program, serves_many_runtimes_at_once)
{
    maker makers[MAKERS];
    make_plans(makers, NULL, NULL, CLPRIM_SUCCESS);
    for (size_t i = 0; i < MAKERS; i++)
        cr_assert(makers[i].stats.built + makers[i].stats.from_disk == 1 && makers[i].stats.rejected == 0, "%zu", i);
    expect_entry(cache);
}

/* During development, kernels are read from disk, and errors in them are reported with file and line. */
Test(program, reads_kernels_from_a_directory)
{
#define FILE_NAME "reduce/sequential.cl"
#define HEAD      "/* reduce_sequential: "
    const test_mistake changed = {FILE_NAME, HEAD, "/* changed */\n" HEAD};
    const test_mistake broken = {FILE_NAME, "/* changed */\n", "\nmissing here;\n"};
    const test_mistake repaired = {FILE_NAME, broken.to, ""};
    const char *path = test_path(directory, FILE_NAME);
    const char *elsewhere = test_path(directory, "elsewhere");
    clprim_plan *plan = NULL;
    test_kernels_copy(directory);
    expect(reduce_once(CLPRIM_I32), 1, 0, 0, "embedded");
    test_setenv("CLPRIM_KERNEL_DIR", directory);
    (void)reduce_once(CLPRIM_I32); /* compiled again, with warnings, which embedded kernels suppress */
    expect(reduce_once(CLPRIM_I32), 0, 1, 0, "the same text from disk");
    test_kernels_change(directory, &changed);
    expect(reduce_once(CLPRIM_I32), 1, 0, 0, "a changed text");

    test_kernels_change(directory, &broken);
    clprim_runtime *runtime = test_runtime(NULL);
    test_refuse(runtime, &clprim_reduce_operation, &sequential, CLPRIM_BUILD_FAILED, FILE_NAME ":3:");
    cr_assert_eq(rename(path, elsewhere), 0);
    test_refuse(runtime, &clprim_reduce_operation, &sequential, CLPRIM_KERNEL_SOURCE_MISSING, path);
    cr_assert_eq(rename(elsewhere, path), 0);
    test_kernels_change(directory, &repaired);
    ASSERT_OK(clprim_reduce_create(&plan, runtime, &sequential));
    clprim_plan_destroy(plan);
    clprim_runtime_destroy(runtime);
}

/* Included files also come from the directory, and errors before, in and after the include name the file and the
 * line. */
Test(program, includes_kernels_from_a_directory)
{
#define INCLUDED "reduce/parts/passes.cl"
#define LINE     "#include \"" INCLUDED "\"\n"
    static const struct {
        const char *to; /* replaces LINE */
        const char *what;
        clprim_status status;
    } rows[] = {
        {"#include \"reduce/none.cl\"\n",
         "reduce/none.cl cannot be read (CLPRIM_KERNEL_DIR; included by " FILE_NAME ")", CLPRIM_KERNEL_SOURCE_MISSING},
        {LINE "missing here;\n", FILE_NAME ":9:", CLPRIM_BUILD_FAILED},
        {LINE LINE "missing here;\n", FILE_NAME ":10:", CLPRIM_BUILD_FAILED},
        {"#if 0\n" LINE "#else\nmissing here;\n#endif\n", FILE_NAME ":11:", CLPRIM_BUILD_FAILED},
        {"#if 0\n#include \"common/words.cl\"\n#endif\nmissing here;\n", FILE_NAME ":11:", CLPRIM_BUILD_FAILED},
        {"#include \"own.cl\"\n", "own.cl:2:", CLPRIM_BUILD_FAILED},
    };
    test_kernels_copy(directory);
    FILE *own = fopen(test_path(directory, "own.cl"), "w");
    cr_assert(own != NULL && fputs("#include \"own.cl\"\nmissing here;\n", own) >= 0 && fclose(own) == 0);
    test_setenv("CLPRIM_KERNEL_DIR", directory);
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const test_mistake changed = {FILE_NAME, LINE, rows[r].to};
        const test_mistake repaired = {FILE_NAME, rows[r].to, LINE};
        test_kernels_change(directory, &changed);
        test_refuse(runtime, &clprim_reduce_operation, &sequential, rows[r].status, rows[r].what);
        test_kernels_change(directory, &repaired);
    }
    clprim_runtime_destroy(runtime);
}

/* NVIDIA's compiler counts lines in the whole source. They are translated by the source's #line directives. */
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
