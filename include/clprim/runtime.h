// SPDX-License-Identifier: MIT
/* clprim/runtime.h: one OpenCL device with its context, queue, compiled kernels and scratch memory.
 *
 * Make a runtime once per device, and share it between all plans.
 *
 * THREADS
 *
 * Any number of threads may create, enqueue and destroy plans of one runtime at the same time, even on one queue. Only
 * one thread at a time may use a plan. Each thread has its own clprim_last_error().
 *
 * FAILURES
 *
 * A function that fails returns a status other than CLPRIM_SUCCESS, and clprim_last_error() returns a sentence about
 * it. It leaks nothing, and writes neither *out nor *done.
 * - CLPRIM_INVALID_* and CLPRIM_UNSUPPORTED: an argument was refused. Nothing was enqueued, and no byte has changed.
 * - CLPRIM_OUT_OF_MEMORY or OpenCL's own code: the host or the driver failed, perhaps after a part of the operation was
 *   enqueued. That part still runs when the wait list is complete; clFinish waits for it. The outputs are unspecified,
 *   unless the operation's header promises more. Inputs that are not also outputs are unchanged.
 *
 * In both cases the plan and the runtime can be used again. The next call works if the driver does.
 *
 * The run functions (clprim_<operation>_run) return only when nothing uses the caller's arrays any more. If copying
 * results back fails, or if a call that is cut into pieces (clprim_run_limits) fails, outputs on the host may hold a
 * part of the results. After any other failure the arrays on the host are unchanged.
 *
 * After enqueue has returned, the device may still fail, or an event of the wait list may fail, so that the operation
 * cannot begin. The execution status of the operation's event shows both, as for any OpenCL command.
 * - On an out-of-order queue, the plan can be used again when the event shows the failure: the next call clears the
 *   memory that the plan keeps from call to call.
 * - On an in-order queue, the content of that memory is unspecified: destroy the plan and make a new one.
 * - Calls of other plans do not wait for a call that has failed. But they may wait for a call that fails later, and
 *   then fail, too. The reason is that plans without scratch memory of their own (clprim_plan_set_scratch) share eight
 *   buffers of the runtime. If all of these were last used on other queues, a new call waits for one of them.
 *
 * TIMES
 *
 * The event of an operation completes with the whole operation, but its profiling times are those of the last command
 * only. To measure an operation, enqueue a marker (clEnqueueMarkerWithWaitList) and let the operation wait for it. The
 * time of the operation is that from the marker's CL_PROFILING_COMMAND_END to the event's. clprim_runtime_set_trace()
 * reports the event of each kernel, and CLPRIM_TRACE writes a timeline of all commands.
 *
 * TRUST
 *
 * Operators, predicates, orders and all other texts of a description are code, which is compiled and run.
 * See SECURITY.md.
 *
 * ENVIRONMENT
 *
 * A runtime reads these environment variables when it is created:
 *
 *     CLPRIM_DEVICE      The device that a zeroed description takes: "gpu", "cpu", "accelerator", an index in
 *                        clprim_runtime_devices(), or a part of the device's or platform's name ("H200", "portable").
 *     CLPRIM_CACHE       "off": compiled kernels are neither read from disk nor written to disk. "on": they always are.
 *                        Default: they are, except with PoCL, which keeps compiled kernels itself. With PoCL, "on" makes
 *                        the first plan of a kind take up to twice as long, and later processes start sooner by 25 ms
 *                        per program.
 *     CLPRIM_CACHE_DIR   The directory of compiled kernels.
 *                        Default: $XDG_CACHE_HOME/clprim, or else $HOME/.cache/clprim. On Windows: clprim/cache in
 *                        %LOCALAPPDATA%.
 *     CLPRIM_CACHE_SIZE  The size limit of that directory, in MiB. The least recently used kernels are removed first.
 *                        Kernels that a running process has loaded or stored are never removed. 0: no limit.
 *                        Default: 256.
 *     CLPRIM_DUMP        Write every program that the runtime compiles or loads to this directory, before the driver
 *                        gets it: one file per program, which begins with comments that name the kernels and the
 *                        compiler's options (docs/drivers.md). The directory is made if the one above it exists. Files
 *                        that are there are left as they are.
 *     CLPRIM_KERNEL_DIR  Read kernel sources from this directory instead of the copies inside the library.
 *     CLPRIM_SELF_TEST   "always": each variant is tried on small arrays when the first plan of its kind is made, and
 *                        disabled if it gives wrong results, or if compiling or trying it ended an earlier process
 *                        (clprim_runtime_set_aside). "off": no variant is tried.
 *                        Default: variants are tried on drivers that the project does not test (docs/reliability.md).
 *     CLPRIM_TRACE       Record all calls and commands as a timeline in this file (docs/timeline.md). "%p" in the name
 *                        becomes the number of the process.
 *     CLPRIM_TUNING      A file of parameters to use instead of the library's own (docs/tuning.md). "off": none.
 *                        Default: $XDG_CONFIG_HOME/clprim/tuning.txt, or else $HOME/.config/clprim/tuning.txt. On
 *                        Windows: clprim/tuning.txt in %LOCALAPPDATA%.
 *     CLPRIM_WITHOUT     Features of the device that the library must not use, to test its other paths. A list
 *                        separated by commas: sub_groups, int64_atomics, device_fence, forward_progress, group_order,
 *                        fp64, svm, command_buffers, unified_memory, native_kernels.
 *
 * If a value is malformed, clprim_runtime_create fails with a sentence about it; with CLPRIM_KERNEL_DIR, the first plan
 * does. Malformed values of CLPRIM_CACHE and CLPRIM_CACHE_SIZE, and directories and files of CLPRIM_CACHE_DIR,
 * CLPRIM_DUMP and CLPRIM_TUNING that cannot be used, are ignored: clprim_runtime_cache_problem and
 * clprim_runtime_tuning_problems tell of them. */
