// SPDX-License-Identifier: MIT
/* trial.c: test a plan, keep the verdict, and create another plan if it gives wrong results. */
#include "trial.h"

#include <clprim/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "making.h"
#include "risk.h"
#include "runtime_internal.h"
#include "text.h"

/* Sizes around those of work-groups and their tiles, for all variants, and large enough for many tiles. */
static const size_t counts[] = {0,    1,    2,    3,    31,   33,    64,    255,   257,
                                1000, 1024, 2049, 4095, 4097, 16383, 16385, 40001, 40001};

enum { NAME_SIZE = 128 /* for the name of a variant and its operation in sentences */ };

/* Create a plan with this variant instead of the description's own. *inner receives what it consists of, and the caller
 * frees it; NULL: that is known already. */
static clprim_status make(void **out, clprim__making *inner, clprim_runtime *runtime,
                          const clprim__trial_subject *subject, const void *desc, int variant)
{
    clprim__any_desc copy;
    memcpy(copy.bytes, desc, subject->desc_size);
    memcpy(copy.bytes + subject->variant_at, &variant, sizeof variant);
    clprim__making *outer = clprim__making_begin(inner);
    const clprim_status status = subject->make(out, runtime, subject, copy.bytes);
    clprim__making_end(inner, outer);
    return status;
}

void clprim__trial_clear(clprim__trial *trial)
{
    while (trial->num_buffers > 0)
        (void)clReleaseMemObject(trial->buffers[--trial->num_buffers]);
    while (trial->num_memory > 0)
        free(trial->memory[--trial->num_memory]);
}

/* Run one plan with all sizes, because variants leave their memory in a state for the next call. */
static clprim_status run_all(char why[CLPRIM__WHY_SIZE], const clprim_runtime *runtime,
                             const clprim__trial_subject *subject, void *plan, const void *desc)
{
    cl_int code = CL_SUCCESS;
    const cl_command_queue_properties properties = runtime->timeline != NULL ? CL_QUEUE_PROFILING_ENABLE : 0;
    cl_command_queue queue = clCreateCommandQueue(runtime->context, runtime->info.device, properties, &code);
    clprim_status status = clprim__cl(code, "clCreateCommandQueue for a trial");
    why[0] = '\0';
    for (unsigned i = 0; i < sizeof counts / sizeof *counts && status == CLPRIM_SUCCESS && why[0] == '\0'; i++) {
        clprim__trial trial = {.runtime = runtime, .subject = subject, .queue = queue, .pattern = i, .random = i};
        subject->run(&trial, plan, desc, counts[i]);
        status = trial.status;
        if (trial.why[0] != '\0')
            (void)snprintf(why, CLPRIM__WHY_SIZE, "of %zu elements %.400s", counts[i], trial.why);
        clprim__trial_clear(&trial);
    }
    if (queue != NULL) {
        (void)clFinish(queue);
        (void)clReleaseCommandQueue(queue);
    }
    return status;
}

static clprim_status write_key(clprim__text *key, const clprim__trial_subject *subject, const clprim__making *made)
{
    clprim__text_format(key, "self-test of clPRIM %d.%d.%d\n%s %s\n", CLPRIM_VERSION_MAJOR, CLPRIM_VERSION_MINOR,
                        CLPRIM_VERSION_PATCH, subject->stem, made->chosen != NULL ? made->chosen->name : "");
    if (made->programs.size > 0)
        clprim__text_append(key, made->programs.data, made->programs.size);
    key->failed = key->failed || made->programs.failed;
    return clprim__text_status(key);
}

static void name_plan(char name[NAME_SIZE], const clprim__trial_subject *subject, const clprim__making *made)
{
    (void)snprintf(name, NAME_SIZE, "%s of %s", made->chosen != NULL ? made->chosen->name : "the plan", subject->stem);
}

/* Keep why a plan could not be created, if the driver is to blame. It is kept as long as the runtime exists. */
static void keep_failure(char why[CLPRIM__WHY_SIZE], const clprim_runtime *runtime,
                         const clprim__trial_subject *subject, const clprim__making *made)
{
    char name[NAME_SIZE];
    clprim__text key = {0};
    name_plan(name, subject, made);
    (void)snprintf(why, CLPRIM__WHY_SIZE, "%s", clprim_last_error());
    if (write_key(&key, subject, made) == CLPRIM_SUCCESS)
        (void)clprim__verdicts_keep(runtime->verdicts, &key, name, why, false);
    clprim__text_free(&key);
}

