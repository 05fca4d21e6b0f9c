// SPDX-License-Identifier: MIT
/* histogram_prelude.c: convert a description's mapping to OpenCL C text and device memory. */
#include "histogram_prelude.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "error.h"
#include "expression.h"
#include "histogram/modes.h"
#include "kinds.h"
#include "operator.h"
#include "runtime_internal.h"

/* Write the types of tables and of the counters that are made from them. */
static void write_counters(clprim__text *text, const clprim__histogram_setting *setting, bool has_fp64)
{
    const clprim_type weights = setting->weights_type;
    const bool is_weighted = weights != CLPRIM_TYPE_DEFAULT;
    const char *word = setting->word_size == 8 ? "ulong" : "uint";
    const char *counter = clprim__type_storage(setting->counter_type);
    clprim__text_format(text, "#define WORD %s\n#define WORD_SIZE %zu\n#define WEIGHT_KIND %d\n#define COUNTER %s\n",
                        word, setting->word_size,
                        !is_weighted                                   ? WEIGHTS_NONE
                        : clprim__histogram_has_float_weights(setting) ? WEIGHTS_FLOATS
                                                                       : WEIGHTS_INTEGERS,
                        counter);
    if (is_weighted)
        clprim__text_format(text,
                            "#define WEIGHT %s\n#define WORD_OF(w) as_%s(w)\n#define WEIGHT_OF(w) as_%s(w)\n"
                            "#define COUNTER_OF(w) as_%s(w)\n",
                            counter, word, counter, counter);
    else
        clprim__text_format(text, "#define COUNTER_OF(w) ((COUNTER)(w))\n");
    if (clprim__histogram_has_float_weights(setting))
        clprim__text_format(text, "#define SUM %s\n#define SUM_SIZE %zu\n", has_fp64 ? "double" : counter,
                            has_fp64 ? sizeof(cl_double) : setting->word_size);
}

clprim_status clprim__histogram_prelude(clprim__prelude *prelude, const clprim__histogram_setting *setting,
                                        const clprim_histogram_desc *desc, const clprim_device_info *info)
{
    const clprim_type type = setting->type;
    clprim__histogram_setting seen = *setting;
    clprim__text *text = &prelude->own;
    clprim__prelude_begin(prelude, info);
    const clprim_status status = clprim__text_write(prelude, &desc->text, info);
    if (status != CLPRIM_SUCCESS)
        return status;
    if (setting->is_joint)
        clprim__histogram_write_joint(prelude, desc);
    write_counters(text, setting, info->has_fp64);
    clprim__text_format(text, "#define CHANNELS %zu\n#define ACTIVE %zu\n#define MAY_MISS %d\n#define STRIDED %d\n",
                        setting->channels, setting->active_channels, setting->may_miss, desc->strided);
    if (setting->differs) {
        clprim__histogram_write_channels(prelude, desc);
        seen.mapping = CLPRIM_HISTOGRAM_IDENTITY; /* not used */
    }
    clprim__histogram_write_mapping(prelude, &seen, desc);
    if (!setting->is_joint)
        clprim__input_write(prelude, desc->input, type, NULL);
    clprim__output_write(prelude, &(clprim__output)CLPRIM__OUTPUT_OF(desc), setting->counter_type, NULL, "COUNTER");
    return clprim__prelude_status(prelude);
}

clprim_status clprim__histogram_boundaries(cl_mem *out, const clprim__histogram_setting *setting,
                                           const void *boundaries, const clprim_runtime *runtime)
{
    const size_t count = setting->bins + 1;
    const size_t bytes = count * sizeof(int64_t); /* possibly less, for floats */
    void *converted = calloc(1, bytes);
    cl_int code = CL_SUCCESS;
    if (converted == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for %zu boundaries", count);
    clprim__histogram_convert_boundaries(converted, setting, boundaries);
    *out = clCreateBuffer(runtime->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, converted, &code);
    free(converted);
    return clprim__cl(code, "clCreateBuffer");
}
