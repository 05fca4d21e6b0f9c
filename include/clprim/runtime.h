/* clprim/runtime.h: one OpenCL device with its context, queue, compiled kernels and scratch memory.
 *
 * A runtime is made once and shared by every plan that works on its device.
 *
 * Threads: any number of them may create and destroy plans of one runtime at a time, and enqueue with plans of their
 * own, also to one queue. A plan itself is used by one thread at a time. clprim_last_error() is each thread's own.
 *
 * Failures: a function that fails returns a status other than CLPRIM_SUCCESS and leaves a sentence in
 * clprim_last_error(). It leaks nothing, and neither *out nor *done is written. Then,
 * - with CLPRIM_INVALID_* and CLPRIM_UNSUPPORTED: an argument was refused. Nothing was enqueued, no byte has changed.
 * - with CLPRIM_OUT_OF_MEMORY or OpenCL's own code: the host or the driver has failed, perhaps when a part of the
 *   operation was enqueued. That part still runs, when the wait list is complete; clFinish waits for it. What the
 *   operation was to write is undefined where its header promises no more; nothing else is written, and inputs that are
 *   not outputs too are as they were.
 * - in both cases plan and runtime can be used again, and the next call is right if the driver is.
 * The run functions (clprim_<operation>_run) return when nothing uses the caller's arrays any more. If copying back
 * fails, or a call that goes through the device in parts (clprim_run_limits), a part of the results may be there; after
 * any other failure the arrays on the host are untouched. What the device fails at later, or cannot begin because an
 * event of the wait list has failed, shows in the event's execution status, as with any command. On an out-of-order
 * queue the plan can be used again once the event shows that: the next call clears the memory that the plan keeps from
 * call to call. On an in-order queue that memory is undefined: make the plan anew. Calls of other plans do not wait for
 * a call that has failed. While it is pending they may: plans without scratch memory of their own
 * (clprim_plan_set_scratch) share eight buffers of the runtime. When all of them were last used on other queues, a new
 * call waits for one of those calls, and fails if that call fails later.
 *
 * Times: the event of an operation completes with the whole operation, but its profiling times are those of the last
 * command alone. To measure an operation enqueue a marker (clEnqueueMarkerWithWaitList), let the operation wait for it,
 * and take the time from the marker's CL_PROFILING_COMMAND_END to that of the operation's event.
 * clprim_runtime_set_trace() gives the event of each kernel, and CLPRIM_TRACE a timeline of all commands.
 *
 * Trust: operators, predicates and orders given as text are code that is compiled and run. See SECURITY.md.
 *
 * Environment, read when a runtime is created:
 *   CLPRIM_DEVICE      which device a NULL description takes: "gpu", "cpu", "accelerator", an index into
 *                      clprim_runtime_devices(), or a part of the device's or platform's name ("H200", "portable")
 *   CLPRIM_CACHE       "off": compiled kernels are neither read from nor written to disk
 *   CLPRIM_CACHE_DIR   where they are kept; default $XDG_CACHE_HOME/clprim, else $HOME/.cache/clprim
 *   CLPRIM_CACHE_SIZE  MiB that they may take there, default 64; 0: any number. Those used least recently are removed
 *   CLPRIM_KERNEL_DIR  read kernel sources from this directory instead of the copies inside the library
 *   CLPRIM_SELF_TEST   "always": every variant is tried on small arrays when the first plan of its kind is made, and
 *                      disabled if it gives wrong results (clprim_runtime_set_aside); "off": no variant is tried;
 *                      default: variants are tried on drivers that the project does not test (docs/reliability.md)
 *   CLPRIM_TRACE       record all calls and commands in this file, a timeline (docs/timeline.md); "%p" in it becomes
 *                      the process's number
 *   CLPRIM_TUNING      a file of parameters to use instead of the library's own (docs/tuning.md), "off": none; default
 *                      $XDG_CONFIG_HOME/clprim/tuning.txt, else $HOME/.config/clprim/tuning.txt
 *   CLPRIM_WITHOUT     features of the device to do without, to try the other paths: a list, separated by commas, of
 *                      sub_groups, int64_atomics, device_fence, forward_progress, group_order, fp64, svm,
 *                      command_buffers, unified_memory
 */
