// SPDX-License-Identifier: MIT
/* build.c: compile the kernels of a plan. */
#include "build.h"

#include <clprim/device/look_back.h>

#include "device.h"
#include "error.h"
#include "runtime_internal.h"
#include "sizes.h"

size_t clprim__look_back_bytes(size_t value_size, size_t tiles)
{
    const size_t of_a_tile = CLPRIM_LOOK_BACK_BYTES(value_size, 0);
    return clprim__plus(of_a_tile, clprim__times(tiles, of_a_tile));
}

cl_uint clprim__look_back_last_epoch(const clprim_device_info *info)
{
    const bool has_wide_words = info->sub_group_means == CLPRIM_SUB_GROUP_PTX || info->has_int64_atomics;
    return has_wide_words ? CLPRIM__LAST_EPOCH : CLPRIM_LOOK_BACK_EPOCHS;
}

clprim_status clprim__build_kernels(clprim__kernel *out, size_t *group_size, const clprim_runtime *runtime,
                                    const clprim__build *what)
{
    static const clprim__numbers no_numbers;
    const char *names[CLPRIM__MAX_BUILT] = {NULL};
    size_t kept[CLPRIM__MAX_BUILT];
    size_t count = 0;
    cl_kernel kernels[CLPRIM__MAX_BUILT] = {NULL};
    clprim__text options = {0};
    clprim__text parameters = {0};
    clprim__program_request request = {.source = what->source, .max_registers = what->max_registers};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__text_status(what->options));
    clprim__text_format(&options, "%s" CLPRIM__COMMON_SHARED(CLPRIM__SHARED_OPTION), what->options->data);
    CLPRIM__TRY(clprim__text_status(&options));
    request.options = options.data;
    clprim__parameters_write(&parameters, what->prelude, &what->counts, &what->initial);
    CLPRIM__TRY(clprim__text_status(&parameters));
    request.parameters = parameters.data;
    if (what->prelude != NULL) {
        CLPRIM__TRY(clprim__prelude_status(what->prelude));
        request.callers = what->prelude->callers.data;
        request.prelude = what->prelude->own.data;
        request.callers_options = what->prelude->options;
        request.has_arguments = what->prelude->num_parameters > 0;
    }
    for (size_t i = 0; i < what->count; i++)
        if (what->names[i] != NULL) {
            names[count] = what->names[i];
            kept[count++] = i;
        }
    CLPRIM__TRY(clprim__kernels_create(kernels, group_size, runtime->programs, &request, names, count));
    for (size_t i = 0; i < count; i++)
        out[kept[i]] = (clprim__kernel){.kernel = kernels[i],
                                        .name = names[i],
                                        .program = what->source->path,
                                        .group_size = *group_size,
                                        .takes_arguments = request.has_arguments,
                                        .takes_counts = what->counts.number > 0,
                                        .takes_initial = what->initial.type != NULL,
                                        .numbers = what->prelude != NULL ? what->prelude->numbers : no_numbers};
done:
    clprim__text_free(&options);
    clprim__text_free(&parameters);
    return status;
}
