// SPDX-License-Identifier: MIT
/* histogram.c: check a description, choose the variant, build it. */
#include "error.h"
#include "expression.h"
#include "histogram_internal.h"
#include "histogram_prelude.h"
#include "runtime_internal.h"

static const size_t max_bins = (size_t)1 << 24;

clprim_type clprim__histogram_counter_type(const clprim_histogram_desc *desc)
{
    return desc->counter_type != CLPRIM_TYPE_DEFAULT   ? desc->counter_type
           : desc->weights_type != CLPRIM_TYPE_DEFAULT ? desc->weights_type
           : desc->max_count > UINT32_MAX              ? CLPRIM_U64
                                                       : CLPRIM_U32;
}

static clprim_status check_weights(clprim__histogram_setting *out, const clprim_histogram_desc *desc)
{
    const bool takes = desc->weights_type != CLPRIM_TYPE_DEFAULT;
    const clprim_type weights[] = {CLPRIM_I32, CLPRIM_U32, CLPRIM_F32, CLPRIM_I64, CLPRIM_U64, CLPRIM_F64};
    bool is_known = !takes;
    for (size_t i = 0; i < sizeof weights / sizeof *weights; i++)
        is_known = is_known || desc->weights_type == weights[i];
    if (!is_known)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "weights_type must be I32, U32, F32, I64, U64 or F64, not %d",
                            (int)desc->weights_type);
    if (takes && out->channels > 1)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "weights are supported for one channel, not for %zu",
                            out->channels);
    out->weights_type = desc->weights_type;
    out->counter_type = clprim__histogram_counter_type(desc);
    if (takes ? out->counter_type != out->weights_type
              : out->counter_type != CLPRIM_U32 && out->counter_type != CLPRIM_U64)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            takes ? "with weights, counter_type must be weights_type, not %s"
                                  : "counter_type must be U32 or U64, not %s",
                            clprim_type_name(out->counter_type));
    return CLPRIM_SUCCESS;
}

static clprim_status check_output(const clprim_histogram_desc *desc, clprim_type counter_type,
                                  const clprim_device_info *info)
{
    if (desc->cumulative && (desc->output != NULL || desc->accumulate || clprim__histogram_dimensions(desc) > 1))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "cumulative cannot be combined with %s",
                            desc->output != NULL ? "output"
                            : desc->accumulate   ? "accumulate"
                                                 : "several dimensions");
    if (desc->output != NULL && desc->accumulate)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "output and accumulate cannot be combined");
    return clprim__output_check(&(clprim__output)CLPRIM__OUTPUT_OF(desc), counter_type, false, info);
}

static clprim_status check_desc(clprim__histogram_setting *out, const clprim_histogram_desc *desc,
                                const clprim_device_info *info)
{
    clprim_status status = CLPRIM_SUCCESS;
    out->type = desc->type == CLPRIM_TYPE_DEFAULT ? CLPRIM_U8 : desc->type;
    out->mapping = desc->mapping;
    out->bins = clprim__histogram_bins(desc);
    out->channels = clprim__histogram_channels(desc);
    out->active_channels = clprim__histogram_active_channels(desc);
    CLPRIM__TRY(clprim__type_check(out->type, "type"));
    if (out->bins > max_bins)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "bins is %zu, but must be at most 2^24", out->bins);
    if (out->channels > CLPRIM__HISTOGRAM_MAX_CHANNELS || out->active_channels > out->channels)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            "active_channels is %zu and channels is %zu: channels must be at most 4, and "
                            "active_channels at most channels",
                            out->active_channels, out->channels);
    out->pack = desc->input != NULL ? 1 : CLPRIM__PACKET_BYTES / clprim_type_size(out->type);
    if (desc->strided && desc->input != NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            "strided cannot be combined with input, whose text says where elements are");
    CLPRIM__TRY(check_weights(out, desc));
    CLPRIM__TRY(clprim__histogram_check_channels(out, desc));
    if (!out->differs)
        CLPRIM__TRY(clprim__histogram_check_mapping(out, desc));
    CLPRIM__TRY(clprim__histogram_check_joint(out, desc, info));
    CLPRIM__TRY(check_output(desc, out->counter_type, info));
    const bool computes = out->type == CLPRIM_F64 || out->weights_type == CLPRIM_F64;
    if (computes && !info->has_fp64)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s has no double precision", info->name);
    out->word_size = out->weights_type != CLPRIM_TYPE_DEFAULT ? clprim_type_size(out->weights_type) : sizeof(cl_uint);
    out->table = (out->bins + out->may_miss) * out->active_channels;
done:
    return status;
}

clprim_status clprim__histogram_make(clprim_plan *plan, const void *description)
{
    clprim__histogram_plan *self = (void *)plan;
    const clprim_histogram_desc *desc = description;
    clprim_runtime *runtime = plan->runtime;
    clprim__prelude prelude = {.has_fp64 = false};
    clprim_status status = CLPRIM_SUCCESS;
    self->accumulate = desc->accumulate;
    self->is_strided = desc->strided;
    self->cumulative = desc->cumulative;
    self->has_input = desc->input != NULL;
    self->has_output = desc->output != NULL;
    plan->kernels = self->kernels;
    plan->num_kernels = CLPRIM__HISTOGRAM_KERNELS;
    CLPRIM__TRY(check_desc(&self->setting, desc, &runtime->info));
    if (self->setting.weights_type == CLPRIM_TYPE_DEFAULT && self->setting.counter_type == CLPRIM_U32 &&
        plan->max_count > UINT32_MAX)
        CLPRIM__TRY(
            clprim__fail(CLPRIM_INVALID_ARGUMENT, "max_count %zu requires a counter_type of U64", plan->max_count));
    CLPRIM__TRY(CLPRIM__CHOOSE(self, histogram, desc->variant, clprim__histogram_auto(&runtime->info, &self->setting)));
    CLPRIM__TRY(clprim__histogram_supported(self->row, &runtime->info, &self->setting));
    self->setting.has_fixed_bins = clprim__histogram_has_fixed_bins(self->row);
    CLPRIM__TRY(clprim__histogram_prelude(&prelude, &self->setting, desc, &runtime->info));
    CLPRIM__TRY(clprim__histogram_build(self, &prelude));
    if (self->setting.mapping == CLPRIM_HISTOGRAM_BOUNDARIES && !self->setting.differs)
        CLPRIM__TRY(clprim__histogram_boundaries(&self->boundaries, &self->setting, desc->boundaries, runtime));
    if (self->setting.is_joint || self->setting.differs)
        CLPRIM__TRY(clprim__histogram_joint_boundaries(&self->boundaries, desc, runtime));
    plan->scratch_is_state = self->row->shape == CLPRIM__HISTOGRAM_ONE_LAUNCH;
    if (plan->scratch_is_state)
        CLPRIM__TRY(clprim__state_create(&plan->state, runtime, clprim__histogram_bytes(self, 1), CLPRIM__LAST_EPOCH));
done:
    clprim__prelude_free(&prelude);
    return status;
}

void clprim__histogram_clear(clprim_plan *plan)
{
    clprim__histogram_plan *self = (void *)plan;
    clprim_plan_destroy(self->sort);
    if (self->boundaries != NULL)
        (void)clReleaseMemObject(self->boundaries);
}
