// SPDX-License-Identifier: MIT
/* races.c: runs every kernel of every variant on Oclgrind, which sees each access to memory. Oclgrind finds races
 * between work-items and between work-groups, and accesses out of bounds.
 *
 *     CLPRIM_TEST_STEM=STEM oclgrind --data-races --check-api --log LOG races
 *
 * Each variant is called in each of the rounds, with descriptions made from the operation's table (descs.c). After each
 * call the test checks whether Oclgrind wrote anything into its log. That is a failure, unless `exceptions` allow it.
 * Results are compared with the reference. It is also a failure if a variant is never called, unless `exceptions` say
 * why, or if no call has changed a member of the description. Without STEM, the test checks that planted mistakes are
 * found. CLPRIM_TEST_FULL: run all rounds. */
#include "races.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "files.h"

/* Exceptions. A row that is no longer needed is a failure. */
typedef struct exception {
    const char *stem, *variant, *reason;
    /* Findings that are expected: only read-write races, and only in this kernel and file. NULL: the variant cannot be
     * run on Oclgrind. */
    const char *kernel, *file;
} exception;

#define ADDS  "sums of floats begin with a plain read of the word that an atomic then compares with what was read"
#define PEEKS "a plain read of a word that another group may be writing: the word's kind shows whether it is old"

static const exception exceptions[] = {
    /* Oclgrind does not know any order between work-groups, whatever atomics they use. */
    {"top_k", "radix_select",
     "the group that takes the last ticket replaces what all have read and used before they took theirs", "top_k_count",
     "kernels/top_k/parts/search.cl"},
    {"scan", "look_back", PEEKS, "scan_look_back", "include/clprim/device/tagged_words.h"},
    {"scan", "fixed_reduce_then_scan", PEEKS, "scan_fixed_once", "include/clprim/device/tagged_words.h"},
    {"reduce_by_key", "look_back", PEEKS, "scan_look_back", "include/clprim/device/tagged_words.h"},
    {"radix_sort", "onesweep", PEEKS, "radix_sort_onesweep", "kernels/common/device_scope.cl"},
    {"comparison_sort", "radix", PEEKS, "radix_sort_onesweep", "kernels/common/device_scope.cl"},
    {"sort_by_key", "any", PEEKS, "radix_sort_onesweep", "kernels/common/device_scope.cl"},
    {"segmented_sort", "composite", PEEKS, "radix_sort_onesweep", "kernels/common/device_scope.cl"},
    {"histogram", "sort_based", PEEKS, "radix_sort_onesweep", "kernels/common/device_scope.cl"},
    {"histogram", "local_atomic", ADDS, "histogram_local_atomic", "kernels/histogram/parts/atomics.cl"},
    {"histogram", "global_atomic", ADDS, "histogram_global_atomic", "kernels/histogram/parts/atomics.cl"},
    {"histogram", "sub_group_tagged", "Oclgrind has no sub-groups; what is meant there are races within one", NULL,
     NULL},
};

/* Operations in which groups of one launch wait for each other, with counters between fences. Oclgrind does not
 * recognize that order. So the test alternates: either there are no fences, or no more elements than one pass takes. */
static const char *const one_pass[] = {"bitonic_sort", "comparison_sort", "segmented_sort"};

static const exception *find_exception(const char *stem, const char *variant, bool is_meant)
{
    for (const exception *row = exceptions; row < exceptions + sizeof exceptions / sizeof *exceptions; row++)
        if (strcmp(row->stem, stem) == 0 && strcmp(row->variant, variant) == 0 && (row->kernel != NULL) == is_meant)
            return row;
    return NULL;
}

/* The text in the log, which a new context starts afresh; NULL: the log is empty. */
static const char *log_text(void)
{
    static char text[1 << 22];
    FILE *file = fopen(getenv("OCLGRIND_LOG"), "r");
    const size_t size = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
    text[size] = '\0';
    if (file == NULL)
        return errno != ENOENT ? "the log cannot be read" : NULL;
    fclose(file);
    return size > 0 ? text : NULL;
}

static size_t occurrences(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)) != NULL; text++)
        count++;
    return count;
}

/* Whether every finding is covered by this row: both accesses are in its kernel and file. */
static bool is_meant(const exception *row, const char *text)
{
    char kernel[128], file[128]; /* a line of the source that the log shows may have the file's name, too */
    const size_t findings = occurrences(text, "\tKernel: ");
    (void)snprintf(kernel, sizeof kernel, "\tKernel: %s\n", row->kernel);
    (void)snprintf(file, sizeof file, " of %s:\n", row->file);
    return occurrences(text, "Read-write data race at ") == findings && occurrences(text, kernel) == findings &&
           occurrences(text, "entity:") == 2 * findings && occurrences(text, file) == 2 * findings &&
           strstr(text, "Invalid") == NULL && strstr(text, "Error:") == NULL && strstr(text, "error detected") == NULL;
}

enum { ONE_PASS = 64, MAX_VARIANTS = 16 };

/* Rounds alternate between plain descriptions and those with text, if the operation takes some. Between these are
 * rounds that change the other members. Members' values depend on the round's position in this array. */
