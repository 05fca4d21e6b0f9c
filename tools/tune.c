// SPDX-License-Identifier: MIT
/* tune.c: find the parameters with which clPRIM's kernels are fastest on this device: docs/tuning.md. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "climb.h"
#include "rows_file.h"
#include "runtime_internal.h"

static const char USAGE[] =
    "tune [OPTIONS] [PRIMITIVE...]: find faster parameters for this device, and write them to a file\n"
    "  --quick         small arrays and little time\n"
    "  --variant NAME  tune this variant of each primitive that has one of that name; default: the one AUTO takes\n"
    "  --seconds S     for each line at most; default 40, with --quick 6\n"
    "  --output FILE   default: the file that the library reads\n"
    "  --check FILE    only say what is wrong with a file\n"
    "  --list          only list what can be tuned\n"
    "CLPRIM_DEVICE chooses the device.\n";

typedef struct options {
    bool is_quick, lists;
    const char *variant, *output, *check;
    double seconds;
    char *const *primitives;
    int num_primitives;
} options;

static volatile sig_atomic_t is_ending;

static void end_soon(int signal_number)
{
    (void)signal_number;
    is_ending = 1;
}

static bool parse(options *out, int count, char **arguments)
{
    const struct {
        const char *name;
        const char **value;
    } texts[] = {{"--variant", &out->variant}, {"--output", &out->output}, {"--check", &out->check}};
    int i = 1;
    for (; i < count && strncmp(arguments[i], "--", 2) == 0; i++) {
        bool is_known = true;
        if (strcmp(arguments[i], "--quick") == 0)
            out->is_quick = true;
        else if (strcmp(arguments[i], "--list") == 0)
            out->lists = true;
        else if (strcmp(arguments[i], "--seconds") == 0 && i + 1 < count)
            out->seconds = strtod(arguments[++i], NULL);
        else
            is_known = false;
        for (size_t t = 0; t < sizeof texts / sizeof *texts && !is_known; t++)
            if (strcmp(arguments[i], texts[t].name) == 0 && i + 1 < count) {
                *texts[t].value = arguments[++i];
                is_known = true;
            }
        if (!is_known)
            return false;
    }
    out->primitives = arguments + i;
    out->num_primitives = count - i;
    return true;
}

static bool is_wanted(const options *how, const subject *what)
{
    bool is_named = how->num_primitives == 0;
    for (int i = 0; i < how->num_primitives; i++)
        is_named = is_named || strcmp(how->primitives[i], subject_stem(what)) == 0;
    return is_named && (how->variant == NULL || subject_variant(what, how->variant) != 0);
}

static int fail(const char *what)
{
    (void)fprintf(stderr, "tune: %s: %s\n", what, clprim_last_error());
    return 1;
}

static int check(const char *path)
{
    size_t num_subjects = 0;
    (void)subject_list(&num_subjects);
    const clprim__tunables **tables = calloc(num_subjects, sizeof *tables);
    const clprim_device_info info = {.index = 0};
    clprim__tuning *tuning = NULL;
    char *problems = calloc(1, 1 << 15);
    size_t count = 1;
    if (tables != NULL && problems != NULL && setenv("CLPRIM_TUNING", path, 1) == 0 &&
        clprim__tuning_create(&tuning, &info) == CLPRIM_SUCCESS) {
        clprim__tuning_check(tuning, tables, subject_tables(tables));
        count = clprim__tuning_problems(tuning, problems, 1 << 15);
        (void)fputs(problems, stderr);
        (void)printf("%s: %zu lines would be passed over\n", path, count);
    }
    clprim__tuning_destroy(tuning);
    free(problems);
    free(tables);
    return count == 0 ? 0 : 1;
}

static void list(void)
{
    (void)printf("%-16s %-18s %-16s %8s %10s\n", "primitive", "variant", "parameter", "least", "most");
    size_t num_subjects = 0;
    const subject *subjects = subject_list(&num_subjects);
    for (size_t s = 0; s < num_subjects; s++) {
        const clprim__tunables *tunables = subject_tunables(&subjects[s]);
        for (size_t i = 0; i < tunables->count && (s == 0 || tunables != subject_tunables(&subjects[s - 1])); i++) {
            const clprim__tunable *item = &tunables->items[i];
            (void)printf("%-16s %-18s %-16s %8zu %10zu%s\n", tunables->stem, item->variant, item->name, item->least,
                         item->most, item->is_power_of_two ? ", powers of two" : "");
        }
    }
}

static void print_values(const climb *self, const point *at)
{
    for (size_t i = 0; i < self->num_items; i++)
        (void)printf("%s%zu", i > 0 ? "," : "", at->values[i]);
}

static void print_outcome(const climb *self)
{
    const double gigabytes = self->data.traffic * 1e-9;
    const bool is_better = memcmp(&self->best, &self->before, sizeof self->best) != 0;
    (void)printf("%-15s %-16s %4zu %9zu  %8.2f", subject_stem(self->what), self->name, self->size, self->data.count,
                 gigabytes / self->before_time);
    if (is_better)
        (void)printf(" %8.2f %6.2fx  ", gigabytes / self->best_time, self->before_time / self->best_time);
    else
        (void)printf(" %8s %7s  ", "-", "");
    for (size_t i = 0; i < self->num_items; i++)
        (void)printf("%s%s", i > 0 ? "," : "", self->items[i]->name);
    (void)printf(" ");
    print_values(self, &self->before);
    if (is_better) {
        (void)printf(" -> ");
        print_values(self, &self->best);
    }
    (void)printf("  (%zu tried, %zu refused, %zu wrong)\n", self->tried, self->refused, self->wrong);
    (void)fflush(stdout);
}

/* One line of the file. False where the program should give up. */
static bool tune(const options *how, clprim_runtime *runtime, const subject *what, const char *path)
{
    const size_t count = how->is_quick && what->count > 1 << 20 ? (size_t)1 << 20 : what->count;
    climb self = {.runtime = runtime,
                  .what = what,
                  .data = {.count = count},
                  .variant = how->variant != NULL ? subject_variant(what, how->variant) : 0,
                  .seconds = how->seconds > 0 ? how->seconds
                             : how->is_quick  ? 6
                                              : 40,
                  .sample = how->is_quick ? 0.004 : 0.02,
                  .is_ending = &is_ending};
    char line[CLIMB_LINE_SIZE];
    bool is_written = true;
    clprim_status status = climb_begin(&self);
    if (status != CLPRIM_SUCCESS || self.name == NULL || self.before_time <= 0) {
        (void)printf("%-15s %s\n", subject_stem(what),
                     status != CLPRIM_SUCCESS ? clprim_last_error()
                     : self.name == NULL      ? "has nothing to tune here"
                                              : "gives wrong results: please report");
    } else {
        status = climb_run(&self);
        if (status != CLPRIM_SUCCESS)
            (void)fail(subject_stem(what));
        print_outcome(&self);
        climb_line(line, &self, &self.best, true);
        is_written = rows_file_put(path, line, memcmp(&self.best, &self.before, sizeof self.best) != 0);
        if (!is_written)
            (void)fprintf(stderr, "tune: %s: %s\n", path, strerror(errno));
    }
    climb_end(&self);
    return is_written;
}

