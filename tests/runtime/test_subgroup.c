// SPDX-License-Identifier: MIT
/* test_subgroup.c: the sub-group layer (kernels/common/subgroup.cl, subgroup_values.cl), with each of the device's
 * means, and without any. A kernel reports what each work-item sees, and the test checks it. */
#include "call.h"
#include "files.h"
#include "kernels_common.h"
#include "program.h"
#include "runtime_internal.h"

/* An operator that does not commute: first x -> a.x * x + a.y, then b. Values have two words. */
#define OPERATOR                                                                                                       \
    "#define VALUE uint2\n#define VALUE_SIZE 8\n"                                                                      \
    "#define COMBINE(a, b) ((uint2)((a).x * (b).x, (a).y * (b).x + (b).y))\n"
#define KHR "#undef CLPRIM_SUB_GROUP_MEANS\n#define CLPRIM_SUB_GROUP_MEANS 2\n"
/* Lanes can name other lanes only by their distance. */
#define RELATIVE KHR "#undef cl_khr_subgroup_shuffle\n#undef cl_intel_subgroups\n"

/* The values that a work-item reports, in this order. */
enum {
    WIDTH,
    INDEX,
    LANE,
    HAS_SHUFFLE, /* the following ones, except for SYNCED, exist only if this is not 0; REVERSED only if it is 2 */
    SYNCED,      /* the value that the next lane wrote to local memory */
    REVERSED,    /* the word of lane width - 1 - lane */
    UP,
    DOWN,
    VOTES, /* four words */
    BACKWARDS = VOTES + 4,
    THIRD = BACKWARDS + 2, /* the word of lane width / 3 */
    COUNTED,               /* the number of votes */
    ANY_VOTES,             /* whether the last lane votes; whether none does */
    NONE_VOTES,
    NUM_WORDS
};

static const char PROBE[] =
    "#include \"common/subgroup_values.cl\"\n"
    "__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void probe(__global uint *out)\n"
    "{\n"
    "    __local uint shared[GROUP_SIZE];\n"
    "    const uint lid = (uint)get_local_id(0);\n"
    "    const uint lane = clprim_sub_group_lane();\n"
    "    const uint width = clprim_sub_group_size();\n"
    "    __global uint *o = out + lid * 18;\n"
    "    o[0] = width;\n    o[1] = clprim_sub_group_index();\n    o[2] = lane;\n    o[3] = 0;\n"
    "    shared[lid] = lid * 5;\n    clprim_sub_group_sync();\n"
    "    o[4] = shared[lid - lane + (lane + 1) % width];\n"
    "#ifdef SUBGROUP_SHUFFLE\n"
    "    o[3] = 1;\n"
    "#ifdef SUBGROUP_GATHER\n"
    "    o[3] = 2;\n"
    "    o[5] = clprim_sub_group_shuffle(lid * 7 + 1, width - 1 - lane);\n"
    "#endif\n"
    "    o[6] = clprim_sub_group_shuffle_up(lid * 7 + 2, 1);\n"
    "    o[7] = clprim_sub_group_shuffle_down(lid * 7 + 3, 2);\n"
    "    vstore4(clprim_sub_group_ballot(lid % 3 == 0), 0, o + 8);\n"
    "    const uint2 x = (uint2)(2 * lid + 3, lid);\n"
    "    vstore2(subgroup_reduce_reversed(x), 0, o + 12);\n"
    "    o[14] = clprim_sub_group_broadcast(lid * 7 + 4, width / 3);\n"
    "    o[15] = clprim_sub_group_votes(lid % 3 == 0);\n"
    "    o[16] = clprim_sub_group_any(lane == width - 1);\n"
    "    o[17] = clprim_sub_group_any(lane == width);\n"
    "#endif\n"
    "}\n";

typedef struct affine {
    uint32_t x, y;
} affine;

static affine after(affine a, affine b)
{
    return (affine){a.x * b.x, a.y * b.x + b.y};
}

static affine of_item(size_t lid)
{
    return (affine){2 * (uint32_t)lid + 3, (uint32_t)lid};
}