static const races_round rounds[] = {
    {.name = "plain", .count = 401},
    {.name = "in place", .count = 300, .skip = 1, .is_in_place = true, .without = "device_fence"},
    {.name = "text", .count = 260, .skip = 1, .pattern = 1},
    {.name = "descending", .count = 250, .skip = 3, .pattern = 3, .without = "int64_atomics"},
    {.name = "other types", .count = 350},
    {.name = "tuned", .count = 9002, .skip = 2, .is_full = true, .without = "device_fence"},
    {.name = "tuned, in place", .count = 9001, .skip = 1, .is_in_place = true, .is_full = true},
    {.name = "tuned, text", .count = 5000, .pattern = 1, .is_full = true, .without = "int64_atomics"},
    {.name = "tuned, few", .count = 1025, .pattern = 3, .is_full = true},
    {.name = "one", .count = 1, .is_full = true},
    {.name = "none", .count = 0, .is_full = true},
    {.name = "by expressions", .count = 200, .skip = 1, .by_expressions = true},
    {.name = "falling back", .count = 1300, .without = "forward_progress"},
    {.name = "falling back, text", .count = 1200, .pattern = 1, .without = "forward_progress,int64_atomics"},
};

static size_t calls, kernels;

static void count_kernel(void *user, const clprim_trace_record *record)
{
    (void)user, (void)record;
    kernels++;
}

/* Fail if anything was found that `excuse` does not allow. Sets *is_excused if it allowed something. */
static void look(const races_call *call, const exception *excuse, bool *is_excused)
{
    const char *found = log_text();
    const bool allowed = found != NULL && excuse != NULL && is_meant(excuse, found);
    *is_excused = *is_excused || allowed;
    cr_expect(found == NULL || allowed, "%s, %s:\n%.1600s", call->self.name, call->round->name, found);
}

/* False if the variant does not support the call. */
static bool run_one(races_call *call, const char *without, const exception *excuse, bool *is_excused)
{
    test_without(without);
    call->runtime = test_runtime(NULL);
    clprim_runtime_set_trace(call->runtime, count_kernel, NULL);
    const bool can = races_make(call);
    if (can)
        races_fill(call);
    look(call, excuse, is_excused);
    for (size_t i = 0; can && i < (call->number == 0 ? 2 : 1); i++) {
        test_call_reset(&call->self);
        ASSERT_OK(test_call_enqueue(&call->self, &call->self.call));
        ASSERT_CL(clFinish(clprim_runtime_queue(call->runtime)));
        look(call, excuse, is_excused);
        test_call_expect_right(&call->self, call->round->name);
    }
    test_call_destroy(&call->self);
    clprim__trial_clear(&call->trial);
    clprim_runtime_destroy(call->runtime);
    calls += can;
    return can;
}

/* Fail if an exception is missing or not needed, and print what an exception allows. */
static void judge_exception(const char *stem, const char *variant, const exception *row, bool is_needed,
                            const char *told)
{
    cr_expect_eq(is_needed, row != NULL, "%s, %s: %s", stem, variant,
                 row != NULL ? "its row in `exceptions` is not needed" : "no call reaches it");
    if (row != NULL)
        printf("%s, %s: %s: %s\n", stem, variant, told, row->reason);
}

/* is_given[i]: a call has changed the description's member i. *is_excused: an expected race was found. */
static void run_variant(bool *is_given, bool *is_excused, const clprim__trial_subject *subject,
                        const clprim_variant_info *variant)
{
    if (strcmp(variant->name, "native") == 0)
        return; /* it has no kernel */
    const exception *excuse = find_exception(subject->stem, variant->name, true);
    bool is_reached = subject->variants == NULL; /* its variants are those of another operation */
    for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++) {
        races_call call = {.subject = subject, .round = &rounds[i], .number = i, .variant = variant->id};
        const char *without = rounds[i].without;
        if (rounds[i].is_full && !test_is_full())
            continue;
        for (size_t k = 0; k < sizeof one_pass / sizeof *one_pass; k++)
            if (strcmp(one_pass[k], subject->stem) == 0 && i % 2 == 0)
                without = "device_fence";
            else if (strcmp(one_pass[k], subject->stem) == 0)
                call.most = ONE_PASS;
        is_reached = run_one(&call, without, excuse, is_excused) || is_reached;
        for (size_t m = 0; m < call.desc.num_members; m++)
            is_given[call.desc.members[m] - subject->operation->face->desc_members] = true;
    }
    judge_exception(subject->stem, variant->name, find_exception(subject->stem, variant->name, false), !is_reached,
                    "not run");
}

static void judge_meant(const clprim__trial_subject *subject, const char *variant, bool is_excused)
{
    judge_exception(subject->stem, variant, find_exception(subject->stem, variant, true), is_excused,
                    "found, and meant");
}

