// SPDX-License-Identifier: MIT
/* program.c: assemble a program's source, build it once, and keep it. */
#include "program.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assemble.h"
#include "build_log.h"
#include "device.h"
#include "dump.h"
#include "error.h"
#include "making.h"
#include "names.h"
#include "platform.h"
#include "program_cache.h"
#include "risk.h"
#include "text.h"
#include "type_size.h"

enum { NVIDIA_REGISTERS = 1 << 16 }; /* of a compute unit, all of which one group may use */

typedef struct entry {
    struct entry *next;
    clprim__text key;
    clprim__text request; /* from which the key was assembled */
    cl_program program;   /* NULL while a thread builds it */
} entry;

struct clprim__programs {
    cl_context context;
    cl_device_id device;
    clprim__trace *timeline; /* or NULL */
    char *identity;          /* device and compiler: the part that all keys have in common */
    char *kernel_dir;        /* CLPRIM_KERNEL_DIR, or NULL */
    clprim__disk_cache *disk;
    clprim__dump *dump; /* or NULL */
    bool takes_notes;
    bool are_kept; /* in the disk cache */
    clprim__text common_options;
    bool is_nvidia;
    pthread_mutex_t mutex; /* guards entries and stats */
    pthread_cond_t built;  /* signalled when an entry was completed or removed */
    entry *entries;
    clprim_program_stats stats;
};

/* -w turns off the compiler's warnings, which matter only to people who develop kernels, and which some compilers print
 * to stderr. CLPRIM_SUB_GROUP_MEANS: the numbers in clprim/device/sub_group.h are those of clprim_sub_group_means. */
static clprim_status make_common_options(clprim__text *out, const clprim_device_info *info, bool developing)
{
    const unsigned version = clprim__device_language(info);
    clprim__text_format(out,
                        "-cl-std=CL%u.%u -DCLPRIM_SUB_GROUP_MEANS=%d -DCLPRIM_INT64_ATOMICS=%d "
                        "-DCLPRIM_GROUPS_IN_ORDER=%d -DCLPRIM_REDUX=%d -DCLPRIM_FORWARD_PROGRESS=%d%s",
                        version / 100, version % 100 / 10, (int)info->sub_group_means, info->has_int64_atomics,
                        info->starts_groups_in_order, info->has_warp_reduction, info->has_forward_progress,
                        developing ? "" : " -w");
    return clprim__text_status(out);
}

/* Whether the driver itself keeps compiled kernels on disk. PoCL does. To return a program's binary, it would compile
 * all kernels once more, for any group size, which takes as long as everything else. */
static bool keeps_programs(const clprim_device_info *info)
{
    return info->vendor == CLPRIM_VENDOR_POCL;
}