#ifndef CLPRIM_RUNTIME_H
#define CLPRIM_RUNTIME_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#ifdef __APPLE__
#include <OpenCL/cl.h>
#else
#include <CL/cl.h>
#endif
#include <stdbool.h>
#include <stddef.h>

#include <clprim/export.h>
#include <clprim/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A runtime, which clprim_runtime_create() makes. */
typedef struct clprim_runtime clprim_runtime;

typedef enum clprim_device_kind {
    CLPRIM_DEVICE_OTHER = 0,
    CLPRIM_DEVICE_CPU,
    CLPRIM_DEVICE_GPU,
    CLPRIM_DEVICE_ACCELERATOR
} clprim_device_kind;

typedef enum clprim_vendor {
    CLPRIM_VENDOR_OTHER = 0,
    CLPRIM_VENDOR_NVIDIA,
    CLPRIM_VENDOR_AMD,
    CLPRIM_VENDOR_INTEL,
    CLPRIM_VENDOR_POCL,
    CLPRIM_VENDOR_MESA,
    CLPRIM_VENDOR_ARM,
    CLPRIM_VENDOR_QUALCOMM,
    CLPRIM_VENDOR_APPLE
} clprim_vendor;

/* How kernels exchange values within a sub-group (warp, wavefront). */
typedef enum clprim_sub_group_means {
    CLPRIM_SUB_GROUP_NONE = 0, /* not at all: they use local memory and barriers instead */
    CLPRIM_SUB_GROUP_PTX,      /* inline PTX */
    CLPRIM_SUB_GROUP_KHR,      /* cl_khr_subgroups, or the feature of OpenCL C 3.0 */
    CLPRIM_SUB_GROUP_INTEL     /* cl_intel_subgroups */
} clprim_sub_group_means;

