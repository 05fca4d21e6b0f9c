/* storage.c: memory for arrays of any size. */
#define _DEFAULT_SOURCE /* for MAP_ANONYMOUS */
#define _DARWIN_C_SOURCE
#include "storage.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "file.h"

const void *storage_of_file(int fd, size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED)
        return NULL;
    (void)posix_madvise(memory, bytes, POSIX_MADV_SEQUENTIAL);
    return memory;
}

bool storage_make_long(int fd, size_t bytes, bool is_whole)
{
#if defined(_POSIX_ADVISORY_INFO) && _POSIX_ADVISORY_INFO > 0
    /* if is_whole, allocate disk blocks for the whole file, if the system supports that */
    const int code = is_whole ? posix_fallocate(fd, 0, (off_t)bytes) : EOPNOTSUPP;
    if (code == 0)
        return true;
    if (code != EINVAL && code != EOPNOTSUPP) {
        errno = code;
        return false;
    }
#endif
    (void)is_whole;
    return ftruncate(fd, (off_t)bytes) == 0;
}

void *storage_of_part(int fd, size_t begin, size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)begin);
    return memory != MAP_FAILED ? memory : NULL;
}

void *storage_in_file(int fd, size_t bytes, bool is_whole)
{
    return storage_make_long(fd, bytes, is_whole) ? storage_of_part(fd, 0, bytes) : NULL;
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
    void *memory = MAP_FAILED;
    if (size <= self->left)
        memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) {
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
        (void)munmap(memory, bytes > 0 ? bytes : 1);
}

static int tell(void *user, const char *operation, size_t done, size_t total)
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
                                                                                 .progress = tell,
                                                                                 .user = out}));
done:
    return result;
}

cli_result storage_failed(const storage *self, const char *call, clprim_status status)
{
    return self->has_failed ? CLI_REFUSED : cli_device_failed(call, status);
}