/* Run the trial under a note (risk.h): some drivers compile when a kernel is first enqueued, and some kernels hang. If
 * the trial ended an earlier process, it is not run, and *is_left is set; then the note is the only evidence. */
static clprim_status run_noted(char why[CLPRIM__WHY_SIZE], bool *is_left, const clprim_runtime *runtime,
                               const clprim__trial_subject *subject, void *plan, const void *desc,
                               const clprim__text *verdict_key, bool again)
{
    clprim__risk note = {.is_taken = false};
    clprim__text key = {0};
    clprim_status status = CLPRIM_SUCCESS;
    *is_left = false;
    if (!clprim__verdicts_take_notes(runtime->verdicts))
        return run_all(why, runtime, subject, plan, desc);
    clprim__risk_turn_begin();
    clprim__text_format(&key, CLPRIM__RISK "being tried\n%s", verdict_key->data);
    CLPRIM__TRY(clprim__text_status(&key));
    *is_left = !clprim__risk_begin(&note, clprim__verdicts_disk(runtime->verdicts), key.data, key.size, again);
    if (*is_left)
        (void)snprintf(why, CLPRIM__WHY_SIZE,
                       "an earlier process ended while it tried this variant on small arrays; clprim self-test --again "
                       "forgets that");
    else
        status = run_all(why, runtime, subject, plan, desc);
done:
    clprim__risk_end(&note);
    clprim__risk_turn_end();
    clprim__text_free(&key);
    return status;
}

/* Create a plan, and find or make a verdict on it. *out is the plan if it works; otherwise why says what is wrong.
 * anew: run the trial even if there is a verdict. *chosen is the plan's variant, also after a failure. */
static clprim_status judge(void **out, const clprim_variant_info **chosen, char why[CLPRIM__WHY_SIZE],
                           clprim_runtime *runtime, const clprim__trial_subject *subject, const void *desc, int variant,
                           bool anew)
{
    char name[NAME_SIZE];
    void *plan = NULL;
    clprim__making made = {0};
    clprim__text key = {0};
    why[0] = '\0';
    clprim_status status = make(&plan, &made, runtime, subject, desc, variant);
    *chosen = made.chosen;
    name_plan(name, subject, &made);
    if (status == CLPRIM_BUILD_FAILED || (status == CLPRIM_UNSUPPORTED && made.is_left))
        keep_failure(why, runtime, subject, &made);
    CLPRIM__TRY(status);
    CLPRIM__TRY(write_key(&key, subject, &made));
    const bool is_known = clprim__verdicts_find(why, runtime->verdicts, &key);
    if (anew || !is_known) {
        bool is_left = false;
        /* If the variant worked before, a self-test that ended the process was probably just interrupted. */
        const bool was_right = is_known && why[0] == '\0';
        CLPRIM__TRY(run_noted(why, &is_left, runtime, subject, plan, desc, &key, was_right));
        CLPRIM__TRY(clprim__verdicts_keep(runtime->verdicts, &key, name, why, !is_left));
        (void)clprim__verdicts_find(why, runtime->verdicts, &key); /* fetch the sentence, which now contains the name */
        subject->destroy(plan);                                    /* it has been used with the trial's queue */
        plan = NULL;
        if (why[0] == '\0')
            CLPRIM__TRY(make(&plan, NULL, runtime, subject, desc, variant));
    }
    if (why[0] == '\0') {
        *out = plan;
        plan = NULL;
    }
done:
    if (plan != NULL)
        subject->destroy(plan);
    clprim__text_free(&key);
    clprim__text_free(&made.programs);
    return status;
}