/* Mistakes of each kind, in kernels that are otherwise right. */
static const struct planted {
    const char *name;
    const char *message; /* the message that Oclgrind prints for it */
    const char *source;
} planted[] = {
    {"race in a work-group", "race",
     "kernel void k(global uint *p) { local uint t[32]; const uint i = get_local_id(0); t[i] = i; /* no barrier */\n"
     "    p[get_global_id(0)] = t[31 - i]; }"},
    {"race between work-groups", "race",
     "kernel void k(global uint *p) { p[get_local_id(0)] = (uint)get_group_id(0); }"},
    {"a flag that is not atomic", "race",
     "kernel void k(volatile global uint *p) { if (get_global_id(0) == 0) p[1] = 7;\n"
     "    if (get_global_id(0) == 63 && p[1] == 7) p[0] = 1; }"},
    {"write behind a buffer", "Invalid write",
     "kernel void k(global uint *p) { p[get_global_id(0) + 1] = (uint)get_global_id(0); }"},
    {"read before a buffer", "Invalid read",
     "kernel void k(global uint *p) { p[get_global_id(0)] = p[(long)get_global_id(0) - 1]; }"},
    {"write behind a local array", "Invalid write",
     "kernel void k(global uint *p) { local uint t[32]; const uint i = get_local_id(0); t[i + 1] = i;\n"
     "    barrier(CLK_LOCAL_MEM_FENCE); p[get_global_id(0)] = t[i]; }"},
    {"barrier for some", "divergence",
     "kernel void k(global uint *p) { if (get_local_id(0) < 16) barrier(CLK_LOCAL_MEM_FENCE);\n"
     "    p[get_global_id(0)] = 1; }"},
};

static void run_planted(const clprim_runtime *runtime, const char *source)
{
    const size_t items = 64;
    const size_t group = 32;
    cl_int code = CL_SUCCESS;
    cl_context context = clprim_runtime_context(runtime);
    cl_device_id device = clprim_runtime_info(runtime)->device;
    cl_mem memory = test_buffer(runtime, items * sizeof(cl_uint));
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    ASSERT_CL(code);
    ASSERT_CL(clBuildProgram(program, 1, &device, "", NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "k", &code);
    ASSERT_CL(code);
    ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), (const void *)&memory));
    /* fails if Oclgrind stops the kernel */
    (void)clEnqueueNDRangeKernel(clprim_runtime_queue(runtime), kernel, 1, NULL, &items, &group, 0, NULL, NULL);
    (void)clFinish(clprim_runtime_queue(runtime));
    (void)clReleaseKernel(kernel);
    (void)clReleaseProgram(program);
    (void)clReleaseMemObject(memory);
}

static void find_planted(void)
{
    const size_t count = sizeof planted / sizeof *planted;
    for (size_t i = 0; i < count; i++) {
        clprim_runtime *runtime = test_runtime(NULL);
        run_planted(runtime, planted[i].source);
        const char *text = log_text();
        cr_assert(text != NULL && strstr(text, planted[i].message) != NULL, "%s is not found: %s", planted[i].name,
                  text != NULL ? text : "");
        clprim_runtime_destroy(runtime);
    }
    printf("races: %zu of %zu planted mistakes found\n", count, count);
}

/* Run all variants. An operation that is built on another one has that one's variants: those that its plans have, and
 * AUTO for descriptions that allow no other. */
static void run_subject(const clprim__trial_subject *subject)
{
    bool is_given[RACES_MAX_MEMBERS] = {false};
    size_t count = 0;
    const clprim_variant_info *variants = subject->variants != NULL ? subject->variants(&count) : NULL;
    bool is_excused = false;
    for (size_t v = 0; v < count; v++, is_excused = false) {
        run_variant(is_given, &is_excused, subject, &variants[v]);
        judge_meant(subject, variants[v].name, is_excused);
    }
    for (int id = 0; variants == NULL && id < MAX_VARIANTS; id++)
        run_variant(is_given, &is_excused, subject, &(clprim_variant_info){.id = id, .name = "any"});
    if (variants == NULL)
        judge_meant(subject, "any", is_excused);
    const clprim_member *members = subject->operation->face->desc_members;
    for (size_t m = 0; members[m].name != NULL; m++)
        cr_expect(is_given[m] || !races_knows(&members[m]), "%s: no call changes %s", subject->stem, members[m].name);
    printf("%s: %zu calls, %zu launches\n", subject->stem, calls, kernels);
}

Test(races, are_not_found, .timeout = 1700)
{
    const char *stem = getenv("CLPRIM_TEST_STEM");
    size_t count = 0;
    const clprim__trial_subject *const *subjects = clprim__operation_subjects(&count);
    clprim_runtime *runtime = test_runtime(NULL);
    const bool is_watched = strcmp(clprim_runtime_info(runtime)->platform_name, "Oclgrind") == 0;
    clprim_runtime_destroy(runtime);
    if (!is_watched)
        puts("skipped: Oclgrind is not installed (./dev test installs it), or did not run this");
    else if (stem == NULL)
        find_planted();
    for (size_t i = 0; is_watched && stem != NULL && i < count; i++)
        if (strcmp(subjects[i]->stem, stem) == 0)
            run_subject(subjects[i]);
    cr_expect(!is_watched || stem == NULL || calls > 0, "%s is no operation", stem);
}
