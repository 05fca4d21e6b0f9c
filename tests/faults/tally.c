/* tally.c: a file into which all tests write, and the line that is made of it. */
#define _XOPEN_SOURCE 700
#include "tally.h"

#include <criterion/criterion.h>
#include <criterion/hooks.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GROUPS = 3, MAX_OPERATIONS = 256, NAME_SIZE = 64 };

static const char variable[] = "CLPRIM_TEST_TALLY"; /* of the environment: the file's path */

void tally_add(const char *operation, faults_group group, unsigned injected)
{
    const char *path = getenv(variable);
    char line[NAME_SIZE + 32];
    const int size = snprintf(line, sizeof line, "%d %u %.*s\n", (int)group, injected, NAME_SIZE - 1, operation);
    const int file = path != NULL ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    (void)!write(file, line, (size_t)size); /* at once, so that lines of others do not come between */
    (void)close(file);
}

ReportHook(PRE_ALL)(struct criterion_test_set *tests)
{
    char path[] = "/tmp/clprim_faults_XXXXXX";
    const int file = mkstemp(path);
    (void)tests;
    if (file < 0)
        return;
    (void)close(file);
    (void)setenv(variable, path, 1);
}

ReportHook(POST_ALL)(struct criterion_global_stats *stats)
{
    static char names[MAX_OPERATIONS][NAME_SIZE];
    size_t operations = 0;
    unsigned sums[GROUPS] = {0};
    int group = 0;
    unsigned injected = 0;
    char name[NAME_SIZE];
    const char *path = getenv(variable);
    FILE *file = path != NULL ? fopen(path, "r") : NULL;
    (void)stats;
    while (file != NULL && fscanf(file, "%d %u %63[^\n]", &group, &injected, name) == 3) {
        size_t i = 0;
        while (i < operations && strcmp(names[i], name) != 0)
            i++;
        if (i == operations && i < MAX_OPERATIONS)
            memcpy(names[operations++], name, sizeof name);
        sums[group] += injected;
    }
    if (file != NULL)
        (void)fclose(file);
    if (path != NULL)
        (void)remove(path);
    printf("faults: %u injected in %zu operations: %u calls of OpenCL, %u allocations, %u calls of files\n",
           sums[FAULTS_OPENCL] + sums[FAULTS_MEMORY] + sums[FAULTS_FILES], operations, sums[FAULTS_OPENCL],
           sums[FAULTS_MEMORY], sums[FAULTS_FILES]);
}