static void check_shuffles(const uint32_t *o, size_t lid, size_t first, size_t width)
{
    const size_t lane = lid - first;
    if (o[HAS_SHUFFLE] == 2)
        cr_assert_eq(o[REVERSED], (first + width - 1 - lane) * 7 + 1);
    cr_assert_eq(o[UP], (lane >= 1 ? lid - 1 : lid) * 7 + 2);
    cr_assert_eq(o[DOWN], (lane + 2 < width ? lid + 2 : lid) * 7 + 3);
    for (size_t l = 0; l < 128; l++)
        cr_assert_eq(o[VOTES + l / 32] >> l % 32 & 1, l < width && (first + l) % 3 == 0, "the vote of lane %zu", l);
    cr_assert_eq(o[THIRD], (first + width / 3) * 7 + 4);
    cr_assert_eq(o[COUNTED], (first + width + 2) / 3 - (first + 2) / 3);
    cr_assert(o[ANY_VOTES] != 0 && o[NONE_VOTES] == 0);
    if (lane > 0)
        return;
    affine backwards = of_item(first);
    for (size_t i = first + 1; i < first + width; i++)
        backwards = after(of_item(i), backwards);
    cr_assert(o[BACKWARDS] == backwards.x && o[BACKWARDS + 1] == backwards.y, "the reversed fold at %zu", first);
}

static void check_group_size(clprim_runtime *runtime, const char *prelude, size_t group_size)
{
    static const char *const name = "probe";
    static const clprim__source *const includes[] = {&clprim__source_common_subgroup_values, NULL};
    const clprim__source probe = {"test/probe.cl", (const unsigned char *)PROBE, sizeof PROBE - 1, includes};
    const clprim__program_request request = {
        .source = &probe,
        .prelude = prelude,
        .options = "",
    };
    cl_kernel kernel = NULL;
    uint32_t *seen = test_memory(0, group_size * NUM_WORDS * sizeof *seen);
    cl_mem out = test_buffer(runtime, group_size * NUM_WORDS * sizeof *seen);
    /* Some drivers allow fewer work-items. */
    ASSERT_OK(clprim__kernels_create(&kernel, &group_size, runtime->programs, &request, &name, 1));
    ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &out));
    ASSERT_CL(clEnqueueNDRangeKernel(clprim_runtime_queue(runtime), kernel, 1, NULL, &group_size, &group_size, 0, NULL,
                                     NULL));
    test_read(runtime, seen, out, group_size * NUM_WORDS * sizeof *seen);
    ASSERT_CL(clReleaseMemObject(out));
    ASSERT_CL(clReleaseKernel(kernel));
    for (size_t lid = 0; lid < group_size; lid++) {
        const uint32_t *o = seen + lid * NUM_WORDS;
        const size_t first = lid - o[LANE];
        const size_t last = first + o[WIDTH] < group_size ? first + o[WIDTH] : group_size;
        cr_assert_gt(o[WIDTH], 0);
        cr_assert_lt(o[LANE], o[WIDTH]);
        cr_assert_eq(first % o[WIDTH], 0, "work-items of a sub-group are neighbours, from a multiple of its width on");
        cr_assert_eq(o[INDEX], first / o[WIDTH]);
        if (last - first == o[WIDTH])
            cr_assert_eq(o[SYNCED], (first + (o[LANE] + 1) % o[WIDTH]) * 5);
        if (o[HAS_SHUFFLE] != 0)
            check_shuffles(o, lid, first, o[WIDTH]);
    }
}

static bool has_khr_sub_groups(cl_device_id device)
{
    static char extensions[16384];
    ASSERT_CL(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL));
    return strstr(extensions, "cl_khr_subgroups") != NULL;
}

/* With the means that the library chooses; without any; with cl_khr_subgroups, even if the library would not use them,
 * as on PoCL; and with these, but with shuffles only by a distance. */
enum { BY_CHOICE, WITHOUT, BY_KHR, BY_DISTANCE, MEANS };

TEST_EACH(subgroup, by_means, MEANS, .timeout = 600)
{
    static const size_t sizes[] = {1, 2, 4, 8, 32, 64, 128};
    if (*number == WITHOUT)
        test_without("sub_groups");
    clprim_runtime *runtime = test_runtime(NULL);
    const clprim_device_info *info = clprim_runtime_info(runtime);
    static const char *const preludes[MEANS] = {OPERATOR, OPERATOR, OPERATOR KHR, OPERATOR RELATIVE};
    const bool is_there = *number < BY_KHR || has_khr_sub_groups(info->device);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && is_there; i++)
        if (sizes[i] <= info->max_work_group_size)
            check_group_size(runtime, preludes[*number], sizes[i]);
    cr_log_info("%s: means %d", info->name, (int)info->sub_group_means);
    clprim_runtime_destroy(runtime);
    if (!is_there)
        cr_skip_test("the device has no cl_khr_subgroups");
}