/* Judge a variant by the first sample that it accepts. The verdict then stands for the caller's text, too. */
static clprim_status judge_by_sample(char why[CLPRIM__WHY_SIZE], clprim_runtime *runtime,
                                     const clprim__trial_subject *subject, const clprim_variant_info *variant)
{
    for (size_t i = 0; i < CLPRIM__TRIAL_MAX_SAMPLES && subject->sample_names[i] != NULL; i++) {
        const clprim_variant_info *chosen = NULL;
        void *plan = NULL;
        const clprim_status status =
            judge(&plan, &chosen, why, runtime, subject, (const char *)subject->samples + i * subject->desc_size,
                  variant != NULL ? variant->id : 0, false);
        if (plan != NULL)
            subject->destroy(plan);
        if (status != CLPRIM_UNSUPPORTED && status != CLPRIM_INVALID_ARGUMENT)
            return status;
    }
    return CLPRIM_SUCCESS;
}

/* Create and test a plan with one variant, or with AUTO's first choice. */
static clprim_status attempt(void **out, clprim_runtime *runtime, const clprim__trial_subject *subject,
                             const void *desc, int variant)
{
    char why[CLPRIM__WHY_SIZE] = "";
    const clprim_variant_info *chosen = NULL;
    void *plan = NULL;
    clprim_status status = CLPRIM_SUCCESS;
    if (subject->has_reference(subject, desc)) {
        CLPRIM__TRY(judge(&plan, &chosen, why, runtime, subject, desc, variant, false));
    } else {
        clprim__making made = {0};
        status = make(&plan, &made, runtime, subject, desc, variant);
        chosen = made.chosen;
        if (status == CLPRIM_UNSUPPORTED && made.is_left)
            keep_failure(why, runtime, subject, &made);
        clprim__text_free(&made.programs);
        CLPRIM__TRY(status);
        CLPRIM__TRY(judge_by_sample(why, runtime, subject, chosen));
    }
    if (why[0] != '\0') {
        status = clprim__fail(CLPRIM_UNSUPPORTED, "disabled on %s: %s", runtime->info.name, why);
        goto done;
    }
    *out = plan;
    plan = NULL;
done:
    if (plan != NULL)
        subject->destroy(plan);
    return status;
}

/* Create a plan with AUTO's first choice. If that variant fails its trial, take the next variant that passes. */
static clprim_status attempt_in_turn(void **out, clprim_runtime *runtime, const clprim__trial_subject *subject,
                                     const void *desc)
{
    const clprim_status status = attempt(out, runtime, subject, desc, 0);
    if (status != CLPRIM_UNSUPPORTED && (status != CLPRIM_BUILD_FAILED || !subject->has_reference(subject, desc)))
        return status;
    char *first = clprim__last_error_copy();
    for (const int *next = subject->order; *next != 0; next++) {
        const clprim_status other = attempt(out, runtime, subject, desc, *next);
        if (other != CLPRIM_UNSUPPORTED && other != CLPRIM_INVALID_ARGUMENT && other != CLPRIM_BUILD_FAILED) {
            free(first);
            return other;
        }
    }
    clprim__last_error_put_back(first);
    return status;
}

clprim_status clprim__trial_create(void **out, clprim_runtime *runtime, const clprim__trial_subject *subject,
                                   const void *desc)
{
    int variant = 0;
    if (out == NULL || runtime == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_%s_create: %s is NULL", subject->stem,
                            out == NULL ? "out" : "runtime");
    if (!clprim__verdicts_are_wanted(runtime->verdicts))
        return subject->make(out, runtime, subject, desc);
    char *before = clprim__last_error_copy();
    memcpy(&variant, (const char *)desc + subject->variant_at, sizeof variant);
    const clprim_status status =
        variant != 0 ? attempt(out, runtime, subject, desc, variant) : attempt_in_turn(out, runtime, subject, desc);
    if (status == CLPRIM_SUCCESS)
        clprim__last_error_put_back(before);
    else
        free(before);
    return status;
}

clprim_status clprim__trial_now(char why[CLPRIM__WHY_SIZE], clprim_runtime *runtime,
                                const clprim__trial_subject *subject, const void *desc, int variant)
{
    const clprim_variant_info *chosen = NULL;
    void *plan = NULL;
    const clprim_status status = judge(&plan, &chosen, why, runtime, subject, desc, variant, true);
    if (plan != NULL)
        subject->destroy(plan);
    return status;
}
