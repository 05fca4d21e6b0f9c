// SPDX-License-Identifier: MIT
/* numbers.c: which numbers of a description are compiled into kernels. All others are arguments of kernels, so a plan
 * with another range or another k compiles nothing.
 *
 * Plans are made of every sample of every operation with every variant, without a compiler; the keys of their programs
 * are compared. The linker replaces the OpenCL functions that compile. */
#define _GNU_SOURCE
#include <clprim/clprim.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "making.h"
#include "operations.h"

cl_int __wrap_clBuildProgram(cl_program program, cl_uint num_devices, const cl_device_id *devices, const char *options,
                             void(CL_CALLBACK *notify)(cl_program, void *), void *user);
cl_kernel __wrap_clCreateKernel(cl_program program, const char *name, cl_int *code);
cl_int __wrap_clReleaseKernel(cl_kernel kernel);
cl_int __wrap_clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what,
                                       size_t size, void *out, size_t *used);

cl_int __wrap_clBuildProgram(cl_program program, cl_uint num_devices, const cl_device_id *devices, const char *options,
                             void(CL_CALLBACK *notify)(cl_program, void *), void *user)
{
    (void)program, (void)num_devices, (void)devices, (void)options, (void)notify, (void)user;
    return CL_SUCCESS;
}

cl_kernel __wrap_clCreateKernel(cl_program program, const char *name, cl_int *code)
{
    (void)name;
    *code = CL_SUCCESS;
    return (cl_kernel)(void *)program; /* no kernel is ever launched */
}

cl_int __wrap_clReleaseKernel(cl_kernel kernel)
{
    (void)kernel;
    return CL_SUCCESS;
}

cl_int __wrap_clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what,
                                       size_t size, void *out, size_t *used)
{
    (void)kernel, (void)device, (void)used;
    memset(out, 0, size);
    if (what == CL_KERNEL_WORK_GROUP_SIZE)
        *(size_t *)out = 4096;
    return CL_SUCCESS;
}

/* Numbers for which kernels are compiled; operation or variant NULL: all of them. The document that is named on the
 * command line gives the reasons, in a row for each that begins with the operation and the member. */
static const struct exception {
    const char *operation, *variant, *member;
} exceptions[] = {
    {NULL, NULL, "work_group_size"},
    {NULL, NULL, "items_per_work_item"},
    {NULL, NULL, "value_size"},
    {NULL, NULL, "element_size"},
    {"sort_by_key", NULL, "element_sizes"},
    {"radix_sort", "single_group", "max_count"},
    {"bitonic_sort", "shared_pairs", "max_count"},
    {"comparison_sort", "merge_path", "max_count"},
    {"comparison_sort", "merge_network", "max_count"},
    {"histogram", "local_atomic", "bins"},
    {"histogram", "per_item", "bins"},
    {"histogram", "per_item_shuffled", "bins"},
    {"histogram", "replicated", "bins"},
    {"histogram", "large", "bins"},
    {"histogram", "sort_based", "bins"},
    {"histogram", "local_atomic", "second_channel_bins"},
    {"histogram", "replicated", "second_channel_bins"},
    {"histogram", "large", "second_channel_bins"},
    {"histogram", "sort_based", "second_channel_bins"},
    {"radix_sort", NULL, "begin_bit"},
    {"radix_sort", NULL, "end_bit"},
    {"sort_by_key", NULL, "begin_bit"},
    {"sort_by_key", NULL, "end_bit"},
    {"segmented_sort", "local", "segment_length"},
    {"segmented_sort", "mixed", "segment_length"},
    {"scan", "blelloch_padded", "banks"},
    {"segmented_sort", NULL, "begin_bit"},
    {"segmented_sort", NULL, "end_bit"},
    {"segmented_sort", "composite", "max_segments"},
    {"run_length_encode", NULL, "min_length"},
    {"segmented_top_k", NULL, "k"},
    {"segmented_top_k", "select", "segment_length"},
    {"nth_element", NULL, "max_ranks"},
};

typedef union description {
    max_align_t alignment;
    char bytes[CLPRIM__MAX_DESC];
} description;

enum { PAIRS = 5, MOST_WRONG = 1 << 16 };

static clprim_runtime *runtime;
static bool was_used[sizeof exceptions / sizeof *exceptions];
static size_t num_compared, num_wrong;
static char failed[MOST_WRONG]; /* exceptions that were already reported */

static bool is_excepted(const char *operation, const char *variant, const char *member)
{
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++) {
        const struct exception *e = &exceptions[i];
        if ((e->operation == NULL || strcmp(e->operation, operation) == 0) &&
            (e->variant == NULL || strcmp(e->variant, variant) == 0) && strcmp(e->member, member) == 0) {
            was_used[i] = true;
            return true;
        }
    }
    return false;
}

/* The names of all programs of a plan; NULL if there is no such plan. */
static char *programs_of(const clprim__trial_subject *subject, const description *desc)
{
    clprim__making making;
    clprim_plan *plan = NULL;
    clprim__making *outer = clprim__making_begin(&making);
    const clprim_status status = subject->operation->face->create(&plan, runtime, desc->bytes);
    clprim__making_end(&making, outer);
    clprim_plan_destroy(plan);
    if (status == CLPRIM_SUCCESS && making.programs.data != NULL)
        return making.programs.data;
    clprim__text_free(&making.programs);
    return NULL;
}