#ifndef CLPRIM_RUNTIME_H
#define CLPRIM_RUNTIME_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>

#include <clprim/export.h>
#include <clprim/status.h>

#ifdef __cplusplus
extern "C" {
#endif

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
    CLPRIM_VENDOR_MESA
} clprim_vendor;

/* How kernels reach the other work-items of their sub-group (warp, wavefront). */
typedef enum clprim_sub_group_means {
    CLPRIM_SUB_GROUP_NONE = 0, /* not at all: local memory and barriers stand in */
    CLPRIM_SUB_GROUP_PTX,      /* inline PTX */
    CLPRIM_SUB_GROUP_KHR,      /* cl_khr_subgroups or OpenCL 2.1 */
    CLPRIM_SUB_GROUP_INTEL     /* cl_intel_subgroups */
} clprim_sub_group_means;

/* The facts about a device that the library chooses by; asked of the driver once. Sizes in bytes. */
typedef struct clprim_device_info {
    size_t index; /* place in clprim_runtime_devices(), as CLPRIM_DEVICE takes it; SIZE_MAX for a caller's own device */
    cl_platform_id platform;
    cl_device_id device;
    char name[128];
    char vendor_name[64];
    char driver_version[64];
    char platform_name[64];
    char platform_version[128];
    clprim_device_kind kind;
    clprim_vendor vendor;
    unsigned opencl_c_version; /* that kernels are compiled for: 120 for OpenCL C 1.2 */
    unsigned compute_units;
    size_t max_work_group_size;
    size_t local_memory_size;
    size_t global_memory_size;
    size_t max_allocation_size;
    size_t base_address_alignment; /* of sub-buffers */
    unsigned sub_group_size;       /* usual number of work-items in a sub-group; 1 where there are none */
    clprim_sub_group_means sub_group_means;
    bool has_int64_atomics;
    bool has_fp64;
    bool has_fp16;
    bool has_denormals_f32;    /* f32 arithmetic keeps denormals and rounds to nearest even */
    bool has_warp_reduction;   /* NVIDIA, from compute capability 8.0 on: one instruction folds integers over a warp */
    bool has_device_fence;     /* one work-group can publish memory to another within one kernel */
    bool has_forward_progress; /* a work-group that was started runs on while others wait for it */
    bool starts_groups_in_order; /* ... and groups are started in the order of their numbers */
    bool is_unified_memory;      /* host and device share memory */
    bool has_svm;                /* shared virtual memory: kernels can use what clSVMAlloc returns */
    bool has_system_svm;         /* ... and, without map and unmap, all other memory of the host */
    bool has_command_buffers;    /* cl_khr_command_buffer: clprim_plan_record (clprim/plan.h) */
} clprim_device_info;

/* How to make a runtime. A zeroed description, or NULL, takes the best device there is (CLPRIM_DEVICE, else a GPU
 * before an accelerator before a CPU, then the one with more compute units).
 * To work inside a program that uses OpenCL already, give `queue`, or `context` (and `device` where the context has
 * several): they stay the caller's, who may release them at any time; the runtime holds references of its own. A
 * `select` beside them must match their device; CLPRIM_DEVICE is not read then. */
typedef struct clprim_runtime_desc {
    const char *select;     /* as CLPRIM_DEVICE, which it overrides; NULL: not given */
    cl_context context;     /* NULL: made by the runtime */
    cl_device_id device;    /* NULL: chosen */
    cl_command_queue queue; /* NULL: an in-order queue made by the runtime */
    bool profiling;         /* the runtime's own queue records times (slower calls); see "Times" */
} clprim_runtime_desc;

