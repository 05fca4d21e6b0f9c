// SPDX-License-Identifier: MIT
/* double.h: a device in software. A layer between a program and libOpenCL (LD_PRELOAD) that makes the device of
 * another driver, PoCL, look like a device that is not available here, and holds programs to that device's limits.
 * It does not use clPRIM: it sees only a program's calls. README.md in this folder lists the variables and the
 * profiles.
 *
 * If a program asks for more than the device has, the call fails as the standard says, and a line on stderr that
 * begins with DOUBLE_FOUND says what was asked for. A test fails because of that line even if the program handles
 * the error. */
#ifndef CLPRIM_TESTS_DOUBLE_H
#define CLPRIM_TESTS_DOUBLE_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <stdbool.h>
#include <stddef.h>

#define DOUBLE_FOUND "double: found: "

enum { DOUBLE_MOST_WIDTHS = 4 };

/* The information that a device reports. Strings and numbers are those of its driver. */
typedef struct double_profile {
    const char *id;
    const char *source; /* of the facts: the address of a published clinfo output; or the purpose of the profile */
    const char *platform, *platform_version, *vendor, *device, *version, *c_version, *driver;
    const char *extensions; /* each followed by a space */
    size_t group_size;
    cl_ulong local_memory, global_memory, allocation; /* bytes */
    cl_uint compute_units, address_bits, alignment;   /* alignment is in bits */
    cl_device_fp_config single;
    cl_device_svm_capabilities svm;
    cl_device_atomic_capabilities atomics; /* of OpenCL 3.0; 0: the device does not know the query */
    size_t widths[DOUBLE_MOST_WIDTHS];     /* of sub-groups, as Intel's driver lists them */
    cl_uint wavefront;                     /* as AMD's driver reports it; 0: the device does not know the query */
    cl_uint capability;                    /* NVIDIA's compute capability, times 10; 0: the device does not know its
                                            * queries */
    bool is_unified;
    bool halves_kernels; /* some kernels, chosen by a hash of their names, allow only half as many work-items in a
                          * group */
} double_profile;

typedef enum double_order { DOUBLE_AS_IS, DOUBLE_REVERSE, DOUBLE_STRIDE, DOUBLE_SHUFFLE, DOUBLE_STARVE } double_order;
typedef enum double_compiler {
    DOUBLE_WORKS,
    DOUBLE_CRASHES,
    DOUBLE_HANGS,
    DOUBLE_MISCOMPILES,
    DOUBLE_REFUSES
} double_compiler;

/* Read from the environment once. */
typedef struct double_settings {
    const double_profile *profile; /* NULL: the device is unchanged */
    double_order order;
    double_compiler compiler;
    const char *victim; /* a text that programs, options or names of kernels must contain; "" is in all */
    const char *dump;   /* a folder, or NULL */
    bool is_null;       /* nothing is compiled or run */
    unsigned patience;  /* seconds that a kernel may run */
} double_settings;

const double_settings *double_get(void);
const double_profile *double_find(const char *id);

/* Whether `name` is one of the reported extensions. Extensions that the driver below lacks are not reported. */
bool double_has(const char *name);
/* The reported extensions; and whether the driver below has one, regardless of the profile. */
const char *double_extensions(void);
bool double_below_has(const char *name);

/* CLPRIM_DOUBLE_TICKET, or NULL. */
const char *double_ticket(void);

/* The text that precedes a program's. The caller frees it; NULL: out of memory. */
char *double_text(void);

/* Write a line to stderr. */
void double_found(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* In programs.c: what the layer knows of a program. */
typedef struct double_program double_program;
bool double_is_victim(cl_program program, const char *kernel);
/* How many work-items the profile allows a kernel in a group; 0: any number. */
size_t double_kernel_limit(cl_kernel kernel);
/* Local memory of arguments, set by clSetKernelArg. */
cl_ulong double_argument_memory(cl_kernel kernel);

/* In watch.c: wait for the event's end on another thread, and end the process if that takes too long. */
void double_watch(cl_event event, const char *kernel);
/* Map memory at DOUBLE_PAGE, where kernels find it, too. False if that is not possible. */
bool double_map_page(void);
#define DOUBLE_PAGE 0x5c0000000000

/* The function of the driver below. */
void (*double_below(const char *name))(void);
#define BELOW(function) ((__typeof__(&function))double_below(#function))

#endif
