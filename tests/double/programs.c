// SPDX-License-Identifier: MIT
/* programs.c: programs and kernels. Builds give what the device could build; on demand, they fail, or give wrong
 * programs. */
#include "double.h"

#include <ctype.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_ARGUMENTS = 64, NAME_SIZE = 256 };

/* Without a driver (CLPRIM_DOUBLE_NULL), handles are pointers to these. */
struct double_program {
    double_program *next;
    cl_program handle;
    char *text, *options, *log; /* the first two as the program gave them; the log says why a build was refused, or is
                                 * NULL */
    cl_context context;
    unsigned references; /* without a driver */
};

typedef struct double_kernel {
    struct double_kernel *next;
    cl_kernel handle;
    cl_program program;
    char name[NAME_SIZE];
    size_t argument_memory[MOST_ARGUMENTS];
    unsigned references; /* without a driver */
} double_kernel;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* guards both lists */
static double_program *programs;
static double_kernel *kernels;

static double_program *find_program(cl_program handle)
{
    double_program *p = programs;
    while (p != NULL && p->handle != handle)
        p = p->next;
    return p;
}

static double_kernel *find_kernel(cl_kernel handle)
{
    double_kernel *k = kernels;
    while (k != NULL && k->handle != handle)
        k = k->next;
    return k;
}

static void free_program(double_program *victim)
{
    for (double_program **link = &programs; *link != NULL; link = &(*link)->next) {
        if (*link == victim) {
            *link = victim->next;
            break;
        }
    }
    free(victim->text);
    free(victim->options);
    free(victim->log);
    free(victim);
}

static void free_kernel(double_kernel *victim)
{
    for (double_kernel **link = &kernels; *link != NULL; link = &(*link)->next) {
        if (*link == victim) {
            *link = victim->next;
            break;
        }
    }
    free(victim);
}

static void tell(cl_int *out, cl_int code)
{
    if (out != NULL)
        *out = code;
}

static char *join(cl_uint count, const char **strings, const size_t *lengths)
{
    size_t all = 1;
    for (cl_uint i = 0; i < count; i++)
        all += lengths != NULL && lengths[i] != 0 ? lengths[i] : strlen(strings[i]);
    char *out = malloc(all);
    size_t used = 0;
    for (cl_uint i = 0; out != NULL && i < count; i++) {
        const size_t length = lengths != NULL && lengths[i] != 0 ? lengths[i] : strlen(strings[i]);
        memcpy(out + used, strings[i], length);
        used += length;
    }
    if (out != NULL)
        out[used] = '\0';
    return out;
}

/* CLPRIM_DOUBLE_MACROS, "NAME=DIGIT,...": replaces the digit after "-DNAME=" in options, and after "#define NAME " in
 * texts. Tests use it to keep out of programs what the compiler below would miscompile. */
static void set_macros(char *text)
{
    static const char *const before[] = {"-D", "#define "};
    for (const char *at = getenv("CLPRIM_DOUBLE_MACROS"); text != NULL && at != NULL && *at != '\0';) {
        const int name = (int)strcspn(at, "=");
        for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
            char wanted[NAME_SIZE];
            const int length = snprintf(wanted, sizeof wanted, "%s%.*s%c", before[i], name, at, i == 0 ? '=' : ' ');
            for (char *found = text; (found = strstr(found, wanted)) != NULL; found += length)
                if (found[length] >= '0' && found[length] <= '9' && at[name] == '=')
                    found[length] = at[name + 1];
        }
        at += strcspn(at, ",");
        at += *at == ',';
    }
}

/* CLPRIM_DOUBLE_ROLLED: in a text that contains this, no pragma unrolls a loop. The compiler below copies the code
 * after a barrier in an `if`: if eight of them follow one another, it takes minutes. */
static void roll_loops(char *text)
{
    const char *word = getenv("CLPRIM_DOUBLE_ROLLED");
    if (word == NULL || word[0] == '\0' || strstr(text, word) == NULL)
        return;
    for (char *found = text; (found = strstr(found, "#pragma unroll")) != NULL;)
        memset(found, ' ', strcspn(found, "\n"));
}

/* CLPRIM_DOUBLE_TICKET names a function. Results of its calls are replaced by a macro of text.c, which has the same
 * name except for the first letter; and except for the second letter, if the library passes the kernel's arguments on
 * to all functions. */