/* List the devices of all platforms. Platforms that are empty or broken are passed over. Writes the first `capacity`
 * of them to out (which may be NULL with capacity 0) and how many there are to *count, which may be 0.
 * Errors: CLPRIM_INVALID_ARGUMENT. */
CLPRIM_API clprim_status clprim_runtime_devices(clprim_device_info *out, size_t capacity, size_t *count);

/* Make a runtime. On failure *out is untouched.
 * Errors: CLPRIM_NO_DEVICE (also where the only devices there are do not answer: the sentence names the call),
 * CLPRIM_INVALID_ARGUMENT (also where the file of CLPRIM_TRACE cannot be written, or for an unknown CLPRIM_SELF_TEST),
 * CLPRIM_OUT_OF_MEMORY, or OpenCL's own code. */
CLPRIM_API clprim_status clprim_runtime_create(clprim_runtime **out, const clprim_runtime_desc *desc);

/* Give up a runtime; NULL is allowed. Plans keep what they need: they may be destroyed before or after. */
CLPRIM_API void clprim_runtime_destroy(clprim_runtime *runtime);

/* What the runtime works with; NULL where the runtime is. All of these stay the runtime's: retain what must outlive it. */
CLPRIM_API const clprim_device_info *clprim_runtime_info(const clprim_runtime *runtime);
CLPRIM_API cl_context clprim_runtime_context(const clprim_runtime *runtime);
CLPRIM_API cl_command_queue clprim_runtime_queue(const clprim_runtime *runtime);

/* Give back memory that the runtime keeps to be faster the next time: idle scratch memory, and the pinned memory
 * through which arrays on the host go to a device that has memory of its own (up to 28 MiB and 7 threads that sleep, in
 * each direction). It is made again when it is needed. NULL is allowed. */
CLPRIM_API void clprim_runtime_trim(clprim_runtime *runtime);

/* Memory on the host that many calls of run use: pin it, so that the device reads and writes it directly, at the speed
 * of the bus. To register memory takes as long as some three transfers of it. On a device that shares the host's memory
 * there is nothing to do. `data` must stay until it is unregistered, by the same pointer and while no call uses it, or
 * until the runtime and its plans are destroyed. Arrays that lie wholly in it are transferred directly; results are the
 * same with and without. Registered twice, it must be unregistered twice.
 * Errors: CLPRIM_INVALID_ARGUMENT (NULL, no bytes; nothing is registered there), or OpenCL's code. */
CLPRIM_API clprim_status clprim_memory_register(clprim_runtime *runtime, void *data, size_t bytes);
CLPRIM_API clprim_status clprim_memory_unregister(clprim_runtime *runtime, const void *data);

/* How run (clprim_<operation>_run) may use memory, and whom it tells how far it is. Zeroed: the defaults.
 *
 * If a call of run with its arrays and its scratch memory takes more than `device_memory`, or an array is larger than
 * the device's max_allocation_size, the call goes through the device in parts: while one part is copied to the device,
 * kernels work on the part before it, and results of the part before that are copied back. A call that fits goes in
 * parts, too, where that is faster. clprim/plan.h says which calls can be cut. */
typedef struct clprim_run_limits {
    /* Bytes of device memory that one run uses at a time: buffers in place of the arrays on the host, and scratch
     * memory. Default: 7/8 of all of the device's memory. What the caller's own buffers, other programs and runs in
     * other threads take is not subtracted: set less where there is such. */
    size_t device_memory;
    /* Memory on the host for what is kept between the parts: `allocate` returns `bytes` bytes, aligned as malloc aligns
     * them, or NULL; `release` gets what it returned. Set both or neither. Default: malloc and free. */
    void *(*allocate)(void *user, size_t bytes);
    void (*release)(void *user, void *memory, size_t bytes);
    /* Called in the thread that called run, after each part of a call that is cut: `operation` is its name ("reduce"),
     * `done` of `total` elements are through. If it returns anything but 0, run ends with CLPRIM_STOPPED; a part of the
     * results may be there. It must not use the runtime. Default: nobody is told. */
    int (*progress)(void *user, const char *operation, size_t done, size_t total);
    void *user; /* handed to the functions */
} clprim_run_limits;

