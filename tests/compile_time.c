// SPDX-License-Identifier: MIT
/* compile_time.c: on a CPU device, with empty caches, no plan of AUTO's takes much more processor time to compile than a
 * sum's, which is little more than PoCL takes for an empty program (docs/notebook/compile.md). Each plan is made, and
 * called once, in a separate process: two of each operation with large kernels, or with CLPRIM_TEST_FULL all there
 * are. */
#define _GNU_SOURCE
#include <clprim/clprim.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "operations.h"
#include "runtime_internal.h"
#include "trial.h"

/* Times that of a sum: about 2 s on a machine on which PoCL takes 0.6 s for an empty program. */
#define MOST_TIMES 3.0
enum { COUNT = 1 << 16, SAMPLES = 2, NO_CPU = 77 };

static const char *const large[] = {"set_operation", "segmented_sort", "bitonic_sort", "comparison_sort"};

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *place)
{
    (void)info;
    (void)type;
    (void)place;
    return remove(path);
}

/* The child's part; returns its exit status. */
static int make_and_call(const clprim__trial_subject *subject, size_t sample)
{
    const void *desc = (const char *)subject->samples + sample * subject->desc_size;
    clprim_runtime *runtime = NULL;
    clprim_plan *plan = NULL;
    clprim_status status = clprim_runtime_create(&runtime, NULL);
    if (status == CLPRIM_SUCCESS && clprim_runtime_info(runtime)->kind != CLPRIM_DEVICE_CPU)
        return NO_CPU;
    if (status == CLPRIM_SUCCESS)
        status = subject->operation->face->create(&plan, runtime, desc);
    clprim__trial trial = {.runtime = runtime, .subject = subject};
    if (status == CLPRIM_SUCCESS) {
        trial.queue = clprim_runtime_queue(runtime);
        subject->run(&trial, plan, desc, COUNT);
        status = trial.status;
        clprim__trial_clear(&trial);
    }
    if (status != CLPRIM_SUCCESS || trial.why[0] != '\0')
        fprintf(stderr, "%s: %s%s\n", subject->sample_names[sample], trial.why,
                status != CLPRIM_SUCCESS ? clprim_last_error() : "");
    clprim_plan_destroy(plan);
    clprim_runtime_destroy(runtime);
    return status == CLPRIM_SUCCESS && trial.why[0] == '\0' ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Seconds of processor time; less than 0: it failed, and *code is the child's exit status. */
static double seconds_of(int *code, const clprim__trial_subject *subject, size_t sample)
{
    char directory[] = "/tmp/clprim-compile-XXXXXX";
    struct rusage used;
    int status = 0;
    memset(&used, 0, sizeof used);
    *code = EXIT_FAILURE;
    if (mkdtemp(directory) == NULL)
        return -1;
    fflush(NULL);
    const pid_t child = fork(); /* this process has no OpenCL */
    if (child == 0) {
        setenv("POCL_CACHE_DIR", directory, 1);
        setenv("CLPRIM_CACHE", "off", 1);
        setenv("CLPRIM_TUNING", "off", 1);
        exit(make_and_call(subject, sample));
    }
    if (child > 0 && wait4(child, &status, 0, &used) == child && WIFEXITED(status))
        *code = WEXITSTATUS(status);
    (void)nftw(directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    if (*code != EXIT_SUCCESS)
        return -1;
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static bool is_wanted(const char *stem, size_t sample)
{
    const char *full = getenv("CLPRIM_TEST_FULL");
    if (full != NULL && full[0] != '\0')
        return true;
    for (size_t i = 0; i < sizeof large / sizeof *large; i++)
        if (strcmp(large[i], stem) == 0)
            return sample < SAMPLES;
    return false;
}

int main(void)
{
    size_t count = 0;
    int code = EXIT_SUCCESS;
    int failures = 0;
    const clprim__trial_subject *sum = NULL;
    const clprim__trial_subject *const *subjects = clprim__operation_subjects(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(subjects[i]->stem, "reduce") == 0)
            sum = subjects[i];
    const double least = sum != NULL ? seconds_of(&code, sum, 0) : -1;
    if (code == NO_CPU)
        return NO_CPU;
    if (least <= 0)
        return EXIT_FAILURE;
    printf("%-20s %-50s %5.2f s\n", "reduce", sum->sample_names[0], least);
    for (size_t i = 0; i < count; i++)
        for (size_t s = 0; s < CLPRIM__TRIAL_MAX_SAMPLES && subjects[i]->sample_names[s] != NULL; s++) {
            if (!is_wanted(subjects[i]->stem, s))
                continue;
            double taken = seconds_of(&code, subjects[i], s);
            if (taken > MOST_TIMES * least) /* again, because other processes may have run */
                taken = seconds_of(&code, subjects[i], s);
            const bool is_good = taken > 0 && taken <= MOST_TIMES * least;
            printf("%-20s %-50s %5.2f s%s\n", subjects[i]->stem, subjects[i]->sample_names[s], taken,
                   is_good ? "" : ": FAILED");
            failures += !is_good;
        }
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