static void take_tickets(char *text)
{
    char wanted[NAME_SIZE];
    const char *name = double_ticket();
    if (name == NULL)
        return;
    const int length = snprintf(wanted, sizeof wanted, "= %s(", name);
    for (char *found = text; (found = strstr(found, wanted)) != NULL; found += length) {
        found[2] = (char)toupper((unsigned char)found[2]);
        if (strncmp(found + length, "PASSED,", 7) == 0)
            found[3] = (char)toupper((unsigned char)found[3]);
    }
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **strings, const size_t *lengths,
                                     cl_int *code)
{
    double_program *self = calloc(1, sizeof *self);
    char *before = double_text();
    if (self == NULL || before == NULL || (self->text = join(count, strings, lengths)) == NULL) {
        free(self);
        free(before);
        tell(code, CL_OUT_OF_HOST_MEMORY);
        return NULL;
    }
    set_macros(self->text);
    take_tickets(self->text);
    roll_loops(self->text);
    const char *both[] = {before, self->text};
    self->context = context;
    self->references = 1;
    self->handle = (cl_program)self;
    tell(code, CL_SUCCESS);
    if (!double_get()->is_null)
        self->handle = BELOW(clCreateProgramWithSource)(context, 2, both, NULL, code);
    free(before);
    const cl_program handle = self->handle;
    pthread_mutex_lock(&mutex);
    self->next = programs;
    programs = self;
    if (handle == NULL)
        free_program(self);
    pthread_mutex_unlock(&mutex);
    return handle;
}

cl_program clCreateProgramWithBinary(cl_context context, cl_uint count, const cl_device_id *devices,
                                     const size_t *lengths, const unsigned char **binaries, cl_int *states,
                                     cl_int *code)
{
    if (!double_get()->is_null)
        return BELOW(clCreateProgramWithBinary)(context, count, devices, lengths, binaries, states, code);
    tell(code, CL_INVALID_VALUE);
    return NULL;
}

cl_int clRetainProgram(cl_program program)
{
    if (!double_get()->is_null)
        return BELOW(clRetainProgram)(program);
    pthread_mutex_lock(&mutex);
    ((double_program *)program)->references++;
    pthread_mutex_unlock(&mutex);
    return CL_SUCCESS;
}

cl_int clReleaseProgram(cl_program program)
{
    cl_uint references = 0;
    cl_int code = CL_SUCCESS;
    const bool is_null = double_get()->is_null;
    pthread_mutex_lock(&mutex);
    double_program *self = find_program(program);
    if (is_null && self != NULL)
        references = self->references--;
    else if (!is_null)
        (void)BELOW(clGetProgramInfo)(program, CL_PROGRAM_REFERENCE_COUNT, sizeof references, &references, NULL);
    if (!is_null)
        code = BELOW(clReleaseProgram)(program);
    if (self != NULL && references == 1)
        free_program(self);
    pthread_mutex_unlock(&mutex);
    return code;
}

/* FNV-1a */
static uint64_t hash_of(const char *text, uint64_t hash)
{
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash;
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    if (file == NULL || fputs(text, file) < 0)
        perror(path);
    if (file != NULL)
        (void)fclose(file);
}

/* HASH.cl and HASH.options: the same program with the same options goes to the same file. */
static void dump(const double_program *self, const char *options)
{
    char path[4096];
    const char *folder = double_get()->dump;
    const unsigned long long hash = hash_of(options, hash_of(self->text, 0xcbf29ce484222325u));
    if (folder == NULL)
        return;
    (void)snprintf(path, sizeof path, "%s/%016llx.cl", folder, hash);
    write_file(path, self->text);
    (void)snprintf(path, sizeof path, "%s/%016llx.options", folder, hash);
    write_file(path, options);
}

static bool is_in(const char *text, const char *part)
{
    return text != NULL && strstr(text, part) != NULL;
}

/* The names of a program's kernels are in its text. */
bool double_is_victim(cl_program program, const char *kernel)
{
    const char *victim = double_get()->victim;
    if (is_in(kernel, victim))
        return true;
    pthread_mutex_lock(&mutex);
    const double_program *self = find_program(program);
    const bool is_victim = self != NULL && (is_in(self->text, victim) || is_in(self->options, victim));
    pthread_mutex_unlock(&mutex);
    return is_victim;
}

