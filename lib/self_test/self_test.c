// SPDX-License-Identifier: MIT
/* self_test.c: run the trial of every variant of every primitive. */
#include <clprim/self_test.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "operations.h"
#include "plan_internal.h"
#include "risk.h"
#include "runtime_internal.h"

enum { MEASURED = 1 << 20 /* elements */ };

/* A self-test in progress. */
typedef struct session {
    clprim_runtime *runtime;
    const clprim_self_test_desc *desc;
    size_t num_primitives, num_plans; /* number of those that were asked for */
    size_t wrong;
} session;

/* Test one plan. */
static clprim_status test_plan(session *self, clprim_self_test_outcome *outcome, const clprim__trial_subject *subject,
                               const clprim_variant_info *variant, const void *desc, const char *name)
{
    char why[CLPRIM__WHY_SIZE] = "";
    clprim_status status = clprim__trial_now(why, self->runtime, subject, desc, variant != NULL ? variant->id : 0);
    clprim_self_test_record record = {
        .primitive = subject->stem, .variant = variant != NULL ? variant->name : "", .plan = name, .why = why};
    if (why[0] != '\0') { /* also if it did not compile, or ended an earlier process */
        record.outcome = CLPRIM_SELF_TEST_WRONG;
        self->wrong++;
    } else if (status == CLPRIM_UNSUPPORTED || status == CLPRIM_INVALID_ARGUMENT) {
        record.outcome = CLPRIM_SELF_TEST_UNSUPPORTED;
        record.why = clprim_last_error();
    } else if (status != CLPRIM_SUCCESS) {
        return status;
    }
    *outcome = record.outcome;
    self->num_plans++;
    if (self->desc->report != NULL)
        self->desc->report(self->desc->user, &record);
    return CLPRIM_SUCCESS;
}

/* Test the sample once more, with elements from an expression, or with a count on the device. */
static clprim_status test_given(session *self, const clprim__trial_subject *subject, const clprim_variant_info *variant,
                                size_t sample)
{
    clprim__any_desc desc;
    char name[128];
    clprim_self_test_outcome outcome = CLPRIM_SELF_TEST_UNSUPPORTED;
    memcpy(desc.bytes, (const char *)subject->samples + sample * subject->desc_size, subject->desc_size);
    const char *given = subject->give(desc.bytes, subject);
    (void)snprintf(name, sizeof name, "%s%s", subject->sample_names[sample], given != NULL ? given : "");
    return given != NULL ? test_plan(self, &outcome, subject, variant, desc.bytes, name) : CLPRIM_SUCCESS;
}

/* Test all samples of a variant. The first one that it supports is also tested with elements from an expression, or
 * with a count on the device. */
static clprim_status test_variant(session *self, const clprim__trial_subject *subject,
                                  const clprim_variant_info *variant)
{
    clprim_self_test_outcome outcome = CLPRIM_SELF_TEST_UNSUPPORTED;
    bool is_first = true;
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < CLPRIM__TRIAL_MAX_SAMPLES && subject->sample_names[i] != NULL; i++) {
        CLPRIM__TRY(test_plan(self, &outcome, subject, variant, (const char *)subject->samples + i * subject->desc_size,
                              subject->sample_names[i]));
        if (self->desc->quick && outcome != CLPRIM_SELF_TEST_UNSUPPORTED)
            break;
        if (is_first && outcome != CLPRIM_SELF_TEST_UNSUPPORTED)
            CLPRIM__TRY(test_given(self, subject, variant, i));
        is_first = is_first && outcome == CLPRIM_SELF_TEST_UNSUPPORTED;
    }
done:
    return status;
}

