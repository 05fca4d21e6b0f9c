/* main.c: in libFuzzer's place, where the compiler has none: the files of a corpus, then these with random changes and
 * random bytes. Without a view of which lines are reached it finds less, but in every build that is tested.
 *
 *     fuzz_NAME SECONDS [DIRECTORY]           from a seed that is always the same */
#include <dirent.h>
#include <string.h>
#include <time.h>

#include "fuzz.h"

enum { MAX_FILES = 64, MAX_SIZE = 4096 };

typedef struct sample {
    uint8_t bytes[MAX_SIZE];
    size_t size;
} sample;

static sample corpus[MAX_FILES];
static size_t num_files;

static uint64_t next_random(void)
{
    static uint64_t state = UINT64_C(0x5eed0fc1);
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 (Steele, Lea, Flood 2014) */
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static double seconds(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void read_corpus(const char *path)
{
    char name[1024];
    DIR *directory = opendir(path);
    EXPECT(directory != NULL);
    for (const struct dirent *item; (item = readdir(directory)) != NULL && num_files < MAX_FILES;) {
        (void)snprintf(name, sizeof name, "%s/%s", path, item->d_name);
        FILE *file = item->d_name[0] != '.' ? fopen(name, "rb") : NULL;
        if (file == NULL)
            continue;
        corpus[num_files].size = fread(corpus[num_files].bytes, 1, MAX_SIZE, file);
        num_files++;
        (void)fclose(file);
    }
    (void)closedir(directory);
}

/* In memory that ends where the input ends, so that a sanitizer sees who reads on. */
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
    const size_t changes = 1 + next_random() % 8;
    for (size_t i = 0; i < changes && input->size > 0; i++) {
        uint8_t *at = &input->bytes[next_random() % input->size];
        switch (next_random() % 4) {
        case 0: *at = (uint8_t)next_random(); break;
        case 1: *at ^= (uint8_t)(1U << next_random() % 8); break;
        case 2: input->size -= next_random() % input->size; break;
        default: *at = input->bytes[next_random() % input->size]; break;
        }
    }
}

int main(int argc, char **argv)
{
    static sample input;
    const double limit = argc > 1 ? strtod(argv[1], NULL) : 3;
    size_t runs = 0;
    if (argc > 2)
        read_corpus(argv[2]);
    run((const uint8_t *)"", 0);
    for (size_t i = 0; i < num_files; i++)
        run(corpus[i].bytes, corpus[i].size);
    const double began = seconds(); /* the corpus makes the plans, whose kernels have to be compiled */
    for (; seconds() - began < limit; runs++) {
        if (num_files > 0 && next_random() % 4 != 0) {
            input = corpus[next_random() % num_files];
            change(&input);
        } else {
            input.size = next_random() % 300;
            for (size_t i = 0; i < input.size; i++)
                input.bytes[i] = (uint8_t)next_random();
        }
        run(input.bytes, input.size);
    }
    const double took = seconds() - began;
    printf("%s: %zu files and %zu changed inputs, %.0f a second\n", argv[0], num_files, runs, (double)runs / took);
    return 0;
}
