// SPDX-License-Identifier: MIT
/* distributed_reduce.c: each rank reduces its piece. The first rank that has elements combines the results, and sends
 * the result to the others. */
#include <stdlib.h>
#include <string.h>

#include "partials.h"

static const char *unsupported(const clprim_reduce_desc *desc)
{
    return desc->input != NULL                          ? ".input"
           : desc->count_at_type != CLPRIM_TYPE_DEFAULT ? ".count_at_type"
           : desc->has_initial_at                       ? ".has_initial_at"
           : desc->reproducible                         ? ".reproducible"
                                                        : NULL;
}

static size_t element_size(const clprim_reduce_desc *desc)
{
    return clprim__element_size(&clprim_reduce_operation, desc, "out");
}

static clprim_reduce_desc without_ends(const clprim_reduce_desc *desc)
{
    clprim_reduce_desc result = *desc;
    result.initial = NULL;
    result.output = NULL;
    result.output_type = CLPRIM_TYPE_DEFAULT;
    result.output_type_name = NULL;
    result.output_type_size = 0;
    return result;
}

/* Compute this rank's result. An index is converted to one of the whole array. */
static clprim_status reduce_part(clprim__partials *self, const clprim__team *team, const clprim_reduce_call *call)
{
    const clprim_status status = clprim__partials_fold(self, &call->in, call->count);
    clprim_indexed *indexed = clprim__partial(self->mine);
    if (status == CLPRIM_SUCCESS && indexed != NULL && self->desc.custom == NULL &&
        (self->desc.op == CLPRIM_ARGMIN || self->desc.op == CLPRIM_ARGMAX))
        indexed->index += team->first_count;
    return status;
}

/* The first rank that has elements; 0 if there is none. Its arguments are as long as its piece, even if their lengths
 * are the default, so the operator can read them. */
static unsigned first_with_elements(const clprim__team *team)
{
    unsigned rank = 0;
    while (rank < team->comm->size && team->ranks[rank].count == 0)
        rank++;
    return rank < team->comm->size ? rank : 0;
}

clprim_status clprim_distributed_reduce(const clprim_comm *comm, clprim_runtime *runtime,
                                        const clprim_reduce_desc *desc, const clprim_reduce_call *call)
{
    CLPRIM__BEGIN(reduce, call->count);
    const clprim__task task = CLPRIM__TASK(reduce, count, unsupported(desc));
    clprim__team team = {0};
    clprim__partials self = {.runtime = runtime, .desc = without_ends(desc), .arguments = own.arguments};
    uint64_t *result = NULL;
    CLPRIM__TRY(clprim__team_open(&team, &task));
    const size_t size = element_size(desc);
    const size_t words = (size + sizeof *result - 1) / sizeof *result;
    status = clprim__partials_make(&self, comm->size, element_size(&self.desc));
    if (status == CLPRIM_SUCCESS)
        status = clprim__team_memory((void **)&result, words, sizeof *result);
    if (status == CLPRIM_SUCCESS)
        memset(result, 0, words * sizeof *result);
    if (status == CLPRIM_SUCCESS)
        status = reduce_part(&self, &team, &own);
    CLPRIM__TRY(clprim__team_agree(&team, status));
    CLPRIM__TRY(clprim__team_gather(&team, self.mine, self.stride, self.records));
    if (comm->rank == first_with_elements(&team))
        status = clprim__partials_combine(&self, result, desc, 0, comm->size);
    CLPRIM__TRY(clprim__team_agree(&team, status));
    CLPRIM__TRY(clprim__team_sum(&team, result, words));
    if (result != NULL) /* always true, as the ranks have agreed; clang's analyzer does not see that */
        memcpy(clprim__host_of(&own.out, size), result, size);
done:
    free(result);
    clprim__partials_free(&self);
    clprim__team_close(&team);
    return status;
}
