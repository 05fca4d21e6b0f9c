// SPDX-License-Identifier: MIT
/* profile_facts.c: check what the library finds out about devices that the project does not have, as the software
 * device shows them (tests/double): their vendor, how they exchange words, and how much local memory a group gets. The
 * argument is PROFILE; LD_PRELOAD, CLPRIM_DOUBLE and CLPRIM_DOUBLE_NULL are set by the caller. */
#include <clprim/histogram.h>
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "plan_internal.h"

enum { KIB = 1024 };

static const struct facts {
    const char *profile;
    clprim_vendor vendor;
    clprim_sub_group_means means;
    unsigned width;
    unsigned c_version;
    bool has_fence;
    size_t room, whole; /* bytes of local memory */
} all[] = {
    {"gfx90a", CLPRIM_VENDOR_AMD, CLPRIM_SUB_GROUP_KHR, 64, 200, true, 32 * KIB, 56 * KIB},
    {"gfx1100", CLPRIM_VENDOR_AMD, CLPRIM_SUB_GROUP_KHR, 32, 200, true, 32 * KIB, 56 * KIB},
    {"dg2", CLPRIM_VENDOR_INTEL, CLPRIM_SUB_GROUP_KHR, 8, 300, true, 32 * KIB, 56 * KIB},
    {"tgl", CLPRIM_VENDOR_INTEL, CLPRIM_SUB_GROUP_KHR, 8, 300, true, 32 * KIB, 56 * KIB},
    {"h200", CLPRIM_VENDOR_NVIDIA, CLPRIM_SUB_GROUP_PTX, 32, 120, true, 42 * KIB, 42 * KIB},
    {"mali", CLPRIM_VENDOR_ARM, CLPRIM_SUB_GROUP_KHR, 1, 300, true, 16 * KIB, 28 * KIB},
    {"adreno", CLPRIM_VENDOR_QUALCOMM, CLPRIM_SUB_GROUP_KHR, 1, 300, true, 16 * KIB, 28 * KIB},
    {"apple", CLPRIM_VENDOR_APPLE, CLPRIM_SUB_GROUP_NONE, 1, 120, false, 16 * KIB, 28 * KIB},
    {"minimal", CLPRIM_VENDOR_OTHER, CLPRIM_SUB_GROUP_NONE, 1, 120, false, 16 * KIB, 28 * KIB},
    {"embedded", CLPRIM_VENDOR_OTHER, CLPRIM_SUB_GROUP_NONE, 1, 120, false, 896, 896},
};

static int failures;

static void expect(const char *what, size_t value, size_t expected)
{
    if (value == expected)
        return;
    printf("%s is %zu, not %zu\n", what, value, expected);
    failures++;
}

static void check_info(const clprim_device_info *info, const struct facts *f)
{
    expect("kind", info->kind, CLPRIM_DEVICE_GPU);
    expect("vendor", info->vendor, f->vendor);
    expect("means", info->sub_group_means, f->means);
    expect("width", info->sub_group_size, f->width);
    expect("OpenCL C", info->opencl_c_version, f->c_version);
    expect("fence", info->has_device_fence, f->has_fence);
    expect("room", clprim__device_local_room(info), f->room);
    expect("whole", clprim__device_local_whole(info), f->whole);
}

/* The local memory that a plan for this many counters may use; 0: the plan was refused. */
static size_t room_for(clprim_runtime *runtime, size_t bins)
{
    const clprim_histogram_desc desc = {.type = CLPRIM_U32, .bins = bins, .variant = CLPRIM_HISTOGRAM_LOCAL_ATOMIC};
    clprim_plan *plan = NULL;
    const clprim_status status = clprim_histogram_create(&plan, runtime, &desc);
    const size_t room = status == CLPRIM_SUCCESS ? plan->local_room : 0;
    expect("status", status, room > 0 ? CLPRIM_SUCCESS : CLPRIM_UNSUPPORTED);
    clprim_plan_destroy(plan);
    return room;
}

/* Two groups share a compute unit if their tables fit; if only one fits, it is alone. */
static void check_plans(clprim_runtime *runtime, const struct facts *f)
{
    const size_t counters = f->room / sizeof(cl_uint);
    expect("room for few", room_for(runtime, counters / 2), f->room);
    expect("room for many", room_for(runtime, counters + counters / 4), f->whole > f->room ? f->whole : 0);
    expect("room for too many", room_for(runtime, f->whole / sizeof(cl_uint) + 1), 0);
}

int main(int argc, char **argv)
{
    clprim_device_info info;
    clprim_runtime *runtime = NULL;
    size_t count = 0;
    const struct facts *facts = NULL;
    for (size_t i = 0; i < sizeof all / sizeof *all && argc == 2; i++)
        if (strcmp(all[i].profile, argv[1]) == 0)
            facts = &all[i];
    if (facts == NULL || clprim_runtime_devices(&info, 1, &count) != CLPRIM_SUCCESS || count == 0 ||
        clprim_runtime_create(&runtime, NULL) != CLPRIM_SUCCESS) {
        printf("no such profile, or no device: %s\n", clprim_last_error());
        return 1;
    }
    check_info(&info, facts);
    check_plans(runtime, facts);
    clprim_runtime_destroy(runtime);
    return failures > 0;
}