/* Use these limits, which are copied, in all later runs of the runtime. NULL: the defaults. Not to be called while run
 * is under way in another thread.
 * Errors: CLPRIM_INVALID_ARGUMENT (the runtime is NULL, or one of allocate and release is given alone). */
CLPRIM_API clprim_status clprim_runtime_set_run_limits(clprim_runtime *runtime, const clprim_run_limits *limits);

/* The process's shared runtime on the best device, made at the first call and kept until the process ends; what
 * clprim_<operation>_run uses when its runtime is NULL.
 * Errors: as clprim_runtime_create. */
CLPRIM_API clprim_status clprim_runtime_default(clprim_runtime **out);

/* How kernels came to be, since the runtime was created. */
typedef struct clprim_program_stats {
    size_t built;       /* compiled from source */
    size_t from_disk;   /* loaded from the cache on disk */
    size_t from_memory; /* found in this runtime */
    size_t rejected;    /* entries on disk that were damaged, foreign or stale, and were rebuilt */
} clprim_program_stats;

CLPRIM_API clprim_program_stats clprim_runtime_program_stats(const clprim_runtime *runtime);

/* Whether the directory of compiled kernels is there but not used, since it is a link, belongs to another user or may
 * be written to by others: 1, and why as a sentence in `out` (which may be NULL with capacity 0), always ended; else 0.
 * Nothing fails because of it; kernels are then compiled each time. */
CLPRIM_API size_t clprim_runtime_cache_problem(const clprim_runtime *runtime, char *out, size_t capacity);

/* Lines of the user's file of parameters (docs/tuning.md) that the runtime passed over so far, since they are malformed
 * or have what is not allowed: how many, and of the first ones a sentence each, as many as `out` has room for (which
 * may be NULL with capacity 0), always ended. Nothing fails because of them. */
CLPRIM_API size_t clprim_runtime_tuning_problems(const clprim_runtime *runtime, char *out, size_t capacity);

/* The variants that were found wrong on this device and by this driver so far, since the runtime was created: how many,
 * and of each kind of plan a sentence, as many as `out` has room for (which may be NULL with capacity 0), always ended.
 * AUTO passes them over; where one is asked for by name the plan is refused with CLPRIM_UNSUPPORTED, or
 * CLPRIM_BUILD_FAILED where it does not compile. What was found is kept beside the compiled kernels for other runtimes.
 * See CLPRIM_SELF_TEST, and clprim/self_test.h for a test of all variants. */
CLPRIM_API size_t clprim_runtime_set_aside(const clprim_runtime *runtime, char *out, size_t capacity);

/* A kernel that was just enqueued, for traces and timings. `event` is the library's: retain it to keep it; its times
 * can be read (clGetEventProfilingInfo) where the queue records them. */
typedef struct clprim_trace_record {
    const char *kernel;  /* the kernel's function name */
    const char *program; /* its file, e.g. "reduce/tree.cl" */
    cl_command_queue queue;
    cl_event event;
    size_t global_size;
    size_t local_size;
} clprim_trace_record;

typedef void (*clprim_trace_fn)(void *user, const clprim_trace_record *record);

/* Call `trace` for every kernel enqueued from now on by plans of this runtime, in the thread that enqueues it and
 * before the plan's function returns; not for what is recorded or replayed (clprim_plan_record). NULL ends it. Not to
 * be called while plans are enqueuing in other threads. */
CLPRIM_API void clprim_runtime_set_trace(clprim_runtime *runtime, clprim_trace_fn trace, void *user);

#ifdef __cplusplus
}
#endif
#endif
