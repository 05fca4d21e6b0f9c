// SPDX-License-Identifier: MIT
/* profiles.c: what devices report. Each profile names where clinfo outputs with its numbers were published. Memory that
 * depends on the machine is as large as in one of them, or as the chip's. */
#include "double.h"

#include <string.h>

#define ATOMICS_32                                                                                                     \
    "cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics cl_khr_local_int32_base_atomics "           \
    "cl_khr_local_int32_extended_atomics cl_khr_byte_addressable_store "
#define ATOMICS_64 "cl_khr_int64_base_atomics cl_khr_int64_extended_atomics "
#define AMD_EXTENSIONS                                                                                                 \
    "cl_khr_fp64 " ATOMICS_32 ATOMICS_64 "cl_khr_3d_image_writes cl_khr_fp16 cl_khr_gl_sharing "                       \
    "cl_amd_device_attribute_query cl_amd_media_ops cl_amd_media_ops2 cl_khr_image2d_from_buffer cl_khr_subgroups "    \
    "cl_khr_depth_images cl_amd_copy_buffer_p2p cl_amd_assembly_program "
#define INTEL_EXTENSIONS                                                                                               \
    ATOMICS_32 "cl_khr_device_uuid cl_khr_fp16 cl_khr_icd cl_intel_command_queue_families cl_intel_subgroups "         \
               "cl_intel_required_subgroup_size cl_intel_subgroups_short cl_khr_spir cl_intel_accelerator "            \
               "cl_intel_driver_diagnostics cl_khr_priority_hints cl_khr_throttle_hints cl_khr_create_command_queue "  \
               "cl_intel_subgroups_char cl_intel_subgroups_long cl_khr_il_program cl_intel_mem_force_host_memory "     \
               "cl_khr_subgroup_extended_types cl_khr_subgroup_non_uniform_vote cl_khr_subgroup_ballot "               \
               "cl_khr_subgroup_non_uniform_arithmetic cl_khr_subgroup_shuffle cl_khr_subgroup_shuffle_relative "      \
               "cl_khr_subgroup_clustered_reduce cl_intel_device_attribute_query "                                     \
               "cl_khr_suggested_local_work_size cl_khr_subgroups cl_intel_spirv_subgroups "                           \
               "cl_khr_spirv_no_integer_wrap_decoration cl_intel_unified_shared_memory "                               \
               "cl_khr_mipmap_image cl_khr_mipmap_image_writes cl_intel_planar_yuv cl_intel_packed_yuv "               \
               "cl_khr_image2d_from_buffer cl_khr_depth_images cl_khr_3d_image_writes " ATOMICS_64
#define NVIDIA_EXTENSIONS                                                                                              \
    ATOMICS_32 "cl_khr_fp64 cl_khr_3d_image_writes cl_khr_icd cl_khr_gl_sharing cl_nv_compiler_options "               \
               "cl_nv_device_attribute_query cl_nv_pragma_unroll cl_nv_copy_opts cl_nv_create_buffer " ATOMICS_64      \
               "cl_khr_device_uuid cl_khr_pci_bus_info cl_khr_external_semaphore cl_khr_external_memory "              \
               "cl_khr_external_semaphore_opaque_fd cl_khr_external_memory_opaque_fd "

#define MIB (1ull << 20)
#define GIB (1ull << 30)

enum {
    ROUNDS = CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST,
    ROUNDS_ALL = ROUNDS | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_FMA,
    ALL_SINGLE = ROUNDS_ALL | CL_FP_DENORM,
    COARSE = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER,
    FINE = COARSE | CL_DEVICE_SVM_FINE_GRAIN_BUFFER,
    FINE_ATOMIC = FINE | CL_DEVICE_SVM_ATOMICS,
    ATOMICS_ALL = CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_ORDER_SEQ_CST |
                  CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_DEVICE |
                  CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES,
    ATOMICS_LEAST = CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP
};