static bool set(description *desc, const clprim_member *member, size_t pair, size_t which)
{
    static const size_t sizes[PAIRS][2] = {{3, 5}, {20, 25}, {64, 128}, {100, 120}, {1000, 1300}};
    static const double doubles[PAIRS][2] = {{2, 3.5}, {1e6, 3e9}, {1e-3, 0.7}, {-5, -70}, {0, 1}};
    if (member->kind == CLPRIM_MEMBER_DOUBLE) {
        memcpy(desc->bytes + member->place, &doubles[pair][which], sizeof(double));
    } else if (member->kind == CLPRIM_MEMBER_SIZE || member->kind == CLPRIM_MEMBER_UNSIGNED ||
               member->kind == CLPRIM_MEMBER_UINT64) {
        memset(desc->bytes + member->place, 0, member->size);
        memcpy(desc->bytes + member->place, &sizes[pair][which],
               member->size < 8 ? member->size : 8); /* little-endian */
    } else {
        return false;
    }
    return true;
}

static void compare(const clprim__trial_subject *subject, const char *variant, const description *base,
                    const clprim_member *member)
{
    for (size_t pair = 0; pair < PAIRS; pair++) {
        description one = *base, other = *base;
        if (!set(&one, member, pair, 0) || !set(&other, member, pair, 1))
            return;
        char *first = programs_of(subject, &one);
        char *second = first != NULL ? programs_of(subject, &other) : NULL;
        char line[256];
        (void)snprintf(line, sizeof line, "%s, %s, %s\n", subject->stem, variant, member->name);
        if (second != NULL) {
            num_compared++;
            if (strcmp(first, second) != 0 && !is_excepted(subject->stem, variant, member->name)) {
                num_wrong++;
                const size_t said = strlen(failed);
                if (strstr(failed, line) == NULL)
                    (void)snprintf(failed + said, sizeof failed - said, "%s", line);
            }
        }
        free(first);
        free(second);
    }
}

static void compare_all(const clprim__trial_subject *subject, int variant, const char *name)
{
    const clprim_operation *face = subject->operation->face;
    for (size_t s = 0; s < CLPRIM__TRIAL_MAX_SAMPLES && subject->sample_names[s] != NULL; s++) {
        description base = {.bytes = {0}};
        memcpy(base.bytes, (const char *)subject->samples + s * subject->desc_size, subject->desc_size);
        memcpy(base.bytes + subject->variant_at, &variant, sizeof variant);
        for (const clprim_member *m = face->desc_members; m->name != NULL; m++)
            if (strcmp(m->name, "bit_range") == 0) /* without it there are no bits to begin and end at */
                memset(base.bytes + m->place, true, m->size);
            else if (strcmp(m->name, "end_bit") == 0)
                memcpy(base.bytes + m->place, &(unsigned){8}, m->size);
        for (const clprim_member *m = face->desc_members; m->name != NULL; m++)
            compare(subject, name, &base, m);
    }
}

/* Whether the document has a row for the exception. */
static bool is_documented(const struct exception *e, const char *document)
{
    char row[128];
    (void)snprintf(row, sizeof row, "| %s | `%s` |", e->operation != NULL ? e->operation : "all", e->member);
    return strstr(document, row) != NULL;
}

static char *read_document(const char *path)
{
    char *text = calloc(1, MOST_WRONG);
    FILE *file = path != NULL ? fopen(path, "r") : NULL;
    const size_t size = file != NULL && text != NULL ? fread(text, 1, MOST_WRONG - 1, file) : 0;
    if (file != NULL)
        (void)fclose(file);
    if (size > 0)
        return text;
    free(text);
    return NULL;
}

int main(int argc, char **argv)
{
    size_t count = 0;
    char *document = read_document(argc == 2 ? argv[1] : NULL);
    if (document == NULL) {
        fprintf(stderr, "usage: numbers DOCUMENT\n");
        return 2;
    }
    const clprim__trial_subject *const *all = clprim__operation_subjects(&count);
    if (clprim_runtime_create(&runtime, NULL) != CLPRIM_SUCCESS) {
        fprintf(stderr, "numbers: %s\n", clprim_last_error());
        return EXIT_FAILURE;
    }
    for (size_t i = 0; i < count; i++) {
        size_t num_variants = 0;
        const clprim_variant_info *variants = all[i]->variants != NULL ? all[i]->variants(&num_variants) : NULL;
        compare_all(all[i], 0, "auto");
        for (size_t v = 0; v < num_variants; v++)
            compare_all(all[i], variants[v].id, variants[v].name);
    }
    printf("%zu pairs of descriptions compared\n", num_compared);
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++) {
        const char *wrong = !was_used[i]                               ? "is not compiled for any more"
                            : !is_documented(&exceptions[i], document) ? "has no row in the document"
                                                                       : NULL;
        if (wrong != NULL)
            printf("%s of %s %s\n", exceptions[i].member,
                   exceptions[i].operation != NULL ? exceptions[i].operation : "all", wrong);
        num_wrong += wrong != NULL;
    }
    if (failed[0] != '\0')
        printf("kernels are compiled anew for another number (operation, variant, member):\n%s", failed);
    clprim_runtime_destroy(runtime);
    free(document);
    return num_wrong > 0 || num_compared == 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
