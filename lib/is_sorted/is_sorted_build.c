/* is_sorted_build.c: from a description to kernels that fit the device. */
#include "build.h"
#include "error.h"
#include "expression.h"
#include "is_sorted_internal.h"
#include "runtime_internal.h"

static size_t fit_group(const clprim__is_sorted_plan *self, size_t wanted)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const size_t room = info->local_memory_size / 2 / sizeof(cl_ulong); /* half: some drivers need some themselves */
    size_t size = self->row->for_cpus ? 1 : wanted;
    while (size > 1 && (size > info->max_work_group_size || size > room))
        size /= 2;
    return size;
}

clprim_status clprim__is_sorted_build(clprim__is_sorted_plan *self, const clprim__order *order)
{
    const clprim__is_sorted_tuning tuning =
        clprim__is_sorted_tuning_of((clprim_is_sorted_variant)self->row->info.id, self->base.runtime,
                                    (clprim__tuned_for){.size = self->element_size, .max_count = SIZE_MAX});
    const size_t wanted = self->base.work_group_size;
    const size_t pack = self->element_size < CLPRIM__PACKET_BYTES ? CLPRIM__PACKET_BYTES / self->element_size : 1;
    const size_t loads = order->input == NULL ? tuning.items : clprim__items_alone(tuning.items, pack);
    size_t group_size = fit_group(self, wanted != 0 ? wanted : tuning.group_size);
    clprim__prelude prelude = {.has_fp64 = false};
    clprim__text options = {0};
    const clprim__build what = {.sources = self->row->sources,
                                .names = self->row->kernels,
                                .count = CLPRIM__IS_SORTED_KERNELS,
                                .prelude = &prelude,
                                .options = &options,
                                .counts = self->base.counts};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__order_write(&prelude, order, SIZE_MAX, &self->base.runtime->info));
    clprim__text_format(&options, "-DITEMS=%zu -DPACKET_BYTES=%d -DRESULT=%s", loads, CLPRIM__PACKET_BYTES,
                        self->base.index_size == sizeof(cl_ulong) ? "ulong" : "uint");
    CLPRIM__TRY(clprim__build_kernels(self->kernels, &group_size, self->base.runtime, &what));
    self->group_elements = group_size * tuning.items * pack;
    self->max_groups = tuning.groups_per_unit * self->base.runtime->info.compute_units;
    if (self->row->kernels[CLPRIM__IS_SORTED_FINISH] == NULL) {
        const size_t words = CLPRIM__COLLECT_HEADER + self->max_groups * (sizeof(cl_ulong) / sizeof(cl_uint));
        CLPRIM__TRY(clprim__state_create(&self->base.state, self->base.runtime, words * sizeof(cl_ulong), UINT32_MAX));
    }
done:
    clprim__prelude_free(&prelude);
    clprim__text_free(&options);
    return status;
}