static int tune_all(const options *how)
{
    clprim_runtime *runtime = NULL;
    bool goes_on = true;
    char *own = clprim__tuning_path();
    const char *path = how->output != NULL ? how->output : own;
    if (path == NULL || clprim_runtime_create(&runtime, NULL) != CLPRIM_SUCCESS) {
        free(own);
        return path == NULL ? ((void)fprintf(stderr, "tune: give --output\n"), 1) : fail("no device");
    }
    const clprim_device_info *info = clprim_runtime_info(runtime);
    size_t num_subjects = 0;
    const subject *subjects = subject_list(&num_subjects);
    (void)printf("%s, %s\n%-15s %-16s %4s %9s  %8s %8s %7s  %s\n", info->name, info->driver_version, "primitive",
                 "variant", "size", "elements", "GB/s", "tuned", "", "parameters, before -> after");
    for (size_t i = 0; i < num_subjects && goes_on && !is_ending; i++)
        if (is_wanted(how, &subjects[i]))
            goes_on = tune(how, runtime, &subjects[i], path);
    if (access(path, F_OK) == 0)
        (void)printf("%s %s\n", is_ending ? "ended early; what was found is in" : "what is faster is in", path);
    else
        (void)printf("%snothing faster was found\n", is_ending ? "ended early; " : "");
    clprim_runtime_destroy(runtime);
    free(own);
    return goes_on ? 0 : 1;
}

int main(int count, char **arguments)
{
    options how = {.is_quick = false};
    const struct sigaction action = {.sa_handler = end_soon, .sa_flags = SA_RESETHAND}; /* the second time it ends */
    if (!parse(&how, count, arguments)) {
        (void)fputs(USAGE, stderr);
        return 2;
    }
    size_t num_subjects = 0;
    const subject *subjects = subject_list(&num_subjects);
    for (int i = 0; i < how.num_primitives; i++) {
        bool is_known = false;
        for (size_t s = 0; s < num_subjects; s++)
            is_known = is_known || strcmp(subject_stem(&subjects[s]), how.primitives[i]) == 0;
        if (!is_known) {
            (void)fprintf(stderr, "tune: %s is not a primitive with parameters to tune: see --list\n",
                          how.primitives[i]);
            return 2;
        }
    }
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    if (how.lists)
        list();
    return how.lists ? 0 : how.check != NULL ? check(how.check) : tune_all(&how);
}
