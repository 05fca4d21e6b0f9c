// SPDX-License-Identifier: MIT
/* example.c: what the examples need around clPRIM. */
#include "example.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder.h"
#include "serial.h"
#include "timing.h"

#ifndef CLPRIM_EXAMPLE_DATA_DIR
#error "CLPRIM_EXAMPLE_DATA_DIR must be given: the directory of retina.pgm"
#endif

static const char *program_name = "example";
static bool has_told;

static const char *file_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

void example_tell(clprim_status status, const char *call, const char *file, int line)
{
    if (has_told)
        return;
    has_told = true;
    fprintf(stderr, "%s: %s:%d: %s\n    gave %d: %s\n", program_name, file_part(file), line, call, (int)status,
            clprim_status_string(status));
    if (status <= CLPRIM_INVALID_ARGUMENT || strncmp(call, "clprim_", 7) == 0)
        fprintf(stderr, "    %s\n", clprim_last_error());
    if (status == CLPRIM_NO_DEVICE)
        fprintf(stderr, "    On a machine without a GPU, PoCL makes the CPU a device: install pocl-opencl-icd.\n");
}

clprim_status example_fail(const char *format, ...)
{
    has_told = true;
    fprintf(stderr, "%s: ", program_name);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return CLPRIM_INVALID_ARGUMENT;
}

static bool parse_count(size_t *out, const char *text)
{
    char *end = NULL;
    errno = 0;
    const unsigned long long value = text[0] >= '0' && text[0] <= '9' ? strtoull(text, &end, 10) : 0;
    if (value == 0 || errno != 0 || *end != '\0' || value > SIZE_MAX)
        return false;
    *out = (size_t)value;
    return true;
}

static bool parse_type(clprim_type *out, const char *text)
{
    if (strcmp(text, "i32") != 0 && strcmp(text, "f32") != 0)
        return false;
    *out = strcmp(text, "i32") == 0 ? CLPRIM_I32 : CLPRIM_F32;
    return true;
}

/* One argument, with its value where it has one; false: it makes no sense. */
static bool parse_argument(example *out, char **argv, int *at, unsigned features)
{
    const char *name = argv[*at];
    const char *value = argv[*at + 1]; /* NULL behind the last one */
    if (strcmp(name, "--check") == 0) {
        out->check = true;
        return true;
    }
    if ((features & EXAMPLE_TAKES_WHY) != 0 && strcmp(name, "--why") == 0) {
        out->why = true;
        return true;
    }
    if (value != NULL && (features & EXAMPLE_TAKES_N) != 0 && strcmp(name, "--n") == 0) {
        *at += 1;
        return parse_count(&out->n, value);
    }
    if (value != NULL && (features & EXAMPLE_TAKES_TYPE) != 0 && strcmp(name, "--type") == 0) {
        *at += 1;
        return parse_type(&out->type, value);
    }
    *((features & EXAMPLE_TAKES_FILE) != 0 ? &out->file : &out->image) = name;
    return name[0] != '-' && (features & EXAMPLE_TAKES_NO_FILE) == 0;
}

static void print_usage(FILE *file, const char *usage, unsigned features)
{
    const char *argument = (features & EXAMPLE_TAKES_NO_FILE) != 0 ? ""
                           : (features & EXAMPLE_TAKES_FILE) != 0  ? " [FILE]"
                                                                   : " [IMAGE.pgm|IMAGE.ppm]";
    fprintf(file, "%s%s [OPTIONS]%s\n", usage, program_name, argument);
    if ((features & EXAMPLE_TAKES_N) != 0)
        fprintf(file, "  --n COUNT        so many elements\n");
    if ((features & EXAMPLE_TAKES_TYPE) != 0)
        fprintf(file, "  --type i32|f32   of this type; default i32\n");
    if ((features & EXAMPLE_TAKES_WHY) != 0)
        fprintf(file, "  --why            say of each step why it is as fast as it is\n");
    fprintf(file, "  --check          small and quick: results are judged, times are not\n"
                  "  --help           this\n"
                  "CLPRIM_DEVICE=cpu|gpu|INDEX|NAME in the environment chooses the device.\n"
                  "Exit status: 0; 1 where a result is wrong or a call failed; 2 for a bad command line.\n");
}

