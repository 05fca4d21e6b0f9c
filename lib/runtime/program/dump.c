// SPDX-License-Identifier: MIT
/* dump.c: write programs to files as the compiler gets them. */
#include "dump.h"

#include <clprim/version.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cache_entry.h"
#include "new_file.h"
#include "platform.h"

struct clprim__dump {
    char *directory;
    int trouble; /* errno of the most recent failed write, or 0. Changed atomically */
};

clprim_status clprim__dump_open(clprim__dump **out)
{
    const char *directory = clprim__environment("CLPRIM_DUMP");
    *out = NULL;
    if (directory == NULL || directory[0] == '\0')
        return CLPRIM_SUCCESS;
    clprim__dump *self = calloc(1, sizeof *self);
    if (self == NULL || (self->directory = strdup(directory)) == NULL) {
        free(self);
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a runtime");
    }
    *out = self;
    return CLPRIM_SUCCESS;
}

void clprim__dump_close(clprim__dump *self)
{
    if (self == NULL)
        return;
    free(self->directory);
    free(self);
}

/* Returns -1, and sets errno, if the directory cannot be created or opened. */
static int open_directory(const clprim__dump *self)
{
    (void)clprim__directory_make(self->directory, false);
    return clprim__directory_open(self->directory, false);
}

/* Append a comment line. A driver's names may contain anything, so line ends and a trailing backslash are removed. */
static void append_line(clprim__text *out, const char *label, const char *value)
{
    clprim__text_format(out, "// %s: ", label);
    for (; *value != '\0'; value++) {
        if (*value == '\n' && value[1] != '\0')
            clprim__text_append(out, "; ", 2);
        else if (*value != '\n')
            clprim__text_append(out, *value != '\\' && *value != '\r' ? value : "?", 1);
    }
    clprim__text_append(out, "\n", 1);
}

static void append_program(clprim__text *out, const clprim__dumped *program)
{
    clprim__text kernels = {0};
    for (size_t i = 0; i < program->num_kernels; i++)
        clprim__text_format(&kernels, "%s%s%s", i > 0 ? " " : "", program->kernel_prefix, program->kernels[i]);
    out->failed = out->failed || kernels.failed;
    clprim__text_format(out, "// clPRIM %d.%d.%d: kernels/%s\n", CLPRIM_VERSION_MAJOR, CLPRIM_VERSION_MINOR,
                        CLPRIM_VERSION_PATCH, program->path);
    append_line(out, "device", program->device);
    append_line(out, "kernels", kernels.data != NULL ? kernels.data : "");
    append_line(out, "options", program->options + strspn(program->options, " "));
    clprim__text_append(out, program->source, strlen(program->source));
    clprim__text_free(&kernels);
}

static bool write_file(int directory, const char *name, const clprim__text *text)
{
    char temporary[CLPRIM__TEMPORARY_SIZE];
    const int fd = clprim__new_file_begin(temporary, directory);
    return fd >= 0 &&
           clprim__new_file_end(fd, directory, temporary, name, clprim__file_write(fd, text->data, text->size, -1));
}

void clprim__dump_write(clprim__dump *self, const clprim__dumped *program)
{
    char entry[CLPRIM__CACHE_NAME_SIZE];
    clprim__text text = {0};
    clprim__text name = {0};
    if (self == NULL)
        return;
    clprim__cache_entry_name(entry, program->key->data, program->key->size);
    clprim__text_format(&name, "%.*s.cl", (int)strcspn(entry, "."), entry);
    append_program(&text, program);
    int trouble = name.failed || text.failed ? ENOMEM : 0;
    const int directory = trouble == 0 ? open_directory(self) : -1;
    if (directory < 0 && trouble == 0)
        trouble = errno;
    if (directory >= 0) {
        const int there = clprim__file_open(directory, name.data, CLPRIM__OPEN_READ);
        if (there >= 0)
            clprim__file_close(there);
        else if (!write_file(directory, name.data, &text))
            trouble = errno;
        clprim__file_close(directory);
    }
    __atomic_store_n(&self->trouble, trouble, __ATOMIC_RELAXED);
    clprim__text_free(&name);
    clprim__text_free(&text);
}

size_t clprim__dump_problem(clprim__text *out, clprim__dump *self)
{
    char reason[128] = "";
    if (self == NULL)
        return 0;
    const int directory = open_directory(self);
    const int trouble = directory < 0 ? errno : __atomic_load_n(&self->trouble, __ATOMIC_RELAXED);
    if (directory >= 0)
        clprim__file_close(directory);
    if (trouble == 0 || !clprim__error_text(reason, sizeof reason, trouble))
        return 0;
    clprim__text_format(out, "CLPRIM_DUMP: %s\"%s\": %s",
                        directory < 0 ? "programs cannot be written to "
                                      : "the latest program could not be written to ",
                        self->directory, reason);
    return 1;
}
