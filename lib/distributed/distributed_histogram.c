// SPDX-License-Identifier: MIT
/* distributed_histogram.c: each rank counts its piece; then the counters are summed over all ranks. */
#include <stdlib.h>
#include <string.h>

#include "sizes.h"
#include "team.h"

typedef struct job {
    clprim__team team;
    const clprim__task *task;
    const clprim_histogram_desc *desc;
    const clprim_histogram_call *call;
    clprim_type type;   /* type of the counters */
    size_t num, size;   /* number of counters, and size of one in bytes */
    size_t num_outside; /* number of counters for elements outside all bins; 0: the caller does not want them */
    void *counters;     /* this rank's counters */
    uint64_t *sums;     /* sums over all ranks: integer counters, followed by those of elements outside all bins */
    void *all;          /* counters of all ranks, if they are floats */
} job;

static const char *unsupported(const clprim_histogram_desc *desc)
{
    return desc->input != NULL                          ? ".input"
           : desc->count_at_type != CLPRIM_TYPE_DEFAULT ? ".count_at_type"
           : desc->output != NULL                       ? ".output"
                                                        : NULL;
}

static bool is_float(const job *self)
{
    return self->type == CLPRIM_F32 || self->type == CLPRIM_F64;
}

static const clprim_member *member_named(const char *name)
{
    const clprim_member *member = clprim_histogram_operation.call_members;
    while (strcmp(member->name, name) != 0)
        member++;
    return member;
}

static clprim_status allocate(job *self)
{
    clprim_status status = CLPRIM_SUCCESS;
    const clprim_member *out = member_named("out");
    self->type = out->element(self->desc, 0).type;
    self->size = out->element(self->desc, 0).size;
    self->num = out->length(self->desc, self->call);
    self->num_outside =
        self->call->outside_out.host != NULL ? member_named("outside_out")->length(self->desc, self->call) : 0;
    CLPRIM__TRY(clprim__team_memory(&self->counters, self->num, self->size));
    CLPRIM__TRY(clprim__team_memory((void **)&self->sums, clprim__plus(self->num, 4), sizeof *self->sums));
    if (is_float(self))
        CLPRIM__TRY(clprim__team_memory(&self->all, clprim__times(self->num, self->team.comm->size), self->size));
done:
    return status;
}

/* Count this rank's piece. Integer counters become 64-bit numbers; modulo 2^32, their sums are those of 32-bit
 * counters. */
static clprim_status count_part(job *self)
{
    clprim_histogram_desc desc = *self->desc;
    clprim_histogram_call call = *self->call;
    desc.accumulate = false;
    call.out = (clprim_array){.host = self->counters};
    call.outside_out = (clprim_array){.host = self->num_outside > 0 ? self->sums + self->num : NULL};
    const clprim_status status = clprim_histogram_run(self->task->runtime, &desc, &call);
    for (size_t i = 0; status == CLPRIM_SUCCESS && i < self->num && !is_float(self); i++)
        self->sums[i] = self->size == sizeof(uint64_t) ? ((const uint64_t *)self->counters)[i]
                                                       : ((const uint32_t *)self->counters)[i];
    return status;
}

/* Sum float counters in the order of the ranks, so that all ranks get the same result. The sum is computed in double
 * precision and rounded once. */
static void add_floats(const job *self, void *out, bool accumulates)
{
    const bool is_narrow = self->type == CLPRIM_F32;
    for (size_t i = 0; i < self->num; i++) {
        double sum = !accumulates ? 0 : is_narrow ? (double)((float *)out)[i] : ((double *)out)[i];
        for (size_t r = 0; r < self->team.comm->size; r++) {
            const size_t at = r * self->num + i;
            sum += is_narrow ? (double)((const float *)self->all)[at] : ((const double *)self->all)[at];
        }
        if (is_narrow)
            ((float *)out)[i] = (float)sum;
        else
            ((double *)out)[i] = sum;
    }
}

static void add_integers(void *out, const uint64_t *sums, size_t num, size_t size, bool accumulates)
{
    for (size_t i = 0; i < num; i++)
        if (size == sizeof(uint64_t))
            ((uint64_t *)out)[i] = (accumulates ? ((uint64_t *)out)[i] : 0) + sums[i];
        else
            ((uint32_t *)out)[i] = (accumulates ? ((uint32_t *)out)[i] : 0) + (uint32_t)sums[i];
}

static clprim_status check_counters(const job *self)
{
    const clprim_histogram_desc *desc = self->desc;
    const unsigned channels = desc->channels != 0 ? desc->channels : 1;
    const unsigned long long total = self->team.total_count;
    return desc->weights_type != CLPRIM_TYPE_DEFAULT || self->size > 4 || total <= UINT32_MAX / channels
               ? CLPRIM_SUCCESS
               : clprim__fail(CLPRIM_INVALID_RANGE,
                              "clprim_distributed_histogram: U32 counters cannot count %llu elements of %u channels: "
                              "set counter_type to U64",
                              total, channels);
}

static clprim_status count_all(job *self)
{
    clprim_status status = CLPRIM_SUCCESS;
    void *out = NULL;
    CLPRIM__TRY(clprim__team_open(&self->team, self->task));
    status = allocate(self);
    if (status == CLPRIM_SUCCESS)
        status = check_counters(self);
    if (status == CLPRIM_SUCCESS)
        status = count_part(self);
    CLPRIM__TRY(clprim__team_agree(&self->team, status));
    const bool floats = is_float(self);
    if (floats)
        CLPRIM__TRY(clprim__team_gather(&self->team, self->counters, self->num * self->size, self->all));
    const size_t begin = floats ? self->num : 0;
    CLPRIM__TRY(clprim__team_sum(&self->team, self->sums + begin, self->num - begin + self->num_outside));
    out = clprim__host_of(&self->call->out, self->size);
    if (floats)
        add_floats(self, out, self->desc->accumulate);
    else
        add_integers(out, self->sums, self->num, self->size, self->desc->accumulate);
    if (self->num_outside > 0)
        add_integers(clprim__host_of(&self->call->outside_out, sizeof(uint64_t)), self->sums + self->num,
                     self->num_outside, sizeof(uint64_t), self->desc->accumulate);
done:
    free(self->counters);
    free(self->sums);
    free(self->all);
    clprim__team_close(&self->team);
    return status;
}

clprim_status clprim_distributed_histogram(const clprim_comm *comm, clprim_runtime *runtime,
                                           const clprim_histogram_desc *desc, const clprim_histogram_call *call)
{
    CLPRIM__BEGIN(histogram, call->count);
    const clprim__task task = CLPRIM__TASK(histogram, count, unsupported(desc));
    job self = {.task = &task, .desc = desc, .call = &own};
    return count_all(&self);
}