clprim_status clprim__programs_create(clprim__programs **out, cl_context context, const clprim_device_info *info,
                                      clprim__trace *timeline)
{
    clprim__programs *self = calloc(1, sizeof *self);
    if (self == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a runtime");
    pthread_mutex_init(&self->mutex, NULL);
    pthread_cond_init(&self->built, NULL);
    self->context = context;
    self->device = info->device;
    self->timeline = timeline;
    self->is_nvidia = info->vendor == CLPRIM_VENDOR_NVIDIA;

    clprim_status status = CLPRIM_SUCCESS;
    clprim__text identity = {0};
    clprim__text_format(&identity, "%s\n%s\n%s\n%s\n%s\n", info->platform_name, info->platform_version, info->name,
                        info->vendor_name, info->driver_version);
    CLPRIM__TRY(clprim__text_status(&identity));
    self->identity = identity.data;
    const char *kernel_dir = clprim__environment("CLPRIM_KERNEL_DIR");
    if (kernel_dir != NULL && kernel_dir[0] != '\0' && (self->kernel_dir = strdup(kernel_dir)) == NULL)
        CLPRIM__TRY(clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a runtime"));
    CLPRIM__TRY(make_common_options(&self->common_options, info, self->kernel_dir != NULL));
    CLPRIM__TRY(clprim__disk_cache_open(&self->disk));
    CLPRIM__TRY(clprim__dump_open(&self->dump));
    self->are_kept = !keeps_programs(info) || clprim__disk_cache_is_asked_for(self->disk);
    *out = self;
    self = NULL;
done:
    clprim__programs_destroy(self);
    return status;
}

static void free_entry(entry *victim)
{
    if (victim->program != NULL)
        clReleaseProgram(victim->program);
    clprim__text_free(&victim->key);
    clprim__text_free(&victim->request);
    free(victim);
}

void clprim__programs_destroy(clprim__programs *self)
{
    if (self == NULL)
        return;
    for (entry *next, *e = self->entries; e != NULL; e = next) {
        next = e->next;
        free_entry(e);
    }
    clprim__disk_cache_close(self->disk);
    clprim__dump_close(self->dump);
    pthread_cond_destroy(&self->built);
    pthread_mutex_destroy(&self->mutex);
    clprim__text_free(&self->common_options);
    free(self->kernel_dir);
    free(self->identity);
    free(self);
}

clprim_program_stats clprim__programs_stats(clprim__programs *self)
{
    pthread_mutex_lock(&self->mutex);
    const clprim_program_stats stats = self->stats;
    pthread_mutex_unlock(&self->mutex);
    return stats;
}

size_t clprim__programs_cache_problem(const clprim__programs *self, char *out, size_t capacity)
{
    const size_t count = clprim__disk_cache_problem(out, capacity, self->disk);
    const size_t used = capacity > 0 ? strlen(out) : 0;
    clprim__text sentence = {0};
    const size_t added = clprim__dump_problem(&sentence, self->dump);
    if (sentence.data != NULL && capacity > 0)
        (void)snprintf(out + used, capacity - used, "%s%s", used > 0 ? "\n" : "", sentence.data);
    clprim__text_free(&sentence);
    return count + added;
}

clprim__disk_cache *clprim__programs_disk(const clprim__programs *self)
{
    return self->disk;
}

void clprim__programs_take_notes(clprim__programs *self)
{
    self->takes_notes = self->disk != NULL;
}

static clprim__assembly assembly_of(const clprim__programs *self)
{
    return (clprim__assembly){.common_options = self->common_options.data, .kernel_dir = self->kernel_dir};
}

/* Make the key of a program. It contains everything on which the binary depends. From *source_at on, it is the
 * program's source. */
static clprim_status make_key(clprim__text *key, size_t *source_at, const clprim__programs *self,
                              const clprim__program_request *request)
{
    const clprim__assembly with = assembly_of(self);
    clprim_status status = CLPRIM_SUCCESS;
    clprim__text_format(key, "%s", self->identity);
    CLPRIM__TRY(clprim__assemble_options(key, &with, request));
    clprim__text_append(key, "\n", 1);
    CLPRIM__TRY(clprim__text_status(key));
    *source_at = key->size;
    status = clprim__assemble_source(key, &with, request);
done:
    return status;
}

/* Append all of a request on which its program's key depends. The address stands for the bytes of an embedded file. */
static clprim_status write_request(clprim__text *out, const clprim__program_request *request)
{
    const char *const parts[] = {request->callers, request->prelude, request->options, request->callers_options,
                                 request->parameters};
    clprim__text_format(out, "%s %p %d", request->source->path, (const void *)request->source->bytes,
                        request->has_arguments);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const size_t size = parts[i] != NULL ? strlen(parts[i]) + 1 : 0; /* tells an empty text from none */
        clprim__text_format(out, " %zu ", size);
        clprim__text_append(out, parts[i] != NULL ? parts[i] : "", size);
    }
    return clprim__text_status(out);
}

/* The prefix of kernel names: with a caller's text, kernels have reserved names, too. */
static const char *kernel_prefix(const clprim__program_request *request)
{
    return request->callers != NULL ? CLPRIM__RESERVED : "";
}

/* Write the program to a file before it is compiled, because the compiler may crash. */
static void dump(const clprim__programs *self, const clprim__program_request *request, const clprim__text *key,
                 size_t source_at)
{
    clprim__text options = {0};
    const clprim__assembly with = assembly_of(self);
    if (self->dump != NULL && clprim__assemble_options(&options, &with, request) == CLPRIM_SUCCESS)
        clprim__dump_write(self->dump, &(clprim__dumped){.key = key,
                                                         .path = request->source->path,
                                                         .device = self->identity,
                                                         .options = options.data != NULL ? options.data : "",
                                                         .source = key->data + source_at,
                                                         .kernels = request->kernels,
                                                         .num_kernels = request->num_kernels,
                                                         .kernel_prefix = kernel_prefix(request)});
    clprim__text_free(&options);
}

static clprim_status fail_with_log(const clprim__programs *self, cl_program program, const char *path,
                                   const char *source, const char *options)
{
    size_t size = 0;
    (void)clGetProgramBuildInfo(program, self->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    char *log = calloc(1, size + 1);
    if (log == NULL ||
        clGetProgramBuildInfo(program, self->device, CL_PROGRAM_BUILD_LOG, size, log, NULL) != CL_SUCCESS)
        size = 0;
    clprim__text located = {0};
    if (size > 0)
        clprim__type_size_explain(&located, self->context, self->device, log, source, options);
    clprim__text_format(&located, "kernels/%s did not compile:\n", path);
    clprim__build_log_append(&located, size > 0 ? log : "(the driver gives no log)", source);
    const clprim_status status =
        clprim__fail(CLPRIM_BUILD_FAILED, "%s", located.data != NULL ? located.data : "a kernel did not compile");
    clprim__text_free(&located);
    free(log);
    return status;
}

static clprim_status build_from_source(cl_program *out, const clprim__programs *self,
                                       const clprim__program_request *request, const char *source)
{
    cl_int code = CL_SUCCESS;
    cl_program program = NULL;
    clprim__text options = {0};
    const char *path = request->source->path;
    const clprim__assembly with = assembly_of(self);

    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__assemble_options(&options, &with, request));
    program = clCreateProgramWithSource(self->context, 1, &source, NULL, &code);
    CLPRIM__TRY(clprim__cl(code, "clCreateProgramWithSource"));
    code = clBuildProgram(program, 1, &self->device, options.data, NULL, NULL);
    if (code == CL_BUILD_PROGRAM_FAILURE || code == CL_INVALID_BUILD_OPTIONS)
        CLPRIM__TRY(fail_with_log(self, program, path, source, options.data));
    CLPRIM__TRY(clprim__cl(code, "clBuildProgram"));
    *out = program;
    program = NULL;
done:
    if (program != NULL)
        clReleaseProgram(program);
    clprim__text_free(&options);
    return status;
}

/* NVIDIA's binaries are PTX, which the driver compiles when it loads them. So the register limit must be given then,
 * too. */
static void limit_registers(clprim__text *options, const clprim__programs *self, const clprim__program_request *request)
{
    if (self->is_nvidia && request->max_registers > 0)
        clprim__text_format(options, " -cl-nv-maxrregcount=%u", request->max_registers);
}

/* Take a note before a program is compiled. Its key is the name of the program's cache entry, which keeps the note
 * small. */
static clprim_status take_note(clprim__risk *note, const clprim__programs *self, const clprim__program_request *request,
                               const clprim__text *key)
{
    char name[CLPRIM__CACHE_NAME_SIZE];
    char own_key[CLPRIM__CACHE_NAME_SIZE + 32];
    if (!self->takes_notes)
        return CLPRIM_SUCCESS;
    clprim__cache_entry_name(name, key->data, key->size);
    const int size = snprintf(own_key, sizeof own_key, CLPRIM__RISK "being compiled\n%s\n", name);
    if (clprim__risk_begin(note, self->disk, own_key, (size_t)size, false))
        return CLPRIM_SUCCESS;
    clprim__making_is_left();
    return clprim__fail(
        CLPRIM_UNSUPPORTED,
        "an earlier process ended while it compiled kernels/%s for this device; clprim self-test --again "
        "forgets that",
        request->source->path);
}

static clprim_status load_or_build(cl_program *out, clprim__programs *self, const clprim__program_request *request,
                                   const clprim__text *key, size_t source_at, clprim__risk *note)
{
    bool rejected = false;
    const long long began = clprim__trace_now();
    /* Do not cache a program that includes a caller's files: they may have changed. */
    const bool is_kept = self->are_kept && (request->callers == NULL || strstr(request->callers, "include") == NULL);
    clprim__text options = {0};
    dump(self, request, key, source_at);
    limit_registers(&options, self, request);
    const bool loaded = is_kept && clprim__text_status(&options) == CLPRIM_SUCCESS &&
                        clprim__disk_cache_load(out, &rejected, self->disk, self->context, self->device,
                                                options.data != NULL ? options.data : "", key->data, key->size);
    clprim_status status = CLPRIM_SUCCESS;
    clprim__text_free(&options);
    if (!loaded)
        status = take_note(note, self, request, key);
    if (!loaded && status == CLPRIM_SUCCESS)
        status = build_from_source(out, self, request, key->data + source_at);
    if (is_kept && !loaded && status == CLPRIM_SUCCESS)
        clprim__disk_cache_store(self->disk, *out, key->data, key->size);
    const clprim__trace_span span = {
        .verb = loaded ? "load" : "compile", .object = request->source->path, .status = status};
    clprim__trace_host(self->timeline, &span, began);
    pthread_mutex_lock(&self->mutex);
    self->stats.rejected += rejected;
    self->stats.from_disk += loaded;
    self->stats.built += !loaded && status == CLPRIM_SUCCESS;
    pthread_mutex_unlock(&self->mutex);
    return status;
}

static bool is_same(const clprim__text *a, const clprim__text *b)
{
    return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

/* The entry of a key, or NULL. The mutex must be held. */
static entry *find(const clprim__programs *self, const clprim__text *key)
{
    for (entry *e = self->entries; e != NULL; e = e->next)
        if (is_same(&e->key, key))
            return e;
    return NULL;
}

static void remove_entry(clprim__programs *self, entry *victim)
{
    for (entry **link = &self->entries; *link != NULL; link = &(*link)->next) {
        if (*link == victim) {
            *link = victim->next;
            break;
        }
    }
    free_entry(victim);
}

static clprim_status take(cl_program *out, clprim__programs *self, const entry *found)
{
    const clprim_status status = clprim__cl(clRetainProgram(found->program), "clRetainProgram");
    if (status == CLPRIM_SUCCESS)
        *out = found->program;
    self->stats.from_memory++;
    return status;
}

/* Find the finished program of the same request, whose key need not be assembled again: that takes longer than all
 * else that a plan does. Returns as find_or_enter. */
static bool find_request(cl_program *out, clprim_status *status, clprim__programs *self, const clprim__text *request)
{
    pthread_mutex_lock(&self->mutex);
    const entry *found = self->entries;
    while (found != NULL && (found->program == NULL || !is_same(&found->request, request)))
        found = found->next;
    if (found != NULL) {
        clprim__making_takes_program(found->key.data, found->key.size);
        *status = take(out, self, found);
    }
    pthread_mutex_unlock(&self->mutex);
    return found != NULL;
}

/* Find the finished program of a key; if another thread is building it, wait. Otherwise enter `mine`, and the caller
 * builds the program. Returns true if it was found; *status then says whether a reference could be taken. */
static bool find_or_enter(cl_program *out, clprim_status *status, clprim__programs *self, entry *mine)
{
    pthread_mutex_lock(&self->mutex);
    entry *found;
    while ((found = find(self, &mine->key)) != NULL && found->program == NULL)
        pthread_cond_wait(&self->built, &self->mutex); /* if that build fails, the entry is removed */
    if (found != NULL) {
        *status = take(out, self, found);
    } else {
        mine->next = self->entries;
        self->entries = mine;
    }
    pthread_mutex_unlock(&self->mutex);
    return found != NULL;
}

/* Get the program for a request: from memory, from the disk cache, or by building it. The caller releases the program
 * and ends the note. */
static clprim_status get_program(cl_program *out, clprim__programs *self, const clprim__program_request *request,
                                 clprim__risk *note)
{
    size_t source_at = 0;
    entry *mine = calloc(1, sizeof *mine);
    if (mine == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a program");
    clprim_status status = write_request(&mine->request, request);
    if (status == CLPRIM_SUCCESS && self->kernel_dir == NULL && /* whose files may change */
        find_request(out, &status, self, &mine->request)) {
        free_entry(mine);
        return status;
    }
    if (status == CLPRIM_SUCCESS)
        status = make_key(&mine->key, &source_at, self, request);
    if (status == CLPRIM_SUCCESS)
        clprim__making_takes_program(mine->key.data, mine->key.size);
    if (status != CLPRIM_SUCCESS || find_or_enter(out, &status, self, mine)) {
        free_entry(mine);
        return status;
    }
    cl_program program = NULL;
    status = load_or_build(&program, self, request, &mine->key, source_at, note);
    if (status == CLPRIM_SUCCESS)
        status = clprim__cl(clRetainProgram(program), "clRetainProgram"); /* the entry holds one reference */
    pthread_mutex_lock(&self->mutex);
    if (status == CLPRIM_SUCCESS) {
        mine->program = program;
        *out = program;
    } else {
        remove_entry(self, mine);
        if (program != NULL)
            clReleaseProgram(program);
    }
    pthread_cond_broadcast(&self->built);
    pthread_mutex_unlock(&self->mutex);
    return status;
}

/* The largest group with which a kernel can run. NVIDIA's driver reports 256 for every kernel, but its compiler fits
 * the registers to the group size that the kernel requires, or to the limit it was given. So that size counts on
 * NVIDIA. */
static clprim_status largest_group(size_t *out, const clprim__programs *self, cl_kernel kernel, unsigned max_registers)
{
    size_t required[3] = {0};
    clprim_status status = CLPRIM_SUCCESS;
#define ASK(what, size, answer)                                                                                        \
    CLPRIM__TRY(clprim__cl(clGetKernelWorkGroupInfo(kernel, self->device, what, size, answer, NULL),                   \
                           "clGetKernelWorkGroupInfo"))
    if (self->is_nvidia)
        ASK(CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required, required);
    if (required[0] != 0)
        *out = required[0];
    else if (self->is_nvidia && max_registers > 0)
        *out = NVIDIA_REGISTERS / max_registers;
    else
        ASK(CL_KERNEL_WORK_GROUP_SIZE, sizeof *out, out);
#undef ASK
done:
    return status;
}

static cl_kernel create_kernel(cl_program program, const clprim__program_request *request, const char *name,
                               cl_int *code)
{
    char reserved[128];
    (void)snprintf(reserved, sizeof reserved, "%s%s", kernel_prefix(request), name);
    return clCreateKernel(program, reserved, code);
}

/* Create all kernels of the program with one group size. *limit receives the largest group size that all of them
 * allow. */
static clprim_status create_once(cl_kernel *out, size_t *limit, clprim__programs *self,
                                 const clprim__program_request *request, const char *const *names, size_t count,
                                 size_t group_size)
{
    cl_int code = CL_SUCCESS;
    cl_program program = NULL;
    size_t created = 0;
    clprim__text options = {0};
    clprim__risk note = {.is_taken = false};
    clprim_status status = CLPRIM_SUCCESS;
    clprim__program_request specialised = *request;
    /* Begin the turn before looking for the program in memory: then no other thread can be building it. Otherwise, this
     * thread could wait, during its turn, for a thread that waits for its own turn. */
    if (self->takes_notes)
        clprim__risk_turn_begin();
    clprim__text_format(&options, "%s -DGROUP_SIZE=%zu", request->options, group_size);
    if (self->is_nvidia && request->max_registers > 0)
        clprim__text_format(&options, " -DMAX_REGISTERS");
    limit_registers(&options, self, request);
    CLPRIM__TRY(clprim__text_status(&options));
    specialised.options = options.data;
    specialised.kernels = names;
    specialised.num_kernels = count;
    CLPRIM__TRY(get_program(&program, self, &specialised, &note));
    *limit = SIZE_MAX;
    for (; created < count; created++) {
        size_t own = 0;
        out[created] = create_kernel(program, request, names[created], &code);
        CLPRIM__TRY(clprim__cl(code, "clCreateKernel"));
        status = largest_group(&own, self, out[created], request->max_registers);
        *limit = own < *limit ? own : *limit;
        if (status != CLPRIM_SUCCESS) {
            created++;
            goto done;
        }
    }
done:
    while (status != CLPRIM_SUCCESS && created > 0)
        clReleaseKernel(out[--created]);
    if (program != NULL)
        clReleaseProgram(program);
    clprim__risk_end(&note); /* end the note only now: some drivers compile when a kernel is created */
    if (self->takes_notes)
        clprim__risk_turn_end();
    clprim__text_free(&options);
    return status;
}

clprim_status clprim__kernels_create(cl_kernel *out, size_t *group_size, clprim__programs *self,
                                     const clprim__program_request *request, const char *const *names, size_t count)
{
    cl_kernel kernels[CLPRIM__MAX_KERNELS] = {NULL};
    const long long began = clprim__trace_now();
    for (size_t wanted = *group_size; wanted > 0;) {
        size_t limit = 0;
        const clprim_status status = create_once(kernels, &limit, self, request, names, count, wanted);
        if (status != CLPRIM_SUCCESS)
            return status;
        if (limit >= wanted) {
            *group_size = wanted;
            memcpy(out, kernels, count * sizeof(cl_kernel));
            const clprim__trace_span span = {
                .verb = "create", .object = request->source->path, .unit = "kernels", .number = count};
            clprim__trace_host(self->timeline, &span, began);
            return CLPRIM_SUCCESS;
        }
        for (size_t i = 0; i < count; i++)
            clReleaseKernel(kernels[i]);
        while (wanted > limit)
            wanted /= 2;
    }
    return clprim__fail(CLPRIM_UNSUPPORTED, "the device cannot run %s even with one work-item in a group", names[0]);
}
