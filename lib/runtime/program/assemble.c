// SPDX-License-Identifier: MIT
/* assemble.c: make the source text and the options for the compiler from a request. */
#include "assemble.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "names.h"
#include "pass_on.h"
#include "platform.h"

static const char INCLUDE[] = "#include ";    /* followed by "PATH" or <PATH> */
static const char LAYER[] = "clprim/device/"; /* the public headers for kernels; always the library's own copies */

/* The state while files are joined into a program's text. */
typedef struct including {
    clprim__text *out;
    const char *kernel_dir; /* or NULL */
    clprim__text there;     /* the paths of the files that are in the text, with a newline before and after each */
} including;

static clprim_status append_file(clprim__text *text, const including *self, const char *path, const char *includer)
{
    char buffer[4096];
    clprim__text name = {0};
    clprim__text_format(&name, "%s/%s", self->kernel_dir, path);
    size_t got = sizeof buffer;
    const int file = name.data != NULL ? clprim__file_open(CLPRIM__HERE, name.data, CLPRIM__OPEN_READ) : -1;
    clprim_status status = clprim__text_status(&name);
    if (status == CLPRIM_SUCCESS && file < 0)
        status = clprim__fail(CLPRIM_KERNEL_SOURCE_MISSING, "%s cannot be read (CLPRIM_KERNEL_DIR%s%s)", name.data,
                              includer != NULL ? "; included by " : "", includer != NULL ? includer : "");
    while (file >= 0 && got == sizeof buffer && clprim__file_read(file, buffer, sizeof buffer, -1, &got))
        clprim__text_append(text, buffer, got);
    if (file >= 0)
        clprim__file_close(file);
    clprim__text_free(&name);
    return status != CLPRIM_SUCCESS ? status : clprim__text_status(text);
}

/* The file with this path among those that `from`, the library's own copy, includes; NULL if there is none. */
static const clprim__source *included(const clprim__source *from, const char *path)
{
    const clprim__source *const *it = from != NULL ? from->includes : NULL;
    while (it != NULL && *it != NULL && strcmp((*it)->path, path) != 0)
        it++;
    return it != NULL ? *it : NULL;
}

static clprim_status append_source(including *self, const char *path, const clprim__source *source,
                                   const char *includer);

static bool is_of_layer(const char *path)
{
    return strncmp(path, LAYER, sizeof LAYER - 1) == 0;
}

/* Append the file that an #include line names, unless it is in the text already. */
static clprim_status append_included(including *self, const char *line, const clprim__source *from,
                                     const char *includer)
{
    const char *begin = line + sizeof INCLUDE;
    clprim__text path = {0};
    clprim_status status = CLPRIM_SUCCESS;
    clprim__text_format(&path, "%.*s", (int)strcspn(begin, "\">\n"), begin);
    CLPRIM__TRY(clprim__text_status(&path));
    status = append_source(self, path.data, included(from, path.data), includer);
done:
    clprim__text_free(&path);
    return status;
}

/* Append the text of a file. The first #include line for a file is replaced by that file; later ones become empty
 * lines. After an included file, a #line directive restores the position. A compiler ignores #line in text that it
 * skips, so if a conditional contains an included file, there is another #line after its branches. */
static clprim_status append_lines(including *self, const char *text, size_t size, const char *path,
                                  const clprim__source *source)
{
    clprim_status status = CLPRIM_SUCCESS;
    int depth = 0;
    bool moved = false;
    const char *folder = is_of_layer(path) ? "include" : "kernels";
    clprim__text_format(self->out, "#line 1 \"%s/%s\"\n", folder, path);
    for (size_t begin = 0, line = 1, end; begin < size; begin = end, line++) {
        const char *at = text + begin;
        const char *stop = memchr(at, '\n', size - begin);
        const size_t length = stop != NULL ? (size_t)(stop - at) + 1 : size - begin;
        end = begin + length;
        const bool includes = length > sizeof INCLUDE && memcmp(at, INCLUDE, sizeof INCLUDE - 1) == 0;
        const size_t before = self->there.size;
        if (includes)
            CLPRIM__TRY(append_included(self, at, source, path));
        const bool is_new = self->there.size != before;
        if (!is_new)
            clprim__text_append(self->out, includes ? "\n" : at, includes ? 1 : length);
        const bool ends = length > 5 && (memcmp(at, "#endif", 6) == 0 || memcmp(at, "#el", 3) == 0);
        const bool ends_all = ends && at[2] == 'n';
        if (is_new || (ends && moved))
            clprim__text_format(self->out, "#line %zu \"%s/%s\"\n", line + 1, folder, path);
        depth += length > 3 && memcmp(at, "#if", 3) == 0 ? 1 : ends_all ? -1 : 0;
        moved = depth > 0 && (moved || is_new);
    }
    clprim__text_append(self->out, "\n", 1);
    status = clprim__text_status(self->out);
done:
    return status;
}

/* Append a file with the files that it includes, or nothing if it is in the text already. source: the library's own
 * copy, or NULL. includer: the path of the file that includes it, or NULL. */