/* What the library knows about a device. It chooses variants by this. Sizes of memory are in bytes. */
typedef struct clprim_device_info {
    /* Index in clprim_runtime_devices(), for CLPRIM_DEVICE. SIZE_MAX for a device of the caller's context or queue. */
    size_t index;

    cl_platform_id platform;
    cl_device_id device;
    char name[128];
    char vendor_name[64];
    char driver_version[64];
    char platform_name[64];
    char platform_version[128];
    clprim_device_kind kind;
    clprim_vendor vendor;
    unsigned opencl_c_version; /* the version that kernels are compiled for: 120 is OpenCL C 1.2 */
    unsigned compute_units;
    size_t max_work_group_size; /* in work-items */
    size_t local_memory_size;
    size_t global_memory_size;
    size_t max_allocation_size;    /* of one buffer */
    size_t base_address_alignment; /* of sub-buffers */
    unsigned sub_group_size;       /* usual number of work-items in a sub-group; 1 if there are no sub-groups */
    clprim_sub_group_means sub_group_means;
    bool has_int64_atomics;
    bool has_fp64;
    bool has_fp16;
    bool has_denormals_f32;      /* F32 arithmetic keeps denormals and rounds to nearest, ties to even */
    bool has_warp_reduction;     /* NVIDIA from compute capability 8.0 on: one instruction reduces integers of a warp */
    bool has_device_fence;       /* one work-group can publish ordinary stores to another within one kernel */
    bool has_forward_progress;   /* a work-group that has started makes progress while others wait for it */
    bool starts_groups_in_order; /* with has_forward_progress: work-groups start in the order of their indices */
    bool is_unified_memory;      /* host and device share memory */
    bool has_svm;                /* shared virtual memory: kernels can use what clSVMAlloc returns */
    bool has_system_svm;         /* with has_svm: kernels can use all memory of the host, without map and unmap */
    bool has_command_buffers;    /* cl_khr_command_buffer: clprim_plan_record (clprim/plan.h) */
    bool has_native_kernels;     /* a CPU whose queues can call host functions (CL_EXEC_NATIVE_KERNEL) */
} clprim_device_info;

/* How to make a runtime.
 *
 * A zeroed description takes the device that CLPRIM_DEVICE names. If the variable is not set, it takes the best device:
 * a GPU rather than an accelerator, an accelerator rather than a CPU, and among devices of one kind the one with the
 * most compute units.
 *
 * A program that already uses OpenCL passes its .queue, or its .context. If the context has several devices, it also
 * passes .device. The program may release these objects at any time, because the runtime holds references of its own.
 * CLPRIM_DEVICE is not read then. */
typedef struct clprim_runtime_desc {
    /* The device to take, instead of CLPRIM_DEVICE and with the same values. With .context or .queue, it must match
     * their device. Default: NULL (CLPRIM_DEVICE). */
    const char *select;

    /* The caller's context. Default: NULL (that of .queue, or a new one). */
    cl_context context;

    /* The caller's device. Only with .context or .queue. Default: NULL (that of .queue, or the only one
     * of .context). */
    cl_device_id device;

    /* The caller's queue. Default: NULL (the runtime makes an in-order queue). */
    cl_command_queue queue;

    /* Let the runtime's own queue record times, which makes calls slower. See TIMES above. Default: false. */
    bool profiling;
} clprim_runtime_desc;

/* List the devices of all platforms. Empty and broken platforms are skipped. Writes the first `capacity` devices to
 * `out`, and the number of all devices, perhaps 0, to *count. `out` may be NULL if `capacity` is 0.
 *
 * Errors: CLPRIM_INVALID_ARGUMENT. */
CLPRIM_API clprim_status clprim_runtime_devices(clprim_device_info *out, size_t capacity, size_t *count);

/* Make a runtime. A NULL description means a zeroed one. On failure *out is untouched.
 *
 * Errors: CLPRIM_NO_DEVICE (also if no device answers; the sentence then names the OpenCL call that failed),
 * CLPRIM_INVALID_ARGUMENT (also if the file of CLPRIM_TRACE cannot be written, or CLPRIM_SELF_TEST or CLPRIM_WITHOUT has
 * an unknown value), CLPRIM_OUT_OF_MEMORY, or OpenCL's own code. */
CLPRIM_API clprim_status clprim_runtime_create(clprim_runtime **out, const clprim_runtime_desc *desc);

/* Release a runtime. NULL is allowed. Plans hold references to it, so they may be destroyed before it or after it. */
CLPRIM_API void clprim_runtime_destroy(clprim_runtime *runtime);

/* The runtime's device, context and queue, or NULL for a NULL runtime. The runtime owns them. Retain the context or the
 * queue if it must outlive the runtime. */
CLPRIM_API const clprim_device_info *clprim_runtime_info(const clprim_runtime *runtime);
CLPRIM_API cl_context clprim_runtime_context(const clprim_runtime *runtime);
CLPRIM_API cl_command_queue clprim_runtime_queue(const clprim_runtime *runtime);

