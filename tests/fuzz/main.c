// SPDX-License-Identifier: MIT
/* main.c: replaces libFuzzer if the compiler has none: it runs the files of a corpus, then the same with random
 * changes, and random bytes. It does not see which lines are reached, so it finds less than libFuzzer, but it runs in
 * every build that is tested.
 *
 *     fuzz_NAME SECONDS [DIRECTORY]           the seed is always the same */
#include <glob.h>
#include <string.h>
#include <time.h>

#include "describe.h"
#include "fuzz.h"

enum { MAX_FILES = 64, MAX_SIZE = 4096 };

typedef struct sample {
    uint8_t bytes[MAX_SIZE];
    size_t size;
} sample;

static sample corpus[MAX_FILES];
static size_t num_files;
static test_source source = {.state = UINT64_C(0x5eed0fc1)};

static void read_corpus(const char *path)
{
    char pattern[1024];
    glob_t files;
    (void)snprintf(pattern, sizeof pattern, "%s/*", path);
    EXPECT(glob(pattern, 0, NULL, &files) == 0 && files.gl_pathc <= MAX_FILES);
    for (; num_files < files.gl_pathc; num_files++) {
        FILE *file = fopen(files.gl_pathv[num_files], "rb");
        EXPECT(file != NULL);
        corpus[num_files].size = fread(corpus[num_files].bytes, 1, MAX_SIZE, file);
        (void)fclose(file);
    }
    globfree(&files);
}

/* The input is copied to memory that ends where the input ends, so that a sanitizer detects reads past it. */
static void run(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size + (size == 0));
    EXPECT(copy != NULL);
    memcpy(copy, bytes, size);
    (void)LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static void change(sample *input)
{
    for (size_t left = 1 + test_below(&source, 8); left > 0 && input->size > 0; left--) {
        uint8_t *at = &input->bytes[test_below(&source, input->size)];
        switch (test_below(&source, 4)) {
        case 0: *at = (uint8_t)test_below(&source, 256); break;
        case 1: *at ^= (uint8_t)(1U << test_below(&source, 8)); break;
        case 2: input->size -= test_below(&source, input->size); break;
        default: *at = input->bytes[test_below(&source, input->size)]; break;
        }
    }
}

int main(int argc, char **argv)
{
    static sample input;
    const int limit = argc > 1 ? atoi(argv[1]) : 3;
    size_t runs = 0;
    if (argc > 2)
        read_corpus(argv[2]);
    run((const uint8_t *)"", 0);
    for (size_t i = 0; i < num_files; i++)
        run(corpus[i].bytes, corpus[i].size);
    const time_t began = time(NULL); /* the corpus makes the plans, whose kernels have to be compiled */
    for (; time(NULL) <= began + limit; runs++) {
        if (num_files > 0 && test_below(&source, 4) != 0) {
            input = corpus[test_below(&source, num_files)];
            change(&input);
        } else {
            input.size = test_below(&source, 300);
            for (size_t i = 0; i < input.size; i++)
                input.bytes[i] = (uint8_t)test_below(&source, 256);
        }
        run(input.bytes, input.size);
    }
    printf("%s: %zu inputs, %zu of them files\n", argv[0], num_files + runs, num_files);
    return 0;
}