static clprim_status append_source(including *self, const char *path, const clprim__source *source,
                                   const char *includer)
{
    clprim__text entry = {0};
    clprim__text file = {0};
    clprim_status status = CLPRIM_SUCCESS;
    clprim__text_format(&entry, "\n%s\n", path);
    CLPRIM__TRY(clprim__text_status(&entry));
    if (self->there.data != NULL && strstr(self->there.data, entry.data) != NULL)
        goto done;
    clprim__text_append(&self->there, entry.data, entry.size);
    CLPRIM__TRY(clprim__text_status(&self->there));
    if (self->kernel_dir != NULL && !is_of_layer(path)) {
        CLPRIM__TRY(append_file(&file, self, path, includer));
        status = append_lines(self, file.data != NULL ? file.data : "", file.size, path, source);
    } else if (source != NULL) {
        status = append_lines(self, (const char *)source->bytes, source->size, path, source);
    } else {
        status = clprim__fail(CLPRIM_KERNEL_SOURCE_MISSING, "the library has no kernels/%s, which %s includes", path,
                              includer);
    }
done:
    clprim__text_free(&file);
    clprim__text_free(&entry);
    return status;
}

/* How kernels read a call's elements: from the array that begins at `from`, or from the caller's expression. */
static const char ELEMENTS[] = "#ifdef INPUT_AT\n#define ELEMENT_AT(from, i) INPUT_AT(i)\n"
                               "#else\n#define ELEMENT_AT(from, i) ((from)[i])\n#endif\n";

/* Append the library's text before names are changed: macros for parameters, the prelude, the kernels. */
static clprim_status append_written(clprim__text *out, const clprim__assembly *with,
                                    const clprim__program_request *request)
{
    including files = {.out = out, .kernel_dir = with->kernel_dir};
    clprim_status status = CLPRIM_SUCCESS;
    if (request->parameters != NULL)
        clprim__text_append(out, request->parameters, strlen(request->parameters));
    clprim__text_format(out, "#ifndef CALL_COUNT_0\n#define CALL_COUNT_0(n) (n)\n#endif\n"
                             "#ifndef CALL_COUNT_1\n#define CALL_COUNT_1(n) (n)\n#endif\n");
    if (request->prelude != NULL)
        clprim__text_append(out, request->prelude, strlen(request->prelude));
    clprim__text_append(out, ELEMENTS, sizeof ELEMENTS - 1);
    CLPRIM__TRY(append_source(&files, request->source->path, request->source, NULL));
    status = clprim__text_status(out);
done:
    clprim__text_free(&files.there);
    return status;
}

static clprim_status append_own(clprim__text *out, const clprim__assembly *with, const clprim__program_request *request)
{
    clprim__text written = {0};
    clprim_status status = CLPRIM_SUCCESS;
    if (request->parameters == NULL)
        return append_written(out, with, request);
    CLPRIM__TRY(append_written(&written, with, request));
    status = clprim__pass_on(out, written.data, written.size, request->has_arguments);
done:
    clprim__text_free(&written);
    return status;
}

/* Whether an option becomes a line of the program. An option that defines a macro (-DNAME=VALUE) does, unless the macro
 * must be defined before the caller's text. The library's CLPRIM_... must be, because headers of clprim/device/ in the
 * caller's text need them. */
static bool is_line(const char *option, bool is_callers)
{
    static const char is_public[] = "-DCLPRIM_";
    return strncmp(option, "-D", 2) == 0 && (is_callers || strncmp(option, is_public, sizeof is_public - 1) != 0);
}

/* Append `options`, which are separated by spaces: as_lines, those that become lines, as lines; otherwise the rest,
 * unchanged. */
static void append_options(clprim__text *out, const char *options, bool is_callers, bool as_lines)
{
    while (*options != '\0') {
        const int size = (int)strcspn(options, " ");
        const bool defines = is_line(options, is_callers);
        const int name = (int)strcspn(options, " =") - 2;
        if (defines && as_lines && name + 2 < size)
            clprim__text_format(out, "#define %.*s %.*s\n", name, options + 2, size - name - 3, options + name + 3);
        else if (defines && as_lines)
            clprim__text_format(out, "#define %.*s 1\n", name, options + 2);
        else if (!defines && !as_lines && size > 0)
            clprim__text_format(out, " %.*s", size, options);
        options += size + (options[size] == ' ');
    }
}

clprim_status clprim__assemble_source(clprim__text *out, const clprim__assembly *with,
                                      const clprim__program_request *request)
{
    clprim__text own = {0};
    clprim__names names = {.list = NULL};
    clprim_status status = CLPRIM_SUCCESS;
    if (request->callers == NULL)
        return append_own(out, with, request);
    clprim__text_format(&own, "#line 1 \"options\"\n");
    append_options(&own, with->common_options, false, true);
    append_options(&own, request->options, false, true);
    CLPRIM__TRY(append_own(&own, with, request));
    CLPRIM__TRY(clprim__names_scan(&names, own.data, own.size));
    clprim__text_format(out, "#line 1 \"names\"\n");
    clprim__names_save(out, &names);
    if (request->callers_options != NULL) {
        clprim__text_format(out, "#line 1 \"options\"\n");
        append_options(out, request->callers_options, true, true);
    }
    clprim__text_append(out, request->callers, strlen(request->callers));
    clprim__text_format(out, "#line 1 \"names\"\n");
    clprim__names_separate(out, &names);
    clprim__text_append(out, own.data, own.size);
    status = clprim__text_status(out);
done:
    clprim__names_free(&names);
    clprim__text_free(&own);
    return status;
}

clprim_status clprim__assemble_options(clprim__text *out, const clprim__assembly *with,
                                       const clprim__program_request *request)
{
    if (request->callers == NULL) {
        clprim__text_format(out, "%s %s", with->common_options, request->options);
    } else {
        append_options(out, with->common_options, false, false);
        append_options(out, request->options, false, false);
        if (request->callers_options != NULL)
            append_options(out, request->callers_options, true, false);
    }
    return clprim__text_status(out);
}
