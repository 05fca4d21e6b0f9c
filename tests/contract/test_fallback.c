// SPDX-License-Identifier: MIT
/* test_fallback.c: on a device without forward progress, groups that look back compute the tiles that are missing
 * (clprim/device/look_back.h). This tests all samples of all operations that look back, with tagged words of every
 * kind, also in place. The build runs it in several orders of work-groups (double/README.md).
 *
 * looks 0 forces it: then no group looks before it has computed the tile before its own, and tiles have the numbers of
 * groups. In reverse order, no group ever finds what it looks for.
 *
 * On a device that guarantees neither the order of groups nor that of memory, the group that ends last processes what
 * all groups wrote (kernels/common/last_group.cl), whichever group that is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract.h"
#include "files.h"

static const struct {
    const char *stem, *variant;
} looking[] = {{"scan", "look_back"},
               {"select", "look_back"},
               {"unique", "look_back"},
               {"partition", "look_back"},
               {"run_length_encode", "look_back"},
               {"reduce_by_key", "look_back"},
               {"set_operation", "look_back"},
               {"radix_sort", "onesweep"},
               {"scan", "fixed_reduce_then_scan"}};

typedef struct way {
    const char *without; /* in addition to forward progress: features that determine the width of tagged words */
    const char *looks;
} way;

static const way ways[] = {{"", "0"},
                           {"int64_atomics", "0"},
                           {"", "1"},
                           {"int64_atomics,sub_groups", "32"},
                           {"int64_atomics,device_fence", "0"}};
enum { WAYS = sizeof ways / sizeof *ways };

static clprim_runtime *runtime_of(const way *of, const char *directory)
{
    char text[512];
    (void)snprintf(text, sizeof text,
                   "scan look_back looks=%s\nscan fixed_reduce_then_scan looks=%s\nselect look_back looks=%s\n"
                   "set_operation look_back looks=%s\nradix_sort onesweep looks=%s\n",
                   of->looks, of->looks, of->looks, of->looks, of->looks);
    test_write_file(test_path(directory, "tuning.txt"), text, strlen(text));
    test_setenv("CLPRIM_TUNING", test_path(directory, "tuning.txt"));
    (void)snprintf(text, sizeof text, "forward_progress,group_order%s%s", of->without[0] != '\0' ? "," : "",
                   of->without);
    test_without(text);
    return test_runtime(NULL);
}

static const clprim_variant_info *variant_of(const clprim__trial_subject *subject, const char *name)
{
    size_t count = 0;
    const clprim_variant_info *variants = test_variants(subject->operation->face, &count);
    for (size_t v = 0; v < count; v++)
        if (strcmp(variants[v].name, name) == 0)
            return &variants[v];
    cr_assert_fail("%s has no %s", subject->stem, name);
    return NULL;
}

static const clprim__trial_subject *subject_of(const char *stem)
{
    size_t count = 0;
    const clprim__trial_subject *const *subjects = clprim__operation_subjects(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(subjects[i]->stem, stem) == 0)
            return subjects[i];
    cr_assert_fail("there is no %s", stem);
    return NULL;
}

/* Make each call twice, so that the second call finds the words of the first; and so often that epochs begin anew. */
static bool check_sample(clprim_runtime *runtime, const clprim__trial_subject *subject, int variant, size_t sample)
{
    static const size_t counts[] = {9000, 513, 1, 0, 30011};
    test_call self;
    if (!contract_create(&self, runtime, subject, sample, variant, counts[0], 1))
        return false;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        self.replaced = i % 2 == 0 ? UINT64_MAX : 0;
        contract_fill(&self, counts[i], i);
        test_call_check(&self, "%zu", counts[i]);
        test_call_reset(&self);
        test_call_check(&self, "%zu again", counts[i]);
    }
    test_call_destroy(&self);
    return true;
}

TEST_EACH(fallback, results, WAYS *(sizeof looking / sizeof *looking), .timeout = 900)
{
    char directory[TEST_PATH_SIZE], row[TEST_NAME_SIZE];
    const way *of = &ways[*number % WAYS];
    const char *order = getenv("CLPRIM_DOUBLE_ORDER");
    const clprim__trial_subject *subject = subject_of(looking[*number / WAYS].stem);
    const clprim_variant_info *variant = variant_of(subject, looking[*number / WAYS].variant);
    size_t taken = 0;
    (void)snprintf(row, sizeof row, "%s %zu", order != NULL ? order : "any order", *number);
    if (!test_is_sampled_test("fallback", row)) /* other rows in each order */
        return;
    test_directory_create(directory);
    clprim_runtime *runtime = runtime_of(of, directory);
    cr_log_info("without %s, %s looks", getenv("CLPRIM_WITHOUT"), of->looks);
    for (size_t s = 0; s < test_num_samples(subject); s++) {
        char name[TEST_NAME_SIZE];
        (void)snprintf(name, sizeof name, "fallback of %s, %zu, %zu", subject->stem, *number, s);
        if (taken == 0 || test_is_sampled(name))
            taken += check_sample(runtime, subject, variant->id, s);
    }
    cr_assert(taken > 0 || !contract_has(clprim_runtime_info(runtime), variant->needs), "%s refuses all samples: %s",
              subject->stem, clprim_last_error());
    clprim_runtime_destroy(runtime);
    test_directory_remove(directory);
}

static const struct {
    const char *stem, *variant;
} folding[] = {{"reduce", "single_pass"},
               {"reduce", "cpu_chunk"},
               {"find", "single_pass"},
               {"is_sorted", "single_pass"},
               {"histogram", "replicated"},
               {"top_k", "radix_select"},
               {"nth_element", "radix_select"},
               {"segmented_reduce", "one_launch"},
               {"segmented_reduce", "last_group"},
               {"segmented_reduce", "cpu_chunk"}};
static const char *const lacking[] = {"group_order", "group_order,forward_progress,device_fence",
                                      "group_order,forward_progress,device_fence,int64_atomics,sub_groups"};
enum { LACKING = sizeof lacking / sizeof *lacking };

TEST_EACH(fallback, last_group, LACKING *(sizeof folding / sizeof *folding), .timeout = 900)
{
    const clprim__trial_subject *subject = subject_of(folding[*number / LACKING].stem);
    const clprim_variant_info *variant = variant_of(subject, folding[*number / LACKING].variant);
    const char *order = getenv("CLPRIM_DOUBLE_ORDER");
    char row[TEST_NAME_SIZE];
    size_t taken = 0;
    (void)snprintf(row, sizeof row, "last group, %s %zu", order != NULL ? order : "any order", *number);
    if (!test_is_sampled_test("fallback", row))
        return;
    test_without(lacking[*number % LACKING]);
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t s = 0; s < test_num_samples(subject); s++) {
        char name[TEST_NAME_SIZE];
        (void)snprintf(name, sizeof name, "last group of %s, %zu, %zu", subject->stem, *number, s);
        if (taken == 0 || test_is_sampled(name))
            taken += check_sample(runtime, subject, variant->id, s);
    }
    cr_assert(taken > 0 || !contract_has(clprim_runtime_info(runtime), variant->needs), "%s refuses all samples: %s",
              subject->stem, clprim_last_error());
    clprim_runtime_destroy(runtime);
}