/* Free what the runtime keeps for later calls: idle scratch memory, and the pinned memory and sleeping threads that
 * copy arrays between the host and a device with memory of its own (up to 28 MiB and 7 threads in each direction). Also
 * unpin memory that ranks share (.share of clprim_comm in clprim/comm.h). The runtime makes and pins them again when it
 * needs them. NULL is allowed. */
CLPRIM_API void clprim_runtime_trim(clprim_runtime *runtime);

/* Pin host memory that many calls of run use, so that the device reads and writes it directly, at the speed of the
 * bus. Registering takes about as long as three transfers of the memory. Nothing is pinned on a device that shares the
 * host's memory, nor if there are less than 8 MiB, which are transferred as fast without.
 *
 * Arrays that lie completely in registered memory are transferred directly; the results are the same. `data` must stay
 * allocated until it is unregistered with the same pointer, or until the runtime and its plans are destroyed.
 * Unregister it only while no call uses it. Memory that was registered twice must be unregistered twice.
 *
 * Errors: CLPRIM_INVALID_ARGUMENT (NULL, 0 bytes, or nothing is registered at this pointer), or OpenCL's code. */
CLPRIM_API clprim_status clprim_memory_register(clprim_runtime *runtime, void *data, size_t bytes);
CLPRIM_API clprim_status clprim_memory_unregister(clprim_runtime *runtime, const void *data);

/* How run (clprim_<operation>_run) may use memory, and how it reports progress. Zeroed: the defaults.
 *
 * run cuts a call into pieces if its arrays and scratch memory together take more than .device_memory, if an array is
 * larger than the device's max_allocation_size, or if pieces are faster (RUN IN PIECES in clprim/plan.h). While one
 * piece is copied to the device, kernels work on the previous piece, and the results of the piece before that are
 * copied back. */
typedef struct clprim_run_limits {
    /* The largest amount of device memory that one run uses at a time, in bytes: scratch memory, and buffers for the
     * arrays on the host. The default does not consider the caller's own buffers, other programs, and runs in other
     * threads: set less if there are any. Default: 0 (7/8 of the device's memory). */
    size_t device_memory;

    /* Host memory for what run keeps between pieces. `allocate` returns `bytes` bytes, aligned like those of malloc, or
     * NULL. `release` receives what allocate returned. Set both or neither. Default: NULL (malloc and free). */
    void *(*allocate)(void *user, size_t bytes);
    void (*release)(void *user, void *memory, size_t bytes);

    /* Called after each piece of a call that is cut, in the thread that called run. `operation` is the operation's name,
     * such as "reduce", and `done` of `total` elements are complete. If it returns a value other than 0, run ends with
     * CLPRIM_STOPPED, and the outputs may hold a part of the results. It must not use the runtime. Default: NULL. */
    int (*progress)(void *user, const char *operation, size_t done, size_t total);

    /* Passed to the functions above. Default: NULL. */
    void *user;
} clprim_run_limits;

/* Set the limits of all later runs of the runtime, which copies them. NULL sets the defaults. Do not call this while
 * another thread is in run.
 *
 * Errors: CLPRIM_INVALID_ARGUMENT (the runtime is NULL, or only one of allocate and release is given). */
CLPRIM_API clprim_status clprim_runtime_set_run_limits(clprim_runtime *runtime, const clprim_run_limits *limits);

/* The shared runtime of the process, made from a zeroed description. The first call makes it, and it lasts until the
 * process ends. clprim_<operation>_run uses it if its runtime is NULL.
 *
 * Errors: those of clprim_runtime_create. */
CLPRIM_API clprim_status clprim_runtime_default(clprim_runtime **out);

/* A runtime for the context and the device of `queue`, which the library keeps, so that a library or a plug-in that is
 * handed queues needs no table of its own. The first call for a context and a device makes the runtime; later calls for
 * any of their queues return the same one. Any number of threads may call this at the same time.
 *
 * *out is a reference of its own: release it with clprim_runtime_destroy() when it is no longer needed, and get another
 * one whenever it is needed again. The library holds a reference, too, so the compiled kernels and the scratch memory
 * stay until clprim_runtime_forget() or the end of the process. Until then the context is retained as well.
 *
 * The runtime's own queue is a new in-order queue, not `queue`: name the queue in each call of enqueue. On failure *out
 * is untouched.
 *
 * Errors: CLPRIM_INVALID_ARGUMENT (an argument is NULL), those of clprim_runtime_create. */
