// SPDX-License-Identifier: MIT
/* test_tuning.c: files of parameters: what is read, what is ignored, and that results do not depend on them. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "climb.h"
#include "files.h"
#include "operations.h"
#include "rows_file.h"
#include "runtime_internal.h"
#include "support.h"

enum { TEXT_SIZE = 2048 };

static char directory[TEST_PATH_SIZE];
static const char *path;        /* path of a file in it */
static clprim_runtime *runtime; /* without any file */

static void begin(void)
{
    test_directory_create(directory);
    path = test_path(directory, "tuning.txt");
    test_setenv("CLPRIM_TUNING", "off");
    runtime = test_runtime(NULL);
}

static void end(void)
{
    clprim_runtime_destroy(runtime);
    test_directory_remove(directory);
}

TestSuite(tuning, .init = begin, .fini = end);

/* The result of the look-up for a reduction by cpu_chunk. */
typedef struct sighting {
    size_t share, groups_per_unit;
} sighting;

static void see(void *user, const clprim__tuning_query *query, const void *tuning)
{
    sighting *self = user;
    for (size_t i = 0; i < query->tunables->count; i++) {
        const clprim__tunable *item = &query->tunables->items[i];
        if (strcmp(item->variant, query->variant) == 0)
            memcpy(strcmp(item->name, "share") == 0 ? &self->share : &self->groups_per_unit,
                   (const char *)tuning + item->offset, sizeof self->share);
    }
}

/* Look up through a plan, whose kernel is the same for all parameters. */
static sighting look_up(clprim_runtime *by, clprim_type type)
{
    const clprim_reduce_desc desc = {.type = type, .variant = CLPRIM_REDUCE_CPU_CHUNK};
    sighting seen = {0};
    clprim_plan *plan = NULL;
    clprim__tuning_watch(by->tuning, see, &seen);
    ASSERT_OK(clprim_reduce_create(&plan, by, &desc));
    clprim__tuning_watch(by->tuning, NULL, NULL);
    clprim_plan_destroy(plan);
    cr_assert(seen.share > 0 && seen.groups_per_unit > 0);
    return seen;
}

static void set(const char *text)
{
    ASSERT_OK(clprim__tuning_set(runtime->tuning, "text", text, strlen(text)));
}

/* share 0: the library's own value. */
static void expect_share(const char *text, size_t share, size_t problems)
{
    char said[TEXT_SIZE];
    size_t lines = 0;
    set("");
    const sighting own = look_up(runtime, CLPRIM_U32);
    set(text);
    const sighting seen = look_up(runtime, CLPRIM_U32);
    cr_assert_eq(seen.share, share != 0 ? share : own.share, "%s: share is %zu", text, seen.share);
    cr_assert_eq(seen.groups_per_unit, own.groups_per_unit, "%s", text);
    (void)look_up(runtime, CLPRIM_U32); /* nothing is reported twice */
    cr_assert_eq(clprim_runtime_tuning_problems(runtime, said, sizeof said), problems, "%s: %s", text, said);
    for (const char *p = said; *p != '\0'; p++)
        lines += *p == '\n';
    cr_assert_eq(lines, problems, "%s: %s", text, said);
}

