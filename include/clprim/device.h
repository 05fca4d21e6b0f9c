// SPDX-License-Identifier: MIT
/* clprim/device.h: functions for a program's own kernels.
 *
 * The headers in clprim/device/ are OpenCL C 1.2. They define functions for work-groups and sub-groups, of any type and
 * any operator, as CUB's block and warp primitives are for CUDA:
 *
 *     sub_group.h             shuffles, votes, folds and scans of the work-items that run in step
 *     work_group_reduce.h     the fold of a group's values
 *     work_group_scan.h       all prefixes of a group's values, and their fold
 *     work_group_tile_scan.h  the same of values as they are loaded; the fold first, for kernels that look back
 *     work_group_exchange.h   from striped values to blocked ones, and back
 *     work_group_load.h       read and write the tile of an array that a group works on
 *     work_group_radix_rank.h where keys go when they are sorted by a digit
 *     work_group_radix_sort.h stable radix sorts of a tile, of keys or pairs
 *     work_group_merge.h      merge path, and stable merge sorts of a tile by any order
 *     work_group_histogram.h  counters in local memory
 *     radix_image.h           unsigned integers in the order of signed ones or floats, for radix sorts
 *     look_back.h             for kernels that go through an array once: the fold of all tiles before a group's own
 *
 * (base.h, rows.h and tagged_words.h are for the others.) A program gets them in one of two ways:
 * - Its text includes <clprim/device/work_group_scan.h>, and is compiled with -I and the directory of clPRIM's headers.
 * - It puts the text that clprim_device_source() returns in front of its own.
 *
 * In both cases it is compiled with the options of clprim_device_options(). Without them the functions give the same
 * results, by local memory alone. docs/guides/device_functions.md has an example, and what each function costs;
 * docs/guides/compaction.md has a kernel that looks back. */
#ifndef CLPRIM_DEVICE_H
#define CLPRIM_DEVICE_H

#include <clprim/device/look_back.h> /* CLPRIM_LOOK_BACK_BYTES, CLPRIM_LOOK_BACK_EPOCHS */
#include <clprim/export.h>
#include <clprim/runtime.h>
#include <clprim/status.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The bytes that all options of a device fit into, with the terminating zero. */
#define CLPRIM_DEVICE_OPTIONS_SIZE 256

/* Return the text of a header of clprim/device/, such as "work_group_scan.h", with the text of all headers that it
 * includes. The texts of several headers may follow one another: what they have in common counts once. The library owns
 * the text, which stays as it is until the end of the process.
 *
 * Returns NULL if there is no such header, or `name` is NULL; clprim_last_error() then says which ones there are. */
CLPRIM_API const char *clprim_device_source(const char *name);

/* Write the compiler's options for these headers to `out`, which has room for `capacity` bytes: what the device has, as
 * macros (-D), and the version of OpenCL C (-cl-std) if that is needed for it. Add the program's own options after
 * them, except for another -cl-std. The options are those of one device: a program for several devices is built for
 * each device with its own. If CLPRIM_WITHOUT (clprim/runtime.h) names sub_groups, int64_atomics, forward_progress or
 * group_order, the options say that the device lacks them.
 *
 * Errors: CLPRIM_INVALID_ARGUMENT (an argument is NULL, `capacity` is too small, CLPRIM_WITHOUT has an unknown value),
 * or OpenCL's own code. Then `out` is untouched. */
CLPRIM_API clprim_status clprim_device_options(char *out, size_t capacity, cl_device_id device);

#ifdef __cplusplus
}
#endif
#endif
