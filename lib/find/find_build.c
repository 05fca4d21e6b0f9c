// SPDX-License-Identifier: MIT
/* find_build.c: compile kernels for a condition, fitted to the device. */
#include "error.h"
#include "expression.h"
#include "find_internal.h"
#include "runtime_internal.h"

static size_t fit_group(const clprim__find_plan *self, size_t wanted)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const size_t room = info->local_memory_size / 2 / sizeof(cl_ulong); /* half: some drivers use some themselves */
    size_t size = self->row->for_cpus ? 1 : wanted;
    while (size > 1 && (size > info->max_work_group_size || size > room))
        size /= 2;
    return size;
}

clprim_status clprim__find_build(clprim__find_plan *self, const clprim__find_condition *condition)
{
    const clprim__find_tuning tuning =
        clprim__find_tuning_of((clprim_find_variant)self->row->info.id, self->base.runtime,
                               (clprim__tuned_for){.size = condition->element_size, .max_count = SIZE_MAX});
    const size_t wanted = self->base.work_group_size;
    const size_t size = condition->element_size;
    const size_t pack = size < CLPRIM__PACKET_BYTES ? CLPRIM__PACKET_BYTES / size : 1;
    const size_t items = self->row->for_cpus    ? tuning.items * pack
                         : condition->has_input ? clprim__items_alone(tuning.items, pack)
                                                : tuning.items;
    const size_t words = CLPRIM__COLLECT_HEADER + tuning.groups_per_unit * self->base.runtime->info.compute_units *
                                                      sizeof(cl_ulong) / sizeof(cl_uint);
    size_t group_size = fit_group(self, wanted != 0 ? wanted : tuning.group_size);
    clprim__text options = {0};
    const clprim__build what = {.source = self->row->source,
                                .names = self->row->kernels,
                                .count = CLPRIM__FIND_KERNELS,
                                .prelude = condition->prelude,
                                .options = &options,
                                .counts = self->base.counts};
    clprim_status status = CLPRIM_SUCCESS;
    clprim__text_format(&options,
                        "-DITEMS=%zu -DPACKET_BYTES=%d -DRESULT=%s" CLPRIM__FIND_SHARED(CLPRIM__SHARED_OPTION), items,
                        CLPRIM__PACKET_BYTES, self->base.index_size == sizeof(cl_ulong) ? "ulong" : "uint");
    CLPRIM__TRY(clprim__build_kernels(self->kernels, &group_size, self->base.runtime, &what));
    self->group_elements = group_size * tuning.items * pack;
    self->max_groups = tuning.groups_per_unit * self->base.runtime->info.compute_units;
    CLPRIM__TRY(
        clprim__state_create(&self->base.state, self->base.runtime, words * sizeof(cl_ulong), CLPRIM__FIND_LAST_EPOCH));
done:
    clprim__text_free(&options);
    return status;
}
