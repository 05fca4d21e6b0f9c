// SPDX-License-Identifier: MIT
/* plan_sort_indices.c: in a sort in pieces, convert indices within a run into indices within the whole array. */
#include "error.h"
#include "kernels_common.h"
#include "plan_sort_phase.h"
#include "program.h"
#include "runtime_internal.h"

enum { GROUP = 256 };

static clprim_status make(clprim__sort *self, bool is_wide)
{
    const clprim__program_request request = {.source = &clprim__source_common_shift_indices,
                                             .options = is_wide ? "-DINDEX=ulong" : "-DINDEX=uint"};
    const char *name = "shift_indices";
    size_t group_size = clprim__smaller(GROUP, self->runtime->info.max_work_group_size);
    cl_kernel made = NULL;
    const clprim_status status =
        clprim__kernels_create(&made, &group_size, self->runtime->programs, &request, &name, 1);
    if (status == CLPRIM_SUCCESS)
        self->shift = (clprim__kernel){.kernel = made,
                                       .name = name,
                                       .program = clprim__source_common_shift_indices.path,
                                       .group_size = group_size};
    return status;
}

clprim_status clprim__sort_shift(clprim__sort *self, cl_mem indices, bool is_wide, uint64_t begin, size_t count,
                                 cl_event *done)
{
    CLPRIM__ARGUMENTS(arguments);
    clprim__chain chain = {0};
    const cl_event sorted = *done;
    cl_event shifted = NULL;
    clprim_status status = CLPRIM_SUCCESS;
    if (self->shift.kernel == NULL)
        CLPRIM__TRY(make(self, is_wide));
    clprim__add_buffer(&arguments, indices);
    clprim__add_ulong(&arguments, begin);
    clprim__add_ulong(&arguments, count);
    CLPRIM__TRY(clprim__chain_begin(&chain, self->runtime, &self->shift_queue, NULL, 1, &sorted, true));
    status = clprim__launch(&chain, &self->shift, &arguments, clprim__divide_up(count, self->shift.group_size), true);
    clprim__chain_end(&chain, status, &shifted);
    if (status == CLPRIM_SUCCESS) {
        (void)clReleaseEvent(sorted);
        *done = shifted;
    }
done:
    return status;
}