CLPRIM_API clprim_status clprim_runtime_of(clprim_runtime **out, cl_command_queue queue);

/* Release the library's references to the runtimes that clprim_runtime_of() has made for the context; NULL: for all
 * contexts. A runtime is destroyed when the last reference and the last plan are gone. The next call of
 * clprim_runtime_of() makes a new one. Other threads may use these runtimes, or ask for them, at the same time. */
CLPRIM_API void clprim_runtime_forget(cl_context context);

/* Where the runtime's kernels have come from, as numbers of programs. A program is a set of kernels that are compiled
 * together. */
typedef struct clprim_program_stats {
    size_t built;       /* compiled from source */
    size_t from_disk;   /* loaded from the cache on disk */
    size_t from_memory; /* found in this runtime */
    size_t rejected;    /* damaged, foreign or stale entries on disk, which were built anew */
} clprim_program_stats;

CLPRIM_API clprim_program_stats clprim_runtime_program_stats(const clprim_runtime *runtime);

/* Return how many things are wrong with the directory of compiled kernels, which is made if it does not exist:
 * - The runtime does not use it, because it is a link, belongs to another user, can be written to by others, or cannot
 *   be made.
 * - The latest kernels could not be stored.
 * - CLPRIM_CACHE or CLPRIM_CACHE_SIZE is malformed, and the default is used.
 * - The directory of CLPRIM_DUMP, which is made if it does not exist, cannot be used.
 * `out` receives a sentence about each, one per line, as many as fit. Nothing fails because of them, but runtimes may
 * then compile their kernels anew.
 *
 * Here and below, `out` has room for `capacity` bytes and always receives a terminated string. It may be NULL if
 * `capacity` is 0. */
CLPRIM_API size_t clprim_runtime_cache_problem(const clprim_runtime *runtime, char *out, size_t capacity);

/* Return the number of lines in the user's file of parameters (docs/tuning.md) that the runtime has ignored so far
 * because they are malformed or set what is not allowed. `out` receives a sentence about each, as many as fit. Nothing
 * fails because of them. */
CLPRIM_API size_t clprim_runtime_tuning_problems(const clprim_runtime *runtime, char *out, size_t capacity);

/* Return for how many kinds of plans this runtime has found a variant that gives wrong results on this device with this
 * driver, or that an earlier process was compiling or trying when it ended (PROCESSES THAT END in clprim/self_test.h).
 * `out` receives a sentence about each, as many as fit. These variants are disabled: AUTO skips them, and a plan that
 * names one is refused with CLPRIM_UNSUPPORTED, or with CLPRIM_BUILD_FAILED if the variant does not compile.
 * The findings are stored with the compiled kernels, for other runtimes. See CLPRIM_SELF_TEST, and clprim/self_test.h
 * for a test of all variants. */
CLPRIM_API size_t clprim_runtime_set_aside(const clprim_runtime *runtime, char *out, size_t capacity);

/* A kernel that was just enqueued, for traces and timings. */
typedef struct clprim_trace_record {
    const char *kernel;  /* name of the kernel function */
    const char *program; /* file of the kernel, such as "reduce/tree.cl" */
    cl_command_queue queue;

    /* The library owns the event: retain it to keep it. Its times can be read if the queue records them. */
    cl_event event;

    size_t global_size; /* in work-items */
    size_t local_size;  /* in work-items */
} clprim_trace_record;

typedef void (*clprim_trace_fn)(void *user, const clprim_trace_record *record);

/* Call `trace` for every kernel that plans of this runtime enqueue from now on, in the thread that enqueues it, before
 * the plan's function returns. Kernels that are recorded or replayed (clprim_plan_record) are not reported. NULL ends
 * the trace. Do not call this while other threads enqueue plans. */
CLPRIM_API void clprim_runtime_set_trace(clprim_runtime *runtime, clprim_trace_fn trace, void *user);

#ifdef __cplusplus
}
#endif
#endif