static bool parse_options(example *out, int argc, char **argv, unsigned features, const char *usage, int *exit_code)
{
    program_name = argc > 0 ? file_part(argv[0]) : program_name;
    for (int at = 1; at < argc; at++) {
        const char *argument = argv[at];
        if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
            print_usage(stdout, usage, features);
            *exit_code = EXIT_SUCCESS;
            return false;
        }
        if (!parse_argument(out, argv, &at, features)) {
            fprintf(stderr, "%s: %s: unknown option, or a value that it cannot have\n", program_name, argument);
            print_usage(stderr, usage, features);
            *exit_code = 2;
            return false;
        }
    }
    return true;
}

static const char *kind_name(clprim_device_kind kind)
{
    static const char *const names[] = {"other", "CPU", "GPU", "accelerator"};
    return names[kind];
}

static void print_device(const clprim_device_info *device)
{
    printf("%s (%s, %u compute units; %s, driver %s)\n", device->name, kind_name(device->kind), device->compute_units,
           device->platform_name, device->driver_version);
}

static clprim_status print_devices(const clprim_runtime *chosen)
{
    clprim_device_info devices[16];
    const size_t capacity = sizeof devices / sizeof *devices;
    size_t count = 0;
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(clprim_runtime_devices(devices, capacity, &count));
    printf("OpenCL devices here: %zu; -> is the one chosen\n", count);
    for (size_t i = 0; i < count && i < capacity; i++) {
        printf("%s %zu  ", devices[i].device == clprim_runtime_info(chosen)->device ? "->" : "  ", devices[i].index);
        print_device(&devices[i]);
    }
    printf("\n");
done:
    return status;
}

static clprim_status open_device(example *self, unsigned features)
{
    cl_ulong cache_bytes = 0;
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(clprim_runtime_create(&self->runtime, NULL));
    self->device = clprim_runtime_info(self->runtime);
    self->queue = clprim_runtime_queue(self->runtime);
    if ((features & EXAMPLE_LISTS_DEVICES) != 0)
        EXAMPLE_TRY(print_devices(self->runtime));
    printf("Device:      ");
    print_device(self->device);
    EXAMPLE_TRY(timing_copy_speed(&self->roof.bytes_per_second, self));
    EXAMPLE_TRY(
        clGetDeviceInfo(self->device->device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof cache_bytes, &cache_bytes, NULL));
    self->roof.cache_bytes = (size_t)cache_bytes;
#if defined(__GNUC__) && !defined(__OPTIMIZE__)
    printf("Note:        built without optimisation: the CPU's times are longer than they need be\n");
#endif
    printf("Roof:        it copies %.1f GB/s within its memory, bytes read and written together\n",
           self->roof.bytes_per_second * 1e-9);
done:
    return status;
}

bool example_begin(example *out, int argc, char **argv, unsigned features, const char *usage, int *exit_code)
{
    *out = (example){.image = CLPRIM_EXAMPLE_DATA_DIR "/retina.pgm", .type = CLPRIM_I32};
    if (!parse_options(out, argc, argv, features, usage, exit_code))
        return false;
    if (open_device(out, features) == CLPRIM_SUCCESS)
        return true;
    example_end(out);
    *exit_code = EXIT_FAILURE;
    return false;
}

void example_end(example *self)
{
    clprim_runtime_destroy(self->runtime);
    *self = (example){0};
}

clprim_status example_photograph(image *out, const char *path)
{
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(image_read(out, path));
    image_to_grey(out);
    printf("Photograph:  %s, %zu x %zu pixels, 256 grey levels\n", file_part(path), out->width, out->height);
done:
    return status;
}