/* Measure the plan that AUTO chooses for a description. */
static clprim_status measure_plan(session *self, const clprim__trial_subject *subject, clprim_plan *plan,
                                  const void *desc, const char *name)
{
    cl_int code = CL_SUCCESS;
    size_t count = self->desc->measured_count > 0 ? self->desc->measured_count : (size_t)MEASURED;
    clprim__trial trial = {.runtime = self->runtime, .subject = subject};
    clprim_status status = CLPRIM_SUCCESS;
    trial.queue = clCreateCommandQueue(self->runtime->context, self->runtime->info.device, 0, &code);
    CLPRIM__TRY(clprim__cl(code, "clCreateCommandQueue for a measurement"));
    const clprim_variant_info *variant = clprim_plan_variant(plan);
    const double seconds = clprim__plan_trial_time(&count, &trial, plan, desc, count);
    CLPRIM__TRY(trial.status);
    if (seconds > 0)
        self->desc->measured(self->desc->user,
                             &(clprim_self_test_speed){.primitive = subject->stem,
                                                       .variant = variant != NULL ? variant->name : "",
                                                       .plan = name,
                                                       .count = count,
                                                       .seconds = seconds});
done:
    if (trial.queue != NULL) {
        (void)clFinish(trial.queue);
        (void)clReleaseCommandQueue(trial.queue);
    }
    clprim__trial_clear(&trial);
    return status;
}

static clprim_status measure_primitive(session *self, const clprim__trial_subject *subject)
{
    for (size_t i = 0; i < CLPRIM__TRIAL_MAX_SAMPLES && subject->sample_names[i] != NULL; i++) {
        const void *desc = (const char *)subject->samples + i * subject->desc_size;
        void *plan = NULL;
        clprim_status status = clprim__trial_create(&plan, self->runtime, subject, desc);
        if (status == CLPRIM_UNSUPPORTED || status == CLPRIM_INVALID_ARGUMENT || status == CLPRIM_BUILD_FAILED)
            continue; /* .report was already called with the reason */
        if (status == CLPRIM_SUCCESS)
            status = measure_plan(self, subject, plan, desc, subject->sample_names[i]);
        subject->destroy(plan);
        return status;
    }
    return CLPRIM_SUCCESS;
}

static bool is_wanted(const char *wanted, const char *name)
{
    return wanted == NULL || strcmp(wanted, name) == 0;
}

static clprim_status test_primitive(session *self, const clprim__trial_subject *subject)
{
    size_t count = 0;
    clprim_status status = CLPRIM_SUCCESS;
    self->num_primitives++;
    if (subject->variants == NULL)
        return self->desc->variant == NULL ? test_variant(self, subject, NULL) : CLPRIM_SUCCESS;
    const clprim_variant_info *variants = subject->variants(&count);
    for (size_t i = 0; i < count && status == CLPRIM_SUCCESS; i++)
        if (is_wanted(self->desc->variant, variants[i].name))
            status = test_variant(self, subject, &variants[i]);
    return status;
}

clprim_status clprim_runtime_self_test(size_t *wrong, clprim_runtime *runtime, const clprim_self_test_desc *desc)
{
    static const clprim_self_test_desc defaults = {0};
    if (wrong == NULL || runtime == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_runtime_self_test: %s is NULL",
                            wrong == NULL ? "wrong" : "runtime");
    char *before = clprim__last_error_copy();
    session self = {.runtime = runtime, .desc = desc != NULL ? desc : &defaults};
    clprim_status status = CLPRIM_SUCCESS;
    size_t count = 0;
    if (self.desc->again)
        clprim__risk_forget(clprim__verdicts_disk(runtime->verdicts));
    const clprim__trial_subject *const *subjects = clprim__operation_subjects(&count);
    for (size_t i = 0; i < count; i++) {
        if (!is_wanted(self.desc->primitive, subjects[i]->stem))
            continue;
        CLPRIM__TRY(test_primitive(&self, subjects[i]));
        if (self.desc->measured != NULL && self.desc->variant == NULL)
            CLPRIM__TRY(measure_primitive(&self, subjects[i]));
    }
    if (self.num_plans == 0) {
        status = self.num_primitives == 0
                     ? clprim__fail(CLPRIM_INVALID_ARGUMENT, "there is no primitive %s", self.desc->primitive)
                     : clprim__fail(CLPRIM_INVALID_ARGUMENT, "there is no variant %s", self.desc->variant);
        goto done;
    }
    *wrong = self.wrong;
    clprim__last_error_put_back(before);
    before = NULL;
done:
    free(before);
    return status;
}
