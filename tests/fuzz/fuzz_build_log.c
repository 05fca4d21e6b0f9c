// SPDX-License-Identifier: MIT
/* fuzz_build_log.c: a compiler's log, and the source that it refers to, which may be a caller's text that contains
 * lines like directives. The input is both, separated by a byte of 0. */
#include <string.h>

#include "build_log.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    clprim__text out = {0};
    char *text = malloc(size + 2);
    EXPECT(text != NULL);
    memcpy(text, bytes, size);
    text[size] = text[size + 1] = '\0';
    const char *source = text + strlen(text) + 1;
    clprim__build_log_append(&out, text, source);
    EXPECT(!out.failed && strlen(out.data) == out.size);
    EXPECT(strstr(text, "<kernel>:") != NULL || strcmp(out.data, text) == 0);
    clprim__text_free(&out);
    free(text);
    return 0;
}