/* Fill an array of T with the pixels, less the centre, over and over. */
#define REPEAT_AS(T)                                                                                                   \
    for (size_t i = 0, pixel = 0; i < n; i++, pixel = pixel + 1 < pixels ? pixel + 1 : 0)                              \
        ((T *)data)[i] = (T)(photo->samples[pixel] - centre);

clprim_status example_repeat(void **out, clprim_type type, const image *photo, int centre, size_t n)
{
    const size_t pixels = photo->width * photo->height;
    const size_t size = clprim_type_size(type);
    void *data = n <= SIZE_MAX / size ? malloc(n * size) : NULL;
    if (data == NULL)
        return example_fail("no memory for %zu elements of %s on the host", n, clprim_type_name(type));
    if (type == CLPRIM_U8) {
        REPEAT_AS(uint8_t)
    } else if (type == CLPRIM_I32) {
        REPEAT_AS(int32_t)
    } else {
        REPEAT_AS(float)
    }
    *out = data;
    return CLPRIM_SUCCESS;
}

size_t example_count(const example *self, size_t size, size_t for_check, size_t on_gpu, size_t elsewhere)
{
    const size_t usual = self->check ? for_check : self->device->kind == CLPRIM_DEVICE_GPU ? on_gpu : elsewhere;
    const size_t wanted = self->n != 0 ? self->n : usual;
    const size_t by_memory = self->device->global_memory_size / 8;
    const size_t by_buffer = self->device->max_allocation_size;
    const size_t most = (by_memory < by_buffer ? by_memory : by_buffer) / size;
    if (self->n > most)
        printf("Note:        --n %zu is more than fits well into this device's memory\n", self->n);
    return wanted < most ? wanted : most;
}

clprim_status example_data_load(example_data *out, const example *program, clprim_type type, size_t n)
{
    image photo = {0};
    uint64_t sum = 0;
    clprim_status status = CLPRIM_SUCCESS;
    *out = (example_data){.type = type, .n = n, .bytes = n * clprim_type_size(type)};
    EXAMPLE_TRY(example_photograph(&photo, program->image));
    serial_sum_u8(&sum, photo.samples, photo.width * photo.height);
    const int mean = (int)(sum / (photo.width * photo.height));
    EXAMPLE_TRY(example_repeat(&out->host, type, &photo, mean, n));
    EXAMPLE_TRY(example_upload(&out->device, program, out->host, out->bytes));
    printf("Data:        its pixels less their mean of %d, repeated to %zu %s = %.1f MB\n", mean, n,
           clprim_type_name(type), (double)out->bytes * 1e-6);
done:
    image_clear(&photo);
    return status;
}

void example_data_clear(example_data *self)
{
    free(self->host);
    example_release(self->device);
    *self = (example_data){0};
}