static cl_int refuse(double_program *self, cl_int code, const char *why)
{
    pthread_mutex_lock(&mutex);
    free(self->log);
    self->log = strdup(why);
    pthread_mutex_unlock(&mutex);
    return code;
}

/* Whether options ask for a version that the device's compiler does not support. A device of OpenCL 3.0 supports OpenCL
 * C 3.0. */
static bool asks_for_more(const char *options)
{
    const double_profile *profile = double_get()->profile;
    const char *wanted = strstr(options, "-cl-std=CL");
    if (profile == NULL || wanted == NULL)
        return false;
    wanted += strlen("-cl-std=CL");
    const char *has = profile->c_version + strlen("OpenCL C ");
    const char *device = profile->version + strlen("OpenCL ");
    return strncmp(wanted, has, 3) > 0 && strncmp(wanted, device, 3) != 0;
}

/* Kernels that no group could run: real compilers refuse them. */
static bool exceeds(char *why, size_t size, cl_program program, cl_device_id device)
{
    enum { MOST_KERNELS = 64 };
    cl_kernel all[MOST_KERNELS];
    cl_uint count = 0;
    const double_profile *profile = double_get()->profile;
    why[0] = '\0';
    if (profile == NULL || BELOW(clCreateKernelsInProgram)(program, MOST_KERNELS, all, &count) != CL_SUCCESS)
        return false;
    for (cl_uint i = 0; i < count; i++) {
        char name[NAME_SIZE] = "";
        cl_ulong memory = 0;
        size_t required[3] = {0};
        (void)BELOW(clGetKernelInfo)(all[i], CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
        (void)BELOW(clGetKernelWorkGroupInfo)(all[i], device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof memory, &memory, NULL);
        (void)BELOW(clGetKernelWorkGroupInfo)(all[i], device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required,
                                              required, NULL);
        if (memory > profile->local_memory)
            (void)snprintf(why, size, "%s takes %llu bytes of local memory; the device has %llu", name,
                           (unsigned long long)memory, (unsigned long long)profile->local_memory);
        if (required[0] * required[1] * required[2] > profile->group_size)
            (void)snprintf(why, size, "%s requires groups of %zu work-items; the device has at most %zu", name,
                           required[0] * required[1] * required[2], profile->group_size);
        (void)BELOW(clReleaseKernel)(all[i]);
    }
    return why[0] != '\0';
}

static void misbehave(void)
{
    const double_settings *settings = double_get();
    if (settings->compiler == DOUBLE_CRASHES) {
        (void)fprintf(stderr, "double: the compiler crashes\n");
        (void)signal(SIGSEGV, SIG_DFL);
        (void)raise(SIGSEGV);
    }
    if (settings->compiler == DOUBLE_HANGS) {
        (void)fprintf(stderr, "double: the compiler hangs\n");
        for (;;)
            (void)pause();
    }
}

/* PoCL 3.1 compiles OpenCL C 1.2 and 3.0, but 2.0 only if no private address of a vector is used: so it gets 3.0
 * instead of 2.0. */
static void choose_version(char *options)
{
    char *version = strstr(options, "-cl-std=CL2.");
    if (version != NULL)
        memcpy(version, "-cl-std=CL3.", strlen("-cl-std=CL3."));
}

static cl_int build_below(double_program *self, cl_uint count, const cl_device_id *devices, const char *options,
                          void(CL_CALLBACK *notify)(cl_program, void *), void *user)
{
    static const char single[] = " -cl-single-precision-constant";
    char why[512];
    char *all = malloc(strlen(options) + sizeof single);
    if (all == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    strcpy(all, options);
    choose_version(all);
    if (double_get()->profile != NULL && !double_has("cl_khr_fp64"))
        strcat(all, single);
    cl_int code = BELOW(clBuildProgram)(self->handle, count, devices, all, notify, user);
    free(all);
    if (code == CL_SUCCESS && count > 0 && exceeds(why, sizeof why, self->handle, devices[0])) {
        double_found("%s", why);
        code = refuse(self, CL_BUILD_PROGRAM_FAILURE, why);
    }
    return code;
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                      void(CL_CALLBACK *notify)(cl_program, void *), void *user)
{
    const double_settings *settings = double_get();
    pthread_mutex_lock(&mutex);
    double_program *self = find_program(program);
    if (self != NULL) {
        free(self->options);
        self->options = strdup(options != NULL ? options : "");
        set_macros(self->options);
    }
    pthread_mutex_unlock(&mutex);
    if (self == NULL) /* from a binary */
        return BELOW(clBuildProgram)(program, count, devices, options, notify, user);
    if (self->options == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    dump(self, self->options);
    if (settings->compiler != DOUBLE_WORKS && double_is_victim(program, NULL)) {
        misbehave();
        if (settings->compiler == DOUBLE_REFUSES)
            return refuse(self, CL_BUILD_PROGRAM_FAILURE, "the double refuses this program");
    }
    if (asks_for_more(self->options)) {
        double_found("options \"%s\" ask for more than %s", self->options, settings->profile->c_version);
        return refuse(self, CL_INVALID_BUILD_OPTIONS, "the device's compiler does not know this version");
    }
    return settings->is_null ? CL_SUCCESS : build_below(self, count, devices, self->options, notify, user);
}

static cl_int give(const void *value, size_t needed, size_t size, void *out, size_t *out_size)
{
    if (out_size != NULL)
        *out_size = needed;
    if (out != NULL && size < needed)
        return CL_INVALID_VALUE;
    if (out != NULL)
        memcpy(out, value, needed);
    return CL_SUCCESS;
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info what, size_t size,
                             void *out, size_t *out_size)
{
    const bool is_null = double_get()->is_null;
    bool is_answered = false;
    cl_int code = CL_INVALID_VALUE;
    pthread_mutex_lock(&mutex);
    const double_program *self = find_program(program);
    if (self != NULL && (is_null || self->log != NULL)) {
        const cl_build_status status = self->log != NULL ? CL_BUILD_ERROR : CL_BUILD_SUCCESS;
        const char *log = self->log != NULL ? self->log : "";
        is_answered = true;
        if (what == CL_PROGRAM_BUILD_STATUS)
            code = give(&status, sizeof status, size, out, out_size);
        else if (what == CL_PROGRAM_BUILD_LOG)
            code = give(log, strlen(log) + 1, size, out, out_size);
        else
            is_answered = is_null;
    }
    pthread_mutex_unlock(&mutex);
    return is_answered ? code : BELOW(clGetProgramBuildInfo)(program, device, what, size, out, out_size);
}

cl_int clGetProgramInfo(cl_program program, cl_program_info what, size_t size, void *out, size_t *out_size)
{
    const double_program *self = (const double_program *)program;
    if (!double_get()->is_null)
        return BELOW(clGetProgramInfo)(program, what, size, out, out_size);
    if (what == CL_PROGRAM_CONTEXT)
        return give(&self->context, sizeof self->context, size, out, out_size);
    return CL_INVALID_VALUE;
}

cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *code)
{
    double_kernel *self = calloc(1, sizeof *self);
    if (self == NULL) {
        tell(code, CL_OUT_OF_HOST_MEMORY);
        return NULL;
    }
    self->program = program;
    self->references = 1;
    (void)snprintf(self->name, sizeof self->name, "%s", name);
    if (double_get()->is_null) {
        const bool is_there = strstr(((double_program *)program)->text, name) != NULL;
        tell(code, is_there ? CL_SUCCESS : CL_INVALID_KERNEL_NAME);
        self->handle = is_there ? (cl_kernel)self : NULL;
    } else {
        self->handle = BELOW(clCreateKernel)(program, name, code);
    }
    const cl_kernel handle = self->handle;
    pthread_mutex_lock(&mutex);
    self->next = kernels;
    kernels = self;
    if (handle == NULL)
        free_kernel(self);
    pthread_mutex_unlock(&mutex);
    return handle;
}

cl_int clRetainKernel(cl_kernel kernel)
{
    if (!double_get()->is_null)
        return BELOW(clRetainKernel)(kernel);
    pthread_mutex_lock(&mutex);
    ((double_kernel *)kernel)->references++;
    pthread_mutex_unlock(&mutex);
    return CL_SUCCESS;
}

cl_int clReleaseKernel(cl_kernel kernel)
{
    cl_uint references = 0;
    cl_int code = CL_SUCCESS;
    const bool is_null = double_get()->is_null;
    pthread_mutex_lock(&mutex);
    double_kernel *self = find_kernel(kernel);
    if (is_null && self != NULL)
        references = self->references--;
    else if (!is_null)
        (void)BELOW(clGetKernelInfo)(kernel, CL_KERNEL_REFERENCE_COUNT, sizeof references, &references, NULL);
    if (!is_null)
        code = BELOW(clReleaseKernel)(kernel);
    if (self != NULL && references == 1)
        free_kernel(self);
    pthread_mutex_unlock(&mutex);
    return code;
}

/* An argument without a value is local memory. */
cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    pthread_mutex_lock(&mutex);
    double_kernel *self = find_kernel(kernel);
    if (self != NULL && index < MOST_ARGUMENTS)
        self->argument_memory[index] = value == NULL ? size : 0;
    pthread_mutex_unlock(&mutex);
    return double_get()->is_null ? CL_SUCCESS : BELOW(clSetKernelArg)(kernel, index, size, value);
}

cl_ulong double_argument_memory(cl_kernel kernel)
{
    cl_ulong sum = 0;
    pthread_mutex_lock(&mutex);
    const double_kernel *self = find_kernel(kernel);
    for (size_t i = 0; self != NULL && i < MOST_ARGUMENTS; i++)
        sum += self->argument_memory[i] != sizeof(cl_mem) ? self->argument_memory[i] : 0; /* or a buffer that is NULL */
    pthread_mutex_unlock(&mutex);
    return sum;
}

cl_int clGetKernelInfo(cl_kernel kernel, cl_kernel_info what, size_t size, void *out, size_t *out_size)
{
    const double_kernel *self = (const double_kernel *)kernel;
    if (!double_get()->is_null)
        return BELOW(clGetKernelInfo)(kernel, what, size, out, out_size);
    switch (what) {
    case CL_KERNEL_FUNCTION_NAME: return give(self->name, strlen(self->name) + 1, size, out, out_size);
    case CL_KERNEL_PROGRAM: return give(&self->program, sizeof self->program, size, out, out_size);
    default: return CL_INVALID_VALUE;
    }
}

size_t double_kernel_limit(cl_kernel kernel)
{
    const double_profile *profile = double_get()->profile;
    char name[NAME_SIZE] = "";
    if (profile == NULL)
        return 0;
    (void)clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
    const bool is_halved =
        profile->halves_kernels && profile->group_size > 1 && hash_of(name, 14695981039346656037u) % 3 == 0;
    return is_halved ? profile->group_size / 2 : profile->group_size;
}

/* The last -DGROUP_SIZE= of the options: what kernels require if nothing is compiled. */
static size_t required_size(const double_kernel *self)
{
    const char *last = NULL;
    const char *at = ((const double_program *)self->program)->options;
    while (at != NULL && (at = strstr(at, "-DGROUP_SIZE=")) != NULL)
        last = at += strlen("-DGROUP_SIZE=");
    return last != NULL ? strtoull(last, NULL, 10) : 0;
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what, size_t size,
                                void *out, size_t *out_size)
{
    const bool is_null = double_get()->is_null;
    const size_t limit = double_kernel_limit(kernel);
    size_t own = limit;
    if (what == CL_KERNEL_WORK_GROUP_SIZE && limit > 0) {
        const cl_int code =
            is_null ? CL_SUCCESS : BELOW(clGetKernelWorkGroupInfo)(kernel, device, what, sizeof own, &own, NULL);
        own = own < limit ? own : limit;
        return code != CL_SUCCESS ? code : give(&own, sizeof own, size, out, out_size);
    }
    if (!is_null)
        return BELOW(clGetKernelWorkGroupInfo)(kernel, device, what, size, out, out_size);
    const size_t required[3] = {required_size((const double_kernel *)kernel), 1, 1};
    const cl_ulong none = 0;
    const size_t many = 256;
    switch (what) {
    case CL_KERNEL_COMPILE_WORK_GROUP_SIZE: return give(required, sizeof required, size, out, out_size);
    case CL_KERNEL_LOCAL_MEM_SIZE: return give(&none, sizeof none, size, out, out_size);
    case CL_KERNEL_WORK_GROUP_SIZE: return give(&many, sizeof many, size, out, out_size);
    default: return give(&required[1], sizeof required[1], size, out, out_size);
    }
}