Test(tuning, takes_the_first_line_that_fits)
{
    static const struct {
        const char *text;
        size_t share, problems;
    } cases[] = {
        {"", 0, 0},
        {"# nothing\n\n   \t\n", 0, 0},
        {"reduce cpu_chunk share=1024", 1024, 0},
        {"reduce cpu_chunk share=1024\r\nreduce cpu_chunk share=2048\r\n", 1024, 0},
        {"  reduce\tcpu_chunk   share=1024#comment", 1024, 0},
        {"reduce cpu_chunk share=\"1024\" speed=12.5 was=\"as before\"\n", 1024, 0},
        {"reduce cpu_chunk size=8 share=1024\nreduce cpu_chunk size=4 share=2048\n", 2048, 0},
        {"reduce cpu_chunk device=\"no such device\" share=1024\n", 0, 0},
        {"reduce tree items=4\nscan cpu_chunk groups_per_unit=3\n", 0, 0},
        {"reduce cpu_chunk up_to=1000 share=1024\n", 0, 0}, /* the number of elements is not known */
        {"reduce cpu_chunk\nreduce\nreduce=1 cpu_chunk share=1024\n", 0, 3},
        {"reduce cpu_chunk share\n", 0, 1},
        {"reduce cpu_chunk share=\n", 0, 1},
        {"reduce cpu_chunk share_2=1024\n", 0, 1},
        {"reduce cpu_chunk a=1 b=1 c=1 d=1 e=1 f=1 g=1 h=1 i=1 j=1 k=1 l=1 m=1 n=1 o=1 p=1 q=1\n", 0, 1},
        {"reduce cpu_chunk name_that_is_longer_than_any_that_there_is=1\n", 0, 1},
        {"\xef\xbb\xbfreduce cpu_chunk share=1024\n", 0, 1},
        {"{\"reduce\": {\"share\": 1024}}\n<xml/>\n=\n\"\n", 0, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_share(cases[i].text, cases[i].share, cases[i].problems);
}

/* A line that is ignored must not hide other lines. */
Test(tuning, passes_over_wrong_lines)
{
    char wrong[] = "1023;0;2097152;18446744073709551616;-1024;+1024;0x400;1024.0;1e3; 1024;\"1024;\"1024\"x;"
                   "1024 share=1024;1024 items=4;1024 size=0;1024 kind=toaster;1024 groups_per_unit=65";
    for (const char *value = strtok(wrong, ";"); value != NULL; value = strtok(NULL, ";")) {
        char text[TEXT_SIZE];
        (void)snprintf(text, sizeof text, "reduce cpu_chunk share=%s\n", value);
        expect_share(text, 0, 1);
        (void)strcat(text, "reduce cpu_chunk share=2048\n");
        expect_share(text, 2048, 1);
    }
}

/* Values and lines that are too long, and more errors than are kept, in malformed lines and in values. */
Test(tuning, has_room_for_what_is_sensible)
{
    enum { LONGEST = 100000, LINES = 2000 };
    static char text[LONGEST];
    for (int length = 4; length < LONGEST / 2; length *= 5) {
        (void)snprintf(text, sizeof text, "reduce cpu_chunk share=%0*d", length, 1024);
        expect_share(text, length <= 100 ? 1024 : 0, length > 100);
    }
    text[0] = '\0';
    for (int i = 0; i < LINES; i++)
        (void)strcat(text, i % 2 == 0 ? "nonsense\n" : "reduce cpu_chunk share=5\n");
    set(text);
    (void)look_up(runtime, CLPRIM_U32);
    cr_assert_eq(clprim_runtime_tuning_problems(runtime, NULL, 0), LINES);
}

Test(tuning, knows_devices_and_sizes)
{
    static const char *const kinds[] = {"other", "cpu", "gpu", "accelerator"};
    char text[TEXT_SIZE];
    char name[128];
    const clprim_device_info *info = clprim_runtime_info(runtime);
    const sighting own = look_up(runtime, CLPRIM_U32);
    (void)snprintf(name, sizeof name, "%s", info->name + strlen(info->name) / 2); /* a part of the name, in capitals */
    for (char *p = name; *p != '\0'; p++)
        *p = (char)toupper((unsigned char)*p);
    (void)snprintf(text, sizeof text, "reduce cpu_chunk device=\"%s\" size=2 share=512\n", name);
    set(text);
    cr_assert_eq(look_up(runtime, CLPRIM_U16).share, 512);
    cr_assert_eq(look_up(runtime, CLPRIM_F16).share, 512);
    cr_assert_eq(look_up(runtime, CLPRIM_U32).share, own.share);
    for (size_t kind = 0; kind < 4; kind++) {
        (void)snprintf(text, sizeof text, "reduce cpu_chunk kind=%s share=512 groups_per_unit=7\n", kinds[kind]);
        set(text);
        const sighting seen = look_up(runtime, CLPRIM_U32);
        cr_assert_eq(seen.share, kind == (size_t)info->kind ? 512 : own.share);
        cr_assert_eq(seen.groups_per_unit, kind == (size_t)info->kind ? 7 : own.groups_per_unit);
    }
}

/* Make a runtime with this file. */
static void expect_file(const char *file, size_t share, size_t problems, const char *what)
{
    char text[TEXT_SIZE];
    test_setenv("CLPRIM_TUNING", file);
    clprim_runtime *own = test_runtime(NULL);
    const size_t got = look_up(own, CLPRIM_U32).share;
    cr_assert(share != 0 ? got == share : got != 1024, "%s: share is %zu", what, got);
    cr_assert_eq(clprim_runtime_tuning_problems(own, text, sizeof text), problems, "%s: %s", what, text);
    if (problems > 0)
        cr_assert_not_null(strstr(text, file), "%s does not name the file", text);
    clprim_runtime_destroy(own);
}

Test(tuning, reads_files)
{
    static const char good[] = "reduce cpu_chunk share=1024\n";
    static char large[(1 << 20) + 1];
    const struct {
        const char *what, *text;
        size_t size, share, problems;
    } rows[] = {
        {"an empty file", "", 0, 0, 0},
        {"a line without its end", good, sizeof good - 2, 1024, 0},
        {"binary", "\0\1\2\xff\n", 5, 0, 1},
        {"a large file", large, sizeof large, 0, 1},
        {"a good file", good, sizeof good - 1, 1024, 0},
    };
    memset(large, '#', sizeof large);
    expect_file(path, 0, 1, "a missing file");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        test_write_file(path, rows[i].text, rows[i].size);
        expect_file(path, rows[i].share, rows[i].problems, rows[i].what);
    }
    expect_file("off", 0, 0, "none");
    expect_file(directory, 0, 1, "a directory");
    if (geteuid() != 0) {
        cr_assert_eq(chmod(path, 0), 0);
        expect_file(path, 0, 1, "an unreadable file");
    }
    path = test_path(directory, "fifo");
    cr_assert_eq(mkfifo(path, 0600), 0);
    expect_file(path, 0, 1, "a pipe that nobody writes to");
}

Test(tuning, finds_the_users_file)
{
    static const char line[] = "reduce cpu_chunk share=1024";
    test_setenv("HOME", directory);
    test_setenv("CLPRIM_CACHE", "off"); /* there is also one in HOME */
    test_setenv("XDG_CONFIG_HOME", NULL);
    expect_file("", 0, 0, "no file");
    cr_assert(rows_file_put(test_path(directory, ".config/clprim/tuning.txt"), line, true));
    expect_file("", 1024, 0, "in HOME");
    test_setenv("XDG_CONFIG_HOME", "relative");
    expect_file("", 1024, 0, "XDG_CONFIG_HOME is not absolute");
    test_setenv("XDG_CONFIG_HOME", test_path(directory, "xdg"));
    expect_file("", 0, 0, "nothing in XDG_CONFIG_HOME");
    cr_assert(rows_file_put(test_path(directory, "xdg/clprim/tuning.txt"), line, true));
    expect_file("", 1024, 0, "in XDG_CONFIG_HOME");
}

Test(tuning, says_what_was_wrong)
{
    char text[64];
    set("reduce cpu_chunk share=17\n\nreduce cpu_chunk share=\n");
    (void)look_up(runtime, CLPRIM_U32);
    cr_assert_eq(clprim_runtime_tuning_problems(runtime, NULL, 0), 2);
    cr_assert_eq(clprim_runtime_tuning_problems(runtime, text, 1), 2);
    cr_assert_str_eq(text, "");
    memset(text, 'x', sizeof text);
    cr_assert_eq(clprim_runtime_tuning_problems(runtime, text, 22), 2);
    cr_assert_str_eq(text, "text, line 3: a value");
    cr_assert_eq(text[22], 'x');
    cr_assert_eq(clprim_runtime_tuning_problems(NULL, text, sizeof text), 0);
    cr_assert_str_eq(text, "");
}

/* Set all parameters of a variant to random values; extreme 1: to the least, 2: to the greatest. */
static bool write_line(char line[TEXT_SIZE], const subject *what, const char *variant, int extreme, uint64_t *seed)
{
    int length = snprintf(line, TEXT_SIZE, "%s %s", subject_stem(what), variant);
    bool has_any = false;
    for (size_t i = 0; i < subject_tunables(what)->count; i++) {
        const clprim__tunable *item = &subject_tunables(what)->items[i];
        if (strcmp(item->variant, variant) != 0)
            continue;
        size_t value = extreme == 2 ? item->most : item->least;
        if (extreme != 1 && extreme != 2 && item->is_power_of_two)
            while (value < item->most && test_random_below(seed, 4) != 0)
                value *= 2;
        else if (extreme != 1 && extreme != 2)
            value += test_random_below(seed, item->most - item->least + 1) >> test_random_below(seed, 5);
        length += snprintf(line + length, (size_t)(TEXT_SIZE - length), " %s=%zu", item->name, value);
        has_any = true;
    }
    return has_any;
}

/* The plan must be refused with a sentence, or be right twice. Returns true if it was right. */
static bool expect_right(const subject *what, const subject_data *data, const char *variant, const char *line)
{
    clprim_plan *plan = NULL;
    bool is_right = false;
    set(line);
    const clprim_status status = subject_plan(&plan, runtime, what, subject_variant(what, variant), data->count);
    if (status != CLPRIM_SUCCESS) {
        cr_assert_eq((int)status, (int)CLPRIM_UNSUPPORTED, "%s: %s", line, clprim_last_error());
        return false;
    }
    for (int time = 0; time < 2; time++) {
        ASSERT_OK(subject_try(&is_right, plan, data));
        cr_assert(is_right, "wrong results, time %d: %s", time, line);
    }
    clprim_plan_destroy(plan);
    return true;
}

/* In the full run, all variants with many lines; otherwise one variant with one line. */
static size_t try_subject(const subject *what, size_t number, uint64_t *seed)
{
    const int rounds = test_is_full() ? 8 : 1;
    const size_t most = test_is_full() ? 70001 : 20011;
    size_t num_variants = 0;
    size_t right = 0;
    const clprim_variant_info *variants = what->operation->variants(&num_variants);
    for (size_t v = 0; v < num_variants && (test_is_full() || right == 0); v++) {
        subject_data data;
        char line[TEXT_SIZE];
        const char *name = variants[(v + number) % num_variants].name;
        const size_t count = strcmp(name, "single_group") == 0 ? 1000 : most;
        if (!write_line(line, what, name, 0, seed))
            continue;
        ASSERT_OK(subject_data_create(&data, runtime, what, subject_variant(what, name), count));
        for (int round = 0; round < rounds; round++) {
            (void)write_line(line, what, name, test_is_full() ? round : 0, seed);
            right += expect_right(what, &data, name, line);
            cr_assert_eq(clprim_runtime_tuning_problems(runtime, NULL, 0), 0, "%s is passed over", line);
        }
        subject_data_destroy(&data);
    }
    return right;
}

Test(tuning, changes_no_result)
{
    uint64_t seed = TEST_SEED;
    size_t number = 0;
    size_t num_subjects = 0;
    const subject *subjects = subject_list(&num_subjects);
    for (size_t s = 0; s < num_subjects; s++) {
        const bool is_first = s == 0 || subject_tunables(&subjects[s]) != subject_tunables(&subjects[s - 1]);
        if (is_first || test_is_full())
            cr_assert_gt(try_subject(&subjects[s], number++, &seed), 0, "%s: all were refused",
                         subject_stem(&subjects[s]));
    }
}

/* Values that the table does not allow must have no effect: the plan is the same as without a file, from the cache. */
Test(tuning, passes_over_what_is_not_allowed)
{
    uint64_t seed = TEST_SEED;
    size_t num_subjects = 0;
    const subject *subjects = subject_list(&num_subjects);
    for (size_t s = 0; s < num_subjects; s++) {
        const subject *what = &subjects[s];
        char line[TEXT_SIZE];
        subject_data data;
        if (s > 0 && subject_tunables(&subjects[s - 1]) == subject_tunables(what))
            continue;
        ASSERT_OK(subject_data_create(&data, runtime, what, 0, 3001));
        cr_assert(expect_right(what, &data, "auto", ""));
        const size_t built = clprim_runtime_program_stats(runtime).built;
        for (size_t i = 0; i < subject_tunables(what)->count; i++) {
            const clprim__tunable *item = &subject_tunables(what)->items[i];
            const size_t random = item->most + 1 + test_random_below(&seed, SIZE_MAX - item->most - 1);
            (void)snprintf(line, sizeof line, "%s %s %s=%zu\n%s %s %s=%zu\n%s %s nonsense=1\n", subject_stem(what),
                           item->variant, item->name, random, subject_stem(what), item->variant, item->name,
                           item->most + 1, subject_stem(what), item->variant);
            cr_assert(expect_right(what, &data, "auto", line), "%s", clprim_last_error());
            cr_assert_eq(clprim_runtime_program_stats(runtime).built, built, "another program: %s", line);
        }
        subject_data_destroy(&data);
    }
}

/* Check that an operation looks parameters up in its own table. */
static void see_own(void *user, const clprim__tuning_query *query, const void *tuning)
{
    const clprim__trial_subject *const *self = user;
    (void)tuning;
    cr_assert(strcmp(query->tunables->stem, (*self)->stem) != 0 || query->tunables == (*self)->operation->tunables,
              "the clprim__operation of %s lacks .tunables", (*self)->stem);
}

/* The tuner, and these tests, know only what an operation's table lists. */
Test(tuning, is_known_of_every_operation_that_looks_up_its_own)
{
    size_t count = 0;
    const clprim__trial_subject *const *operations = clprim__operation_subjects(&count);
    for (size_t i = 0; i < count; i++) {
        const clprim__trial_subject *self = operations[i];
        clprim_plan *plan = NULL;
        clprim__tuning_watch(runtime->tuning, see_own, &self);
        ASSERT_OK(self->operation->face->create(&plan, runtime, self->samples));
        clprim__tuning_watch(runtime->tuning, NULL, NULL);
        clprim_plan_destroy(plan);
    }
}

Test(tuning, gives_way_to_a_description)
{
    const clprim_reduce_desc desc = {.type = CLPRIM_U32, .variant = CLPRIM_REDUCE_TREE, .work_group_size = 16};
    const clprim_reduce_desc without = {.type = CLPRIM_U32, .variant = CLPRIM_REDUCE_TREE, .items_per_work_item = 16};
    clprim_plan *plan = NULL;
    set("reduce tree group_size=16 items=16\n");
    ASSERT_OK(clprim_reduce_create(&plan, runtime, &without)); /* the line's group size, and the description's items */
    clprim_plan_destroy(plan);
    const clprim_program_stats before = clprim_runtime_program_stats(runtime);
    set("reduce tree group_size=64 items=16\n");
    ASSERT_OK(clprim_reduce_create(&plan, runtime, &desc)); /* the same the other way round */
    clprim_plan_destroy(plan);
    const clprim_program_stats after = clprim_runtime_program_stats(runtime);
    cr_assert_eq(after.from_memory, before.from_memory + 1);
}

Test(tuning, rows_name_what_they_are_for)
{
    const clprim_device_info info = {.name = "gfx90a:sramecc+",
                                     .kind = CLPRIM_DEVICE_GPU,
                                     .vendor = CLPRIM_VENDOR_AMD,
                                     .sub_group_means = CLPRIM_SUB_GROUP_KHR,
                                     .has_forward_progress = true};
    const clprim__tuned_for pairs = {.size = 4, .value_size = 8, .max_count = 1000, .of = 2};
    static const struct {
        clprim__tuning_for row;
        bool fits;
    } rows[] = {
        {{0}, true},
        {{.variant = 3, CLPRIM__ON_GPU, .vendor = CLPRIM_VENDOR_AMD, .device = "GFX90", .of = 2}, true},
        {{.variant = 2}, false},
        {{CLPRIM__ON_CPU}, false},
        {{.vendor = CLPRIM_VENDOR_NVIDIA}, false},
        {{.device = "gfx11"}, false},
        {{.without = CLPRIM__NO_WARPS}, true},
        {{.without = CLPRIM__NO_SHUFFLES}, false},
        {{.without = CLPRIM__NO_PROGRESS}, false},
        {{.size = 4, .value_size = 8, .item_size = 12, .up_to = 1000}, true},
        {{.size = 3}, false},
        {{.value_size = 7}, false},
        {{.value_size = CLPRIM__NO_VALUES}, false},
        {{.item_size = 11}, false},
        {{.up_to = 999}, false},
        {{.of = 1}, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_expect_eq(clprim__tuning_fits(&rows[i].row, 3, &info, &pairs), rows[i].fits, "row %zu", i);
    const clprim__tuning_for alone = {.value_size = CLPRIM__NO_VALUES, .without = CLPRIM__NO_SHUFFLES};
    const clprim__tuning_for unwaited = {.without = CLPRIM__NO_PROGRESS};
    cr_expect(clprim__tuning_fits(&alone, 3, &(clprim_device_info){0}, &(clprim__tuned_for){.size = 4}));
    cr_expect(clprim__tuning_fits(&unwaited, 3, &(clprim_device_info){0}, &(clprim__tuned_for){.size = 4}));
}

Test(tuning, checks_whole_files)
{
    const clprim__tunables *tables[64];
    const clprim_device_info info = {.index = 0};
    clprim__tuning *tuning = NULL;
    static const char text[] = "reduce cpu_chunk share=1024\nreduce cpu_chunk share=5\nnonsense cpu_chunk share=1\n"
                               "reduce nonsense share=1024\nscan cpu_chunk groups_per_unit\n";
    char problems[TEXT_SIZE];
    test_write_file(path, text, sizeof text - 1);
    test_setenv("CLPRIM_TUNING", path);
    ASSERT_OK(clprim__tuning_create(&tuning, &info));
    size_t num_subjects = 0;
    (void)subject_list(&num_subjects);
    cr_assert_leq(num_subjects, 64);
    clprim__tuning_check(tuning, tables, subject_tables(tables));
    cr_assert_eq(clprim__tuning_problems(tuning, problems, sizeof problems), 4, "%s", problems);
    cr_assert_not_null(strstr(problems, "line 2: share of reduce is 5, not a power of two from 256 to 1048576"));
    cr_assert_not_null(strstr(problems, "line 3: nonsense is not a primitive"));
    cr_assert_not_null(strstr(problems, "line 4: nonsense of reduce has no share to tune"));
    cr_assert_not_null(strstr(problems, "line 5: "));
    clprim__tuning_destroy(tuning);
}

Test(tuning, puts_lines_into_files)
{
#define TREE "reduce tree device=\"x\" size=4"
#define SCAN "scan cpu_chunk groups_per_unit=2"
    static const char mine[] = "# mine\n" TREE " items=3\n" SCAN;
    static const struct {
        const char *line, *text;
        bool keep;
    } rows[] = {
        {TREE " items=5", "# mine\n" SCAN "\n" TREE " items=5\n", true},
        {TREE " up_to=100 items=6", "# mine\n" TREE " up_to=100 items=6\n" SCAN "\n" TREE " items=5\n", true},
        {TREE " items=9", "# mine\n" TREE " up_to=100 items=6\n" SCAN "\n", false},
    };
    size_t size = 0;
    path = test_path(directory, "a/b/tuning.txt");
    cr_assert(rows_file_put(path, TREE " items=3", true));
    char *text = test_read_file(path, &size);
    cr_assert_eq(text[0], '#', "a new file says what it is");
    free(text);
    test_write_file(path, mine, sizeof mine - 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_assert(rows_file_put(path, rows[i].line, rows[i].keep));
        text = test_read_file(path, &size);
        cr_assert_str_eq(text, rows[i].text);
        free(text);
    }
    cr_assert(!rows_file_put(directory, TREE " items=3", true));
}

Test(tuning, is_found_by_a_search)
{
    size_t num_subjects = 0;
    const subject *subjects = subject_list(&num_subjects);
    char line[CLIMB_LINE_SIZE];
    climb self = {.runtime = runtime,
                  .what = &subjects[1], /* reduce, of U32 */
                  .data = {.count = 50000},
                  .variant = CLPRIM_REDUCE_CPU_CHUNK,
                  .seconds = 0.3,
                  .sample = 0.0005};
    ASSERT_OK(climb_begin(&self));
    cr_assert(self.name != NULL && strcmp(self.name, "cpu_chunk") == 0);
    cr_assert_eq(self.num_items, 2);
    ASSERT_OK(climb_run(&self));
    cr_assert(self.before_time > 0 && self.best_time > 0);
    cr_assert(self.tried > 0 && self.wrong == 0 && self.refused == 0);
    climb_line(line, &self, &self.best, true);
    set(line);
    const sighting seen = look_up(runtime, CLPRIM_U32);
    cr_assert_eq(seen.share, self.best.values[0]);
    cr_assert_eq(seen.groups_per_unit, self.best.values[1]);
    climb_end(&self);
}