clprim_status example_upload(cl_mem *out, const example *program, const void *data, size_t bytes)
{
    clprim_status status = CLPRIM_SUCCESS;
    cl_int code = CL_SUCCESS;
    cl_mem buffer = clCreateBuffer(clprim_runtime_context(program->runtime), CL_MEM_READ_WRITE, bytes, NULL, &code);
    EXAMPLE_TRY(code);
    if (data != NULL)
        EXAMPLE_TRY(clEnqueueWriteBuffer(program->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
    *out = buffer;
    buffer = NULL; /* ownership passed to the caller */
done:
    example_release(buffer);
    return status;
}

clprim_status example_check_reduce(bool *right, const clprim_reduce_desc *desc, const void *in, size_t n,
                                   const void *result)
{
    const clprim_type type = desc->type != CLPRIM_TYPE_DEFAULT ? desc->type : CLPRIM_I32;
    const clprim_type value = desc->accumulator_type != CLPRIM_TYPE_DEFAULT ? desc->accumulator_type : type;
    const clprim_reference_operator by = {.type = type, .op = desc->op, .accumulator_type = value};
    const bool finds_index = desc->op == CLPRIM_ARGMIN || desc->op == CLPRIM_ARGMAX;
    const bool rounds = value >= CLPRIM_F16 && (desc->op == CLPRIM_SUM || desc->op == CLPRIM_PROD);
    clprim_status status = CLPRIM_SUCCESS;
    if (rounds) {
        const size_t depth = n / 64 + 1024; /* every variant adds in at least 64 chains side by side */
        double error = 0;
        double bound = 0;
        EXAMPLE_TRY(clprim_reference_reduce_error(&error, &bound, &by, in, n, depth, result));
        *right = error <= bound;
    } else {
        clprim_indexed expected; /* large enough for every result */
        EXAMPLE_TRY(clprim_reference_reduce(&expected, &by, in, n));
        *right = memcmp(&expected, result, finds_index ? sizeof expected : clprim_type_size(value)) == 0;
    }
done:
    return status;
}

clprim_status example_check_scan(bool *right, const clprim_scan_desc *desc, const void *in, size_t n,
                                 const void *results)
{
    const clprim_type type = desc->type != CLPRIM_TYPE_DEFAULT ? desc->type : CLPRIM_I32;
    const clprim_type value = desc->accumulator_type != CLPRIM_TYPE_DEFAULT ? desc->accumulator_type : type;
    const clprim_reference_operator by = {.type = type, .op = desc->op, .accumulator_type = value};
    const bool finds_index = desc->op == CLPRIM_ARGMIN || desc->op == CLPRIM_ARGMAX;
    const bool rounds = value >= CLPRIM_F16 && (desc->op == CLPRIM_SUM || desc->op == CLPRIM_PROD);
    const clprim_reference_scan_how how = {.exclusive = desc->exclusive, .initial = desc->initial};
    const size_t size = finds_index ? sizeof(clprim_indexed) : clprim_type_size(value);
    void *expected = NULL;
    clprim_status status = CLPRIM_SUCCESS;
    if (rounds) {
        const size_t depth =
            65536; /* no variant adds so many one after the other; the longest chunks are those of CPUs */
        double worst = 0;
        EXAMPLE_TRY(clprim_reference_scan_error(&worst, NULL, &by, &how, in, n, depth, results));
        *right = worst <= 1;
        return status;
    }
    expected = malloc(n * size);
    if (expected == NULL)
        return example_fail("no memory for %zu results on the host", n);
    EXAMPLE_TRY(clprim_reference_scan(expected, &by, &how, in, n));
    *right = memcmp(expected, results, n * size) == 0;
done:
    free(expected);
    return status;
}

clprim_status example_check_select(bool *right, size_t size, const uint8_t *keep, const void *in, size_t n,
                                   const void *kept, size_t selected)
{
    clprim_status status = CLPRIM_SUCCESS;
    size_t count = 0;
    void *expected = malloc(n * size);
    if (expected == NULL)
        return example_fail("no memory for %zu elements on the host", n);
    EXAMPLE_TRY(clprim_reference_select(expected, &count, size, keep, in, n));
    *right = count == selected && memcmp(expected, kept, count * size) == 0;
done:
    free(expected);
    return status;
}

const char *example_taken(const clprim_variant_info *variants, size_t count, int id)
{
    static char text[64];
    text[0] = '\0';
    for (size_t i = 0; i < count; i++)
        if (variants[i].id == id)
            (void)snprintf(text, sizeof text, "takes %s here", variants[i].name);
    return text;
}

const char *example_remark(const example *self, const char *operation, const clprim_variant_info *variant)
{
    return self->why ? ladder_why(operation, variant->name) : variant->origin;
}

void example_release(cl_mem buffer)
{
    if (buffer != NULL)
        (void)clReleaseMemObject(buffer); /* only fails for what is not a buffer */
}
