/* assemble.c: from a request to the text and the options that the compiler gets. */
#include "assemble.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "names.h"
#include "pass_on.h"

static clprim_status append_file(clprim__text *text, const char *directory, const char *path)
{
    char buffer[4096];
    clprim__text name = {0};
    clprim__text_format(&name, "%s/%s", directory, path);
    FILE *file = name.data != NULL ? fopen(name.data, "rb") : NULL;
    clprim_status status = clprim__text_status(&name);
    if (status == CLPRIM_SUCCESS && file == NULL)
        status = clprim__fail(CLPRIM_KERNEL_SOURCE_MISSING, "%s cannot be read (CLPRIM_KERNEL_DIR)", name.data);
    for (size_t n; file != NULL && (n = fread(buffer, 1, sizeof buffer, file)) > 0;)
        clprim__text_append(text, buffer, n);
    if (file != NULL)
        (void)fclose(file);
    clprim__text_free(&name);
    return status;
}

/* How kernels read a call's elements: from the range that begins at `from`, or from the caller's expression. */
static const char ELEMENTS[] = "#ifdef INPUT_AT\n#define ELEMENT_AT(from, i) INPUT_AT(i)\n"
                               "#else\n#define ELEMENT_AT(from, i) ((from)[i])\n#endif\n";

/* The library's text as it is written: macros for parameters, the prelude, the kernels. */
static clprim_status append_written(clprim__text *out, const clprim__assembly *with,
                                    const clprim__program_request *request)
{
    clprim_status status = CLPRIM_SUCCESS;
    if (request->parameters != NULL)
        clprim__text_append(out, request->parameters, strlen(request->parameters));
    clprim__text_format(out, "#ifndef CALL_COUNT_0\n#define CALL_COUNT_0(n) (n)\n#endif\n"
                             "#ifndef CALL_COUNT_1\n#define CALL_COUNT_1(n) (n)\n#endif\n");
    if (request->prelude != NULL)
        clprim__text_append(out, request->prelude, strlen(request->prelude));
    clprim__text_append(out, ELEMENTS, sizeof ELEMENTS - 1);
    for (int i = 0; i < CLPRIM__MAX_SOURCES && request->sources[i] != NULL; i++) {
        const clprim__source *source = request->sources[i];
        clprim__text_format(out, "#line 1 \"kernels/%s\"\n", source->path);
        if (with->kernel_dir != NULL)
            CLPRIM__TRY(append_file(out, with->kernel_dir, source->path));
        else
            clprim__text_append(out, (const char *)source->bytes, source->size);
        clprim__text_append(out, "\n", 1);
    }
    status = clprim__text_status(out);
done:
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

/* Those of `options`, separated by spaces, that define a macro (-DNAME=VALUE), as lines of the preprocessor's; or all
 * others, as they are. */
static void append_options(clprim__text *out, const char *options, bool as_lines)
{
    while (*options != '\0') {
        const int size = (int)strcspn(options, " ");
        const bool defines = strncmp(options, "-D", 2) == 0;
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
    append_options(&own, with->common_options, true);
    append_options(&own, request->options, true);
    CLPRIM__TRY(append_own(&own, with, request));
    CLPRIM__TRY(clprim__names_scan(&names, own.data, own.size));
    clprim__text_format(out, "#line 1 \"names\"\n");
    clprim__names_save(out, &names);
    if (request->callers_options != NULL) {
        clprim__text_format(out, "#line 1 \"options\"\n");
        append_options(out, request->callers_options, true);
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
        append_options(out, with->common_options, false);
        append_options(out, request->options, false);
        if (request->callers_options != NULL)
            append_options(out, request->callers_options, false);
    }
    return clprim__text_status(out);
}