static const double_profile profiles[] = {
    {.id = "gfx90a",
     .source =
         "OpenCL of a gfx908: github.com/CLRX/CLRX-mirror/issues/34; the chip: github.com/hypre-space/hypre/issues/781",
     .platform = "AMD Accelerated Parallel Processing",
     .platform_version = "OpenCL 2.1 AMD-APP (3590.0)",
     .vendor = "Advanced Micro Devices, Inc.",
     .device = "gfx90a:sramecc+:xnack-",
     .version = "OpenCL 2.0 ",
     .c_version = "OpenCL C 2.0 ",
     .driver = "3590.0 (HSA1.1,LC)",
     .extensions = AMD_EXTENSIONS,
     .group_size = 256,
     .local_memory = 65536,
     .global_memory = 64 * GIB - 16 * MIB,
     .allocation = 54 * GIB,
     .compute_units = 104,
     .address_bits = 64,
     .alignment = 1024,
     .single = ALL_SINGLE,
     .svm = FINE,
     .wavefront = 64},
    {.id = "gfx1100",
     .source = "OpenCL of gfx1010 and gfx1030: github.com/ROCm/legacy-rocm-build/issues/1301, "
               "github.com/filecoin-project/rust-gpu-tools/issues/45; the chip: github.com/ROCm/hipBLASLt/issues/831",
     .platform = "AMD Accelerated Parallel Processing",
     .platform_version = "OpenCL 2.1 AMD-APP (3590.0)",
     .vendor = "Advanced Micro Devices, Inc.",
     .device = "gfx1100",
     .version = "OpenCL 2.0 ",
     .c_version = "OpenCL C 2.0 ",
     .driver = "3590.0 (HSA1.1,LC)",
     .extensions = AMD_EXTENSIONS,
     .group_size = 256,
     .local_memory = 65536,
     .global_memory = 24 * GIB - 16 * MIB,
     .allocation = 20 * GIB,
     .compute_units = 48,
     .address_bits = 64,
     .alignment = 1024,
     .single = ALL_SINGLE,
     .svm = FINE,
     .wavefront = 32},
    {.id = "dg2",
     .source = "github.com/openvinotoolkit/openvino/issues/20012; extensions: github.com/pytorch/pytorch/issues/144143",
     .platform = "Intel(R) OpenCL Graphics",
     .platform_version = "OpenCL 3.0 ",
     .vendor = "Intel(R) Corporation",
     .device = "Intel(R) Arc(TM) A750 Graphics",
     .version = "OpenCL 3.0 NEO ",
     .c_version = "OpenCL C 1.2 ",
     .driver = "31.0.101.4826",
     .extensions = INTEL_EXTENSIONS,
     .group_size = 1024,
     .local_memory = 65536,
     .global_memory = 8 * GIB - 256 * MIB,
     .allocation = 4294959104,
     .compute_units = 448,
     .address_bits = 64,
     .alignment = 1024,
     .single = ALL_SINGLE,
     .svm = COARSE,
     .atomics = ATOMICS_ALL,
     .widths = {8, 16, 32}},
    {.id = "tgl",
     .source = "a chip of its generation: github.com/diku-dk/futhark/issues/1901; extensions: "
               "github.com/openvinotoolkit/openvino/issues/4969",
     .platform = "Intel(R) OpenCL HD Graphics",
     .platform_version = "OpenCL 3.0 ",
     .vendor = "Intel(R) Corporation",
     .device = "Intel(R) Iris(R) Xe Graphics",
     .version = "OpenCL 3.0 NEO ",
     .c_version = "OpenCL C 1.2 ",
     .driver = "22.43.24595",
     .extensions = INTEL_EXTENSIONS,
     .group_size = 512,
     .local_memory = 65536,
     .global_memory = 25 * GIB,
     .allocation = 4294959104,
     .compute_units = 96,
     .address_bits = 64,
     .alignment = 1024,
     .single = ALL_SINGLE,
     .svm = COARSE,
     .atomics = ATOMICS_ALL,
     .widths = {8, 16, 32},
     .is_unified = true},
    {.id = "h200",
     .source =
         "OpenCL of other chips: github.com/BIMSBbioinfo/PocketVina/issues/2, "
         "github.com/darktable-org/darktable/issues/12687; the chip and its driver: benchmarks/results. Its programs "
         "are full of PTX: for CLPRIM_DOUBLE_NULL alone",
     .platform = "NVIDIA CUDA",
     .platform_version = "OpenCL 3.0 CUDA 13.0.98",
     .vendor = "NVIDIA Corporation",
     .device = "NVIDIA H200",
     .version = "OpenCL 3.0 CUDA",
     .c_version = "OpenCL C 1.2 ",
     .driver = "580.159.04",
     .extensions = NVIDIA_EXTENSIONS,
     .group_size = 1024,
     .local_memory = 49152,
     .global_memory = 139 * GIB,
     .allocation = 139 * GIB / 4,
     .compute_units = 132,
     .address_bits = 64,
     .alignment = 4096,
     .single = ALL_SINGLE,
     .svm = COARSE,
     .atomics = ATOMICS_LEAST,
     .capability = 90},
    {.id = "mali",
     .source = "github.com/hominoids/sgminer-arm/issues/12 and, for its groups, "
               "github.com/RadiantBlockchain/rad-bfgminer/issues/16",
     .platform = "ARM Platform",
     .platform_version = "OpenCL 3.0 v1.r32p1-01eac0.54329dee8f160f288c574caaf67bbe3f",
     .vendor = "ARM",
     .device = "Mali-G610 MC6 r0p0",
     .version = "OpenCL 3.0 v1.r32p1-01eac0.54329dee8f160f288c574caaf67bbe3f",
     .c_version = "OpenCL C 3.0 v1.r32p1-01eac0.54329dee8f160f288c574caaf67bbe3f",
     .driver = "3.0",
     .extensions = ATOMICS_32 ATOMICS_64 "cl_khr_3d_image_writes cl_khr_fp16 cl_khr_icd cl_khr_egl_image "
                                         "cl_khr_image2d_from_buffer cl_khr_depth_images cl_khr_subgroups "
                                         "cl_khr_extended_versioning cl_arm_non_uniform_work_group_size ",
     .group_size = 1024,
     .local_memory = 32768,
     .global_memory = 7797280768,
     .allocation = 7797280768,
     .compute_units = 6,
     .address_bits = 64,
     .alignment = 1024,
     .single = ALL_SINGLE,
     .svm = FINE_ATOMIC,
     .atomics = ATOMICS_ALL,
     .is_unified = true},
    {.id = "adreno",
     .source =
         "github.com/CodeLinaro/llama.cpp/pull/17, github.com/ggml-org/llama.cpp/issues/25870 and, for its floats and "
         "SVM, github.com/Oblomov/clinfo/issues/92",
     .platform = "QUALCOMM Snapdragon(TM)",
     .platform_version = "OpenCL 3.0 QUALCOMM build: commit unknown Compiler E031.42.18.02",
     .vendor = "QUALCOMM",
     .device = "QUALCOMM Adreno(TM) 740",
     .version = "OpenCL 3.0 Adreno(TM) 740",
     .c_version = "OpenCL C 3.0 Adreno(TM) 740",
     .driver = "OpenCL 3.0 QUALCOMM build: commit unknown Compiler E031.42.18.02",
     .extensions = ATOMICS_32 "cl_khr_3d_image_writes cl_khr_fp16 cl_khr_subgroups cl_qcom_reqd_sub_group_size "
                              "cl_qcom_subgroup_shuffle cl_qcom_vector_image_ops cl_qcom_onchip_global_memory ",
     .group_size = 1024,
     .local_memory = 32768,
     .global_memory = 5814714368,
     .allocation = 884 * MIB,
     .compute_units = 12,
     .address_bits = 64,
     .alignment = 1024,
     .single = CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_INF,
     .svm = FINE,
     .atomics = ATOMICS_ALL,
     .is_unified = true,
     .halves_kernels = true},
    {.id = "apple",
     .source =
         "github.com/hashcat/hashcat/issues/2976 and 2728; extensions: github.com/GPGPUCourse/GPGPUTasks2025/pull/54",
     .platform = "Apple",
     .platform_version = "OpenCL 1.2 (May  8 2021 03:14:28)",
     .vendor = "Apple",
     .device = "Apple M1",
     .version = "OpenCL 1.2 ",
     .c_version = "OpenCL C 1.2 ",
     .driver = "1.2 1.0",
     .extensions = "cl_APPLE_SetMemObjectDestructor cl_APPLE_ContextLoggingFunctions cl_APPLE_clut "
                   "cl_APPLE_query_kernel_names cl_APPLE_gl_sharing cl_khr_gl_event " ATOMICS_32
                   "cl_khr_3d_image_writes cl_khr_image2d_from_buffer cl_khr_depth_images ",
     .group_size = 256,
     .local_memory = 32768,
     .global_memory = 10922 * MIB,
     .allocation = GIB,
     .compute_units = 8,
     .address_bits = 64,
     .alignment = 32768,
     .single = ROUNDS_ALL,
     .is_unified = true},
    {.id = "minimal",
     .source = "no device: the least that a GPU of OpenCL 1.2 is likely to have",
     .platform = "Double",
     .platform_version = "OpenCL 1.2 minimal",
     .vendor = "Double",
     .device = "minimal GPU",
     .version = "OpenCL 1.2 minimal",
     .c_version = "OpenCL C 1.2 minimal",
     .driver = "1",
     .extensions = ATOMICS_32,
     .group_size = 64,
     .local_memory = 32768,
     .global_memory = GIB,
     .allocation = 256 * MIB,
     .compute_units = 2,
     .address_bits = 32,
     .alignment = 1024,
     .single = ROUNDS,
     .halves_kernels = true},
    {.id = "embedded",
     .source = "no device: the least that the embedded profile of OpenCL 1.2 allows (section 5 of its appendix)",
     .platform = "Double",
     .platform_version = "OpenCL 1.2 embedded",
     .vendor = "Double",
     .device = "embedded GPU",
     .version = "OpenCL 1.2 embedded",
     .c_version = "OpenCL C 1.2 embedded",
     .driver = "1",
     .extensions = ATOMICS_32,
     .group_size = 1,
     .local_memory = 1024,
     .global_memory = GIB,
     .allocation = 256 * MIB,
     .compute_units = 1,
     .address_bits = 32,
     .alignment = 1024,
     .single = CL_FP_ROUND_TO_ZERO},
};

const double_profile *double_find(const char *id)
{
    for (size_t i = 0; i < sizeof profiles / sizeof *profiles; i++)
        if (strcmp(profiles[i].id, id) == 0)
            return &profiles[i];
    return NULL;
}
