/* is_sorted_build.c: from a description to kernels that fit the device. */
#include <string.h>

#include "error.h"
#include "is_sorted_internal.h"
#include "runtime_internal.h"

enum { PACKET_BYTES = 16, COLLECT_HEADER = 16 };

static size_t fit_group(const clprim__is_sorted_plan *self, size_t wanted)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const size_t room = info->local_memory_size / 2 / sizeof(cl_ulong); /* half: some drivers need some themselves */
    size_t size = self->row->for_cpus ? 1 : wanted;
    while (size > 1 && (size > info->max_work_group_size || size > room))
        size /= 2;
    return size;
}

static clprim_status create_kernels(clprim__is_sorted_plan *self, const clprim__prelude *prelude,
                                    const clprim__is_sorted_tuning *tuning, size_t wanted)
{
    const size_t count = self->row->kernels[CLPRIM__IS_SORTED_FINISH] != NULL ? CLPRIM__IS_SORTED_KERNELS : 1;
    size_t group_size = fit_group(self, wanted);
    const char *path = NULL;
    cl_kernel kernels[CLPRIM__IS_SORTED_KERNELS] = {NULL, NULL};
    clprim__text options = {0};
    clprim__program_request request = {.callers = prelude->callers.data, .prelude = prelude->own.data};
    clprim_status status = CLPRIM_SUCCESS;
    clprim__text_format(&options, "-DITEMS=%zu -DRESULT=%s", tuning->items,
                        self->index_size == sizeof(cl_ulong) ? "ulong" : "uint");
    CLPRIM__TRY(clprim__text_status(&options));
    request.options = options.data;
    memcpy(request.sources, self->row->sources, sizeof request.sources);
    for (int s = 0; s < CLPRIM__MAX_SOURCES && self->row->sources[s] != NULL; s++)
        path = self->row->sources[s]->path;
    CLPRIM__TRY(clprim__kernels_create(kernels, &group_size, self->base.runtime->programs, &request, self->row->kernels,
                                       count));
    for (size_t k = 0; k < count; k++)
        self->kernels[k] = (clprim__kernel){
            .kernel = kernels[k], .name = self->row->kernels[k], .program = path, .group_size = group_size};
    const size_t pack = PACKET_BYTES / self->element_size;
    self->group_elements = group_size * tuning->items * (pack > 0 ? pack : 1);
    self->max_groups = tuning->groups_per_unit * self->base.runtime->info.compute_units;
done:
    clprim__text_free(&options);
    return status;
}

clprim_status clprim__is_sorted_build(clprim__is_sorted_plan *self, const clprim__order *order, size_t work_group_size)
{
    const clprim__is_sorted_tuning tuning = clprim__is_sorted_tuning_of((clprim_is_sorted_variant)self->row->info.id,
                                                                        self->base.runtime, self->element_size);
    clprim__prelude prelude = {.has_fp64 = false};
    clprim_status status = CLPRIM_SUCCESS;
    clprim__order_write(&prelude, order, SIZE_MAX, &self->base.runtime->info);
    CLPRIM__TRY(clprim__prelude_status(&prelude));
    CLPRIM__TRY(create_kernels(self, &prelude, &tuning, work_group_size != 0 ? work_group_size : tuning.group_size));
    if (self->row->kernels[CLPRIM__IS_SORTED_FINISH] == NULL) {
        const size_t words = COLLECT_HEADER + self->max_groups * (sizeof(cl_ulong) / sizeof(cl_uint));
        CLPRIM__TRY(clprim__state_create(&self->base.state, self->base.runtime, words * sizeof(cl_ulong), UINT32_MAX));
    }
done:
    clprim__prelude_free(&prelude);
    return status;
}
