// SPDX-License-Identifier: MIT
/* build_log.c: translate positions in build logs to files and lines that a developer knows. */
#include "build_log.h"

#include <stdlib.h>
#include <string.h>

static const char WHOLE_SOURCE[] = "<kernel>:";
static const char DIRECTIVE[] = "#line ";

/* The position that #line directives give to a line of the source (counted from 1): a file name, which is not
 * NUL-terminated, and a line. */
typedef struct place {
    const char *file;
    size_t length;
    unsigned long line;
} place;

static place find_place(const char *source, unsigned long line)
{
    place at = {"<kernel>", 8, 0}; /* for lines before the first directive */
    for (unsigned long i = 1; i < line && source != NULL; i++) {
        at.line++;
        if (strncmp(source, DIRECTIVE, sizeof DIRECTIVE - 1) == 0) {
            char *end = NULL;
            at.line = strtoul(source + sizeof DIRECTIVE - 1, &end, 10) - 1;
            if (strncmp(end, " \"", 2) == 0) { /* a caller's text may have directives without a file name */
                at.file = end + 2;
                at.length = strcspn(at.file, "\"\n");
            }
        }
        source = strchr(source, '\n');
        source = source != NULL ? source + 1 : NULL;
    }
    at.line++;
    return at;
}

void clprim__build_log_append(clprim__text *out, const char *log, const char *source)
{
    const char *next;
    while ((next = strstr(log, WHOLE_SOURCE)) != NULL) {
        char *end = NULL;
        const place at = find_place(source, strtoul(next + sizeof WHOLE_SOURCE - 1, &end, 10));
        clprim__text_append(out, log, (size_t)(next - log));
        clprim__text_format(out, "%.*s:%lu", (int)at.length, at.file, at.line);
        log = end;
    }
    clprim__text_append(out, log, strlen(log));
}
