// SPDX-License-Identifier: MIT
/* startup_plans.c: how long the first plan of an operation and its first call take, as one line of JSON.
 *
 *     startup_plans --list
 *     startup_plans OPERATION SAMPLE
 *
 * A sample is a description of the operation's self-test, by its number. --list prints all pairs, one per line. The
 * call has 2^16 elements. Another call like it is compared with the reference. Each process makes one plan: run
 * startup_plans.py, which gives each sample caches of its own, and starts it twice.
 *
 * "plan_cpu_ms" and "call_cpu_ms": processor time of all threads of the process, which the driver's compiler takes.
 * "plan_ms" and "call_ms": time that passes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "operations.h"
#include "subjects.h"

enum { COUNT = 1 << 16 };

typedef struct times {
    double cpu, wall; /* ms */
} times;

static double now_ms(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static times now(void)
{
    return (times){now_ms(CLOCK_PROCESS_CPUTIME_ID), now_ms(CLOCK_MONOTONIC)};
}

static times since(times start)
{
    const times end = now();
    return (times){end.cpu - start.cpu, end.wall - start.wall};
}

static int list(void)
{
    size_t count = 0;
    const clprim__trial_subject *const *all = clprim__operation_subjects(&count);
    for (size_t i = 0; i < count; i++)
        for (int s = 0; s < CLPRIM__TRIAL_MAX_SAMPLES && all[i]->sample_names[s] != NULL; s++)
            printf("%s %d\n", all[i]->stem, s);
    return EXIT_SUCCESS;
}

static const clprim__trial_subject *find(const char *stem)
{
    size_t count = 0;
    const clprim__trial_subject *const *all = clprim__operation_subjects(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(all[i]->stem, stem) == 0)
            return all[i];
    return NULL;
}

/* What the description has in a member of this name; zero where it has none. */
static size_t number_in(const clprim__trial_subject *operation, const void *desc, const char *name)
{
    size_t number = 0; /* little-endian, as all the devices there are */
    for (const clprim_member *m = operation->operation->face->desc_members; m->name != NULL; m++)
        if (strcmp(m->name, name) == 0)
            memcpy(&number, (const char *)desc + m->place, m->size < sizeof number ? m->size : sizeof number);
    return number;
}

static int report(clprim_status status, const char *step)
{
    fprintf(stderr, "startup_plans: %s: %s: %s\n", step, clprim_status_string(status), clprim_last_error());
    return EXIT_FAILURE;
}

static int measure(const clprim__trial_subject *operation, int sample)
{
    const char *desc = (const char *)operation->samples + (size_t)sample * operation->desc_size;
    const size_t key_type = number_in(operation, desc, "key_type");
    const size_t most = number_in(operation, desc, "max_count");
    const subject what = {.operation = operation,
                          .type = (clprim_type)(key_type != 0 ? key_type : number_in(operation, desc, "type")),
                          .value_size = number_in(operation, desc, "value_size"),
                          .desc = desc};
    clprim_runtime *runtime = NULL;
    clprim_plan *plan = NULL;
    subject_data data = {.count = 0};
    const size_t count = most == 0 || most > COUNT ? COUNT : most;
    const times start = now();
    clprim_status status = clprim_runtime_create(&runtime, NULL);
    if (status != CLPRIM_SUCCESS)
        return report(status, "clprim_runtime_create");
    const times runtime_times = since(start);
    clprim__trial check = {.runtime = runtime, .subject = operation, .queue = clprim_runtime_queue(runtime)};
    const times before_plan = now();
    status = operation->operation->face->create(&plan, runtime, desc);
    if (status != CLPRIM_SUCCESS)
        return report(status, operation->stem);
    const times plan_times = since(before_plan);
    status = subject_data_create(&data, runtime, &what, 0, count);
    if (status != CLPRIM_SUCCESS)
        return report(status, "the sample's data");
    const times before_call = now();
    status = subject_enqueue(plan, &data);
    if (status == CLPRIM_SUCCESS)
        status = (clprim_status)clFinish(clprim_runtime_queue(runtime));
    if (status != CLPRIM_SUCCESS)
        return report(status, "enqueue");
    const times call_times = since(before_call);
    operation->run(&check, plan, desc, count);
    if (check.status != CLPRIM_SUCCESS)
        return report(check.status, "the check");
    printf("{\"device\": \"%s\", \"operation\": \"%s\", \"sample\": \"%s\", \"programs\": %zu, \"runtime_ms\": %.1f, "
           "\"plan_cpu_ms\": %.1f, \"plan_ms\": %.1f, \"call_cpu_ms\": %.1f, \"call_ms\": %.1f}\n",
           clprim_runtime_info(runtime)->name, operation->stem, operation->sample_names[sample],
           clprim_runtime_program_stats(runtime).built + clprim_runtime_program_stats(runtime).from_disk,
           runtime_times.wall, plan_times.cpu, plan_times.wall, call_times.cpu, call_times.wall);
    const bool is_right = check.why[0] == '\0';
    if (!is_right)
        fprintf(stderr, "startup_plans: %s, sample %d: %s\n", operation->stem, sample, check.why);
    clprim__trial_clear(&check);
    subject_data_destroy(&data);
    clprim_plan_destroy(plan);
    clprim_runtime_destroy(runtime);
    return is_right ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--list") == 0)
        return list();
    const clprim__trial_subject *operation = argc == 3 ? find(argv[1]) : NULL;
    char *end = NULL;
    const long sample = argc == 3 ? strtol(argv[2], &end, 10) : -1;
    if (operation == NULL || *end != '\0' || sample < 0 || sample >= CLPRIM__TRIAL_MAX_SAMPLES ||
        operation->sample_names[sample] == NULL) {
        fprintf(stderr, "usage: startup_plans --list | startup_plans OPERATION SAMPLE\n");
        return 2;
    }
    return measure(operation, (int)sample);
}
