/* double.h: a device in software. A layer between a program and libOpenCL (LD_PRELOAD) that makes the device of another
 * driver, PoCL, look like a device that nobody here has, and holds programs to that device's limits. Nothing of clPRIM is
 * in it: it sees a program's calls alone. README.md in this folder lists the variables and the profiles.
 *
 * Where a program asks for more than the device has, the call fails as the standard says, and a line on stderr that
 * begins with DOUBLE_FOUND says what was asked for: a test fails on that line even if the program copes with the error. */
#ifndef CLPRIM_TESTS_DOUBLE_H
#define CLPRIM_TESTS_DOUBLE_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <stdbool.h>
#include <stddef.h>

#define DOUBLE_FOUND "double: found: "

enum { DOUBLE_MOST_WIDTHS = 4 };

/* What a device reports. Strings and numbers are as its driver gives them. */
typedef struct double_profile {
    const char *id;
    const char *source; /* of the facts: the address of a published clinfo output, or what the profile is made for */
    const char *platform, *platform_version, *vendor, *device, *version, *c_version, *driver;
    const char *extensions; /* each followed by a space */
    size_t group_size;
    cl_ulong local_memory, global_memory, allocation; /* bytes */
    cl_uint compute_units, address_bits, alignment;   /* the last in bits */
    cl_device_fp_config single;
    cl_device_svm_capabilities svm;
    cl_device_atomic_capabilities atomics; /* of OpenCL 3.0; 0: the query is not known */
    size_t widths[DOUBLE_MOST_WIDTHS];     /* of sub-groups, as Intel's driver lists them */
    cl_uint wavefront;                     /* as AMD's driver says; 0: the query is not known */
    cl_uint capability;                    /* NVIDIA's compute capability, times 10; 0: its queries are not known */
    bool is_unified;
    bool halves_kernels; /* a kernel by whose name a hash says so may have but half as many work-items in a group */
} double_profile;

typedef enum double_order { DOUBLE_AS_IS, DOUBLE_REVERSE, DOUBLE_STRIDE, DOUBLE_SHUFFLE, DOUBLE_STARVE } double_order;
typedef enum double_compiler {
    DOUBLE_WORKS,
    DOUBLE_CRASHES,
    DOUBLE_HANGS,
    DOUBLE_MISCOMPILES,
    DOUBLE_REFUSES
} double_compiler;

/* From the environment, once. */
typedef struct double_settings {
    const double_profile *profile; /* NULL: the device is as it is */
    double_order order;
    double_compiler compiler;
    const char *victim; /* what a program's text, or options, or a kernel's name, must contain; "" is in all */
    const char *dump;   /* a folder, or NULL */
    bool is_null;       /* nothing is compiled, and nothing runs */
    unsigned patience;  /* seconds that a kernel may run */
} double_settings;

const double_settings *double_get(void);
const double_profile *double_find(const char *id);

/* Is `name` one of the extensions that are reported? What the driver below cannot do is not. */
bool double_has(const char *name);
/* Those that are reported; also what the driver below has, whether or not the profile does. */
const char *double_extensions(void);
bool double_below_has(const char *name);

/* CLPRIM_DOUBLE_TICKET, or NULL. */
const char *double_ticket(void);

/* The text that goes before a program's. The caller frees it; NULL without memory. */
char *double_text(void);

/* A line on stderr. */
void double_found(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Of programs.c: what the layer keeps of a program. */
typedef struct double_program double_program;
bool double_is_victim(cl_program program, const char *kernel);
/* How many work-items a kernel may have in a group by the profile alone; 0: any number. */
size_t double_kernel_limit(cl_kernel kernel);
/* Local memory that arguments take, by clSetKernelArg. */
cl_ulong double_argument_memory(cl_kernel kernel);

/* Of watch.c: wait for the event's end elsewhere, and end the process if that takes too long. */
void double_watch(cl_event event, const char *kernel);
/* Memory at DOUBLE_PAGE, where kernels find it, too; false if it cannot be had there. */
bool double_map_page(void);
#define DOUBLE_PAGE 0x5c0000000000

/* The function below. */
void (*double_below(const char *name))(void);
#define BELOW(function) ((__typeof__(&function))double_below(#function))

#endif
