// SPDX-License-Identifier: MIT
/* output.c: write an output file. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "platform.h"
#include "system.h"

#define PART_MARK ".clprim-" /* follows the file's name; then come letters that file_make chooses */

enum { MOST_PARTS = 4 };

/* Files that are being written. A signal that ends the process removes them, by any thread: whoever reads a pointer reads
 * the name, too. */
static char *parts[MOST_PARTS];

static char *part_of(size_t slot)
{
    return __atomic_load_n(&parts[slot], __ATOMIC_ACQUIRE);
}

static void set_part(size_t slot, char *path)
{
    __atomic_store_n(&parts[slot], path, __ATOMIC_RELEASE);
}

static void unlink_parts(void)
{
    for (size_t i = 0; i < MOST_PARTS; i++) {
        const char *path = part_of(i);
        if (path != NULL)
            (void)clprim__file_remove(CLPRIM__HERE, path);
    }
}

void output_watch_signals(void)
{
    system_watch(unlink_parts, "clprim: a file in use was truncated, or its disk is full or fails\n", CLI_REFUSED);
}

/* The folder of a path, and the last component of the path. */
static char *find_folder(const char **name, const char *path)
{
    const size_t size = system_folder_size(path);
    *name = path + size;
    return system_join(path, size, ".");
}

bool output_is_same(const char *first, const char *second)
{
    const char *names[2] = {"", ""};
    char *paths[] = {system_resolve(first), system_resolve(second)};
    char *folders[2] = {NULL, NULL};
    for (size_t i = 0; i < 2 && paths[i] != NULL; i++)
        folders[i] = find_folder(&names[i], paths[i]);
    const bool is_same = folders[0] != NULL && folders[1] != NULL && strcmp(names[0], names[1]) == 0 &&
                         system_is_same(folders[0], folders[1]) && system_look(first) != SYSTEM_DEVICE;
    for (size_t i = 0; i < 2; i++) {
        free(paths[i]);
        free(folders[i]);
    }
    return is_same;
}

cli_result output_unwritable(const output *self)
{
    return cli_refuse(self->name, "%s", strerror(errno));
}

/* Whether `name` is a temporary name for the file `base`: base.clprim-XXXXXX. */
static bool is_part_of(const char *base, const char *name)
{
    const size_t size = strlen(base);
    const size_t mark = sizeof PART_MARK - 1;
    return strncmp(name, base, size) == 0 && strncmp(name + size, PART_MARK, mark) == 0 &&
           strlen(name + size + mark) == FILE_LETTERS && strspn(name + size + mark, FILE_ALPHABET) == FILE_LETTERS;
}

/* Remove a temporary file that no process holds: a process that holds it has locked it. */
static void remove_stale(void *base, int folder, const char *name)
{
    clprim__facts facts;
    const int fd = is_part_of(base, name) ? clprim__file_open(folder, name, CLPRIM__OPEN_CHANGE) : -1;
    if (fd < 0)
        return;
    if (clprim__facts_of(&facts, fd) && facts.is_file && facts.is_mine && facts.num_names == 1 &&
        clprim__file_lock(fd) == CLPRIM__LOCKED)
        (void)clprim__file_remove(folder, name);
    clprim__file_close(fd);
}

/* Remove temporary files of killed processes that were writing the same file. */
static void remove_stale_parts(const char *path)
{
    const char *name = NULL;
    char *folder_path = find_folder(&name, path);
    char *base = system_join(name, 0, name);
    const int folder = folder_path != NULL && base != NULL ? clprim__directory_open(folder_path, false) : -1;
    if (folder >= 0) {
        clprim__directory_list(folder, remove_stale, base);
        clprim__file_close(folder);
    }
    free(folder_path);
    free(base);
}

/* Create the temporary file and lock it. Between these two steps, another process may have locked it to remove it, or
 * removed it; then try again. Without locks, nobody else gets one, either. */
static bool make_part(output *self)
{
    clprim__facts facts = {.num_names = 1};
    clprim__locking locked = CLPRIM__LOCKED;
    do {
        if (self->fd >= 0)
            clprim__file_close(self->fd);
        self->fd = file_make(self->part);
        if (self->fd < 0)
            return false;
        locked = clprim__file_lock(self->fd);
    } while (locked == CLPRIM__LOCKED_BY_ANOTHER || (clprim__facts_of(&facts, self->fd) && facts.num_names == 0));
    self->lock = system_duplicate(self->fd);
    return true;
}

/* Create the temporary file next to the output file. It gets the permissions of the existing file, or those of a new
 * file. */
static cli_result open_part(output *self)
{
    remove_stale_parts(self->path);
    self->part = system_join(self->path, strlen(self->path), PART_MARK "XXXXXX");
    if (self->part == NULL)
        return cli_refuse(self->name, "out of memory");
    while (self->slot < MOST_PARTS - 1 && part_of(self->slot) != NULL)
        self->slot++;
    set_part(self->slot, self->part);
    if (!make_part(self)) {
        const cli_result result = output_unwritable(self);
        set_part(self->slot, NULL);
        free(self->part);
        self->part = NULL;
        return result;
    }
    system_permit(self->fd, self->path);
    return CLI_OK;
}

static void release_lock(output *self)
{
    if (self->lock >= 0)
        clprim__file_close(self->lock);
    self->lock = -1;
}

cli_result output_open(output *out, const char *name)
{
    const system_kind kind = system_look(name);
    *out = OUTPUT_NONE;
    out->name = name;
    if (kind == SYSTEM_UNKNOWN)
        return output_unwritable(out);
    if (kind == SYSTEM_DIRECTORY)
        return cli_refuse(name, "is a directory");
    if (kind == SYSTEM_FILE && !system_may_replace(name))
        return cli_refuse(name, "is read-only");
    if (kind != SYSTEM_DEVICE) {
        out->path = system_resolve(name);
        if (out->path == NULL)
            return output_unwritable(out);
        /* A link in /proc may refer to a file that has no name any more. */
        if (kind == SYSTEM_NOTHING || system_is_same(out->path, name))
            return open_part(out);
    }
    out->fd = system_open(name, true);
    return out->fd < 0 ? output_unwritable(out) : CLI_OK;
}

cli_result output_stream(output *self)
{
    self->stream = fdopen(self->fd, "w");
    return self->stream != NULL ? CLI_OK : output_unwritable(self);
}

static bool close_file(output *self)
{
    const bool is_whole = self->stream == NULL || (fflush(self->stream) == 0 && ferror(self->stream) == 0);
    const int reason = errno;
    const bool is_closed = (self->stream != NULL ? fclose(self->stream) : close(self->fd)) == 0;
    self->stream = NULL;
    self->fd = -1;
    if (!is_whole)
        errno = reason;
    return is_whole && is_closed;
}

cli_result output_finish(output *self)
{
    if (!close_file(self))
        return output_unwritable(self);
    if (self->part != NULL) {
        if (!clprim__file_rename(CLPRIM__HERE, self->part, self->path))
            return output_unwritable(self);
        release_lock(self);
        set_part(self->slot, NULL);
        free(self->part);
        self->part = NULL;
    }
    return CLI_OK;
}

void output_abandon(output *self)
{
    if (self->fd >= 0)
        (void)close_file(self);
    if (self->part != NULL) {
        (void)clprim__file_remove(CLPRIM__HERE, self->part);
        release_lock(self);
        set_part(self->slot, NULL);
        free(self->part);
    }
    free(self->path);
    *self = OUTPUT_NONE;
}
