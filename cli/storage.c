// SPDX-License-Identifier: MIT
/* storage.c: memory for arrays of any size. */
#include "storage.h"

#include <unistd.h>

#include "file.h"
#include "system.h"

void *storage_in_file(int fd, size_t bytes, bool is_whole)
{
    return system_make_long(fd, bytes, is_whole) ? system_map(fd, 0, bytes, true) : NULL;
}

/* Memory mapped from an unnamed file, which disappears with the memory. */
static void *take_from_disk(size_t bytes, bool is_whole)
{
    int fd = -1;
    if (temporary_open(&fd) != CLI_OK)
        return NULL;
    void *memory = storage_in_file(fd, bytes, is_whole);
    if (memory == NULL)
        (void)temporary_failed();
    (void)close(fd);
    return memory;
}

static void *take(storage *self, size_t bytes, bool is_whole)
{
    const size_t size = bytes > 0 ? bytes : 1;
    void *memory = size <= self->left ? system_map(-1, 0, size, true) : NULL;
    if (memory != NULL) {
        self->left -= size;
        return memory;
    }
    memory = take_from_disk(size, is_whole);
    self->has_failed = self->has_failed || memory == NULL;
    return memory;
}

void *storage_take(void *user, size_t bytes)
{
    return take(user, bytes, true);
}

void *storage_take_some(storage *self, size_t bytes)
{
    return take(self, bytes, false);
}

void storage_give(void *user, void *memory, size_t bytes)
{
    (void)user;
    if (memory != NULL)
        system_unmap(memory, bytes > 0 ? bytes : 1);
}

static int tell_progress(void *user, const char *operation, size_t done, size_t total)
{
    (void)user;
    cli_progress(operation, done, total);
    return 0;
}

cli_result storage_begin(storage *out, const cli_device *device)
{
    cli_result result = CLI_OK;
    *out = (storage){.left = device->memory};
    CLI_CALL(clprim_runtime_set_run_limits(device->runtime, &(clprim_run_limits){.device_memory = device->memory,
                                                                                 .allocate = storage_take,
                                                                                 .release = storage_give,
                                                                                 .progress = tell_progress,
                                                                                 .user = out}));
done:
    return result;
}

cli_result storage_failed(const storage *self, const char *call, clprim_status status)
{
    return self->has_failed ? CLI_REFUSED : cli_device_failed(call, status);
}
