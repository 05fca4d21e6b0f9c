/* test_program.cache.c: the directory of compiled programs, without a driver: who may write to it, writers that are
 * killed, many at once. */
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cache_entry.h"
#include "cache_limit.h"
#include "program_cache.h"
#include "support.h"

enum { PATH_ROOM = TEST_PATH_SIZE + 64, KEYS = 4, LARGEST_BINARY = 200000 };

static char directory[TEST_PATH_SIZE];
static char path[PATH_ROOM];
static char *bytes; /* of the binary being stored */

/* A directory of the test's own: <new directory>/cache, which is not there yet. */
static clprim__disk_cache *begin(void)
{
    clprim__disk_cache *cache = NULL;
    test_directory_create(directory);
    (void)snprintf(path, sizeof path, "%s/cache", directory);
    cr_assert_eq(unsetenv("CLPRIM_CACHE"), 0);
    cr_assert_eq(setenv("CLPRIM_CACHE_DIR", path, 1), 0);
    ASSERT_OK(clprim__disk_cache_open(&cache));
    bytes = test_allocate(LARGEST_BINARY);
    return cache;
}

static void end(clprim__disk_cache *cache)
{
    clprim__disk_cache_close(cache);
    free(bytes);
    test_directory_remove(directory);
}

/* Of a key there may be several binaries: a size and a byte make one. */
static const char *make_key(char key[32], size_t number)
{
    (void)snprintf(key, 32, "a program's source %zu", number);
    return key;
}

static bool put(const clprim__disk_cache *cache, size_t number, size_t size, char filler)
{
    char key[32];
    const size_t key_size = strlen(make_key(key, number));
    memset(bytes, filler, size);
    return clprim__disk_cache_put(cache, key, key_size, bytes, size);
}

typedef enum found { NOTHING, SOUND, REJECTED, OTHER } found;

static found get(const clprim__disk_cache *cache, size_t number)
{
    char key[32];
    size_t size = 0;
    bool is_rejected = false;
    const size_t key_size = strlen(make_key(key, number));
    char *entry = clprim__disk_cache_get(&size, &is_rejected, cache, key, key_size);
    found what = entry != NULL ? SOUND : is_rejected ? REJECTED : NOTHING;
    if (entry != NULL && (is_rejected || size == 0 || memcmp(entry, key, key_size) != 0))
        what = OTHER;
    for (size_t i = 0; i < size && what == SOUND; i++)
        if (entry[key_size + i] != entry[key_size])
            what = OTHER; /* of two binaries */
    free(entry);
    return what;
}

static void expect_problem(const clprim__disk_cache *cache, const char *words)
{
    char problem[PATH_ROOM + 64];
    cr_assert_eq(clprim__disk_cache_problem(problem, sizeof problem, cache), words != NULL, "%s", problem);
    cr_assert(words == NULL ? problem[0] == '\0' : strstr(problem, words) != NULL && strstr(problem, directory) != NULL,
              "\"%s\" is not in: %s", words, problem);
    if (words != NULL)
        cr_assert_eq(get(cache, 0), NOTHING, "it is read although %s", words);
    if (words != NULL)
        cr_assert_not(put(cache, 0, 100, 'x'), "it is written although %s", words);
}

static size_t count_files(const char *suffix)
{
    size_t count = 0;
    DIR *list = opendir(path);
    cr_assert_not_null(list);
    for (const struct dirent *item; (item = readdir(list)) != NULL;) {
        const size_t length = strlen(item->d_name);
        count += length > strlen(suffix) && strcmp(item->d_name + length - strlen(suffix), suffix) == 0;
    }
    (void)closedir(list);
    return count;
}

Test(cache, says_why_a_directory_is_not_used)
{
    char link[PATH_ROOM];
    char name[PATH_ROOM + 8];
    clprim__disk_cache *cache = begin();
    clprim__disk_cache *other = NULL;
    struct stat facts;
    expect_problem(NULL, NULL);
    expect_problem(cache, NULL); /* it will be made */
    const mode_t mask = umask(0);
    cr_assert(put(cache, 0, 1000, 'a'));
    (void)umask(mask);
    cr_assert_eq(stat(path, &facts), 0);
    cr_assert_eq(facts.st_mode & 07777, 0700);
    cr_assert_eq(get(cache, 0), SOUND);
    expect_problem(cache, NULL);
    static const mode_t modes[] = {0770, 0702, 0777, 01777};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        cr_assert_eq(chmod(path, modes[i]), 0);
        expect_problem(cache, "others may write to it; chmod go-w");
    }
    cr_assert_eq(chmod(path, 0755), 0);
    expect_problem(cache, NULL);
    if (geteuid() == 0) {
        cr_assert_eq(chown(path, 12345, (gid_t)-1), 0);
        expect_problem(cache, "another user; CLPRIM_CACHE_DIR");
        cr_assert_eq(chown(path, 0, (gid_t)-1), 0);
    }
    cr_assert_eq(get(cache, 0), SOUND);

    (void)snprintf(link, sizeof link, "%s/link", directory);
    cr_assert_eq(symlink(path, link), 0);
    static const char *const ends[] = {"", "/", "//"}; /* with which the system would follow it */
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        (void)snprintf(name, sizeof name, "%s%s", link, ends[i]);
        cr_assert_eq(setenv("CLPRIM_CACHE_DIR", name, 1), 0);
        ASSERT_OK(clprim__disk_cache_open(&other));
        expect_problem(other, "a link");
        clprim__disk_cache_close(other);
    }
    cr_assert_eq(unlink(link), 0);
    cr_assert_eq(symlink("nowhere", link), 0);
    ASSERT_OK(clprim__disk_cache_open(&other));
    expect_problem(other, "a link");
    clprim__disk_cache_close(other);
    end(cache);
}

/* What a runtime says of it. */
Test(cache, problem_is_told_by_the_runtime)
{
    char problem[PATH_ROOM + 64] = "?";
    char cut[8];
    clprim__disk_cache *cache = begin();
    cr_assert(put(cache, 0, 10, 'a'));
    clprim_runtime *runtime = test_runtime(NULL);
    cr_assert_eq(clprim_runtime_cache_problem(runtime, problem, sizeof problem), 0);
    cr_assert_str_empty(problem);
    cr_assert_eq(chmod(path, 0777), 0);
    cr_assert_eq(clprim_runtime_cache_problem(runtime, problem, sizeof problem), 1);
    cr_assert_not_null(strstr(problem, path), "%s", problem);
    cr_assert_eq(clprim_runtime_cache_problem(runtime, cut, sizeof cut), 1);
    cr_assert_eq(strlen(cut), sizeof cut - 1);
    cr_assert_eq(clprim_runtime_cache_problem(runtime, NULL, 0), 1);
    cr_assert_eq(clprim_runtime_cache_problem(NULL, problem, sizeof problem), 0);
    cr_assert_str_empty(problem);
    clprim_runtime_destroy(runtime);
    end(cache);
}

/* Entries that are not a file of the user's own. */
Test(cache, trusts_only_files_of_its_own)
{
    char entry[PATH_ROOM + 64];
    clprim__disk_cache *cache = begin();
    cr_assert(put(cache, 0, 1000, 'a'));
    DIR *list = opendir(path);
    cr_assert_not_null(list);
    for (const struct dirent *item; (item = readdir(list)) != NULL;)
        if (item->d_name[0] != '.')
            (void)snprintf(entry, sizeof entry, "%s/%.40s", path, item->d_name);
    (void)closedir(list);
    cr_assert_eq(chmod(entry, 0620), 0);
    cr_assert_eq(get(cache, 0), REJECTED, "the group may write to it");
    cr_assert_eq(chmod(entry, 0600), 0);
    cr_assert_eq(get(cache, 0), SOUND);
    if (geteuid() == 0) {
        cr_assert_eq(chown(entry, 12345, (gid_t)-1), 0);
        cr_assert_eq(get(cache, 0), REJECTED, "it belongs to another user");
    }
    cr_assert_eq(unlink(entry), 0);
    cr_assert_eq(mkfifo(entry, 0600), 0);
    cr_assert_eq(get(cache, 0), REJECTED, "a pipe, which nobody writes to");
    cr_assert(put(cache, 0, 1000, 'a'), "it is replaced");
    cr_assert_eq(get(cache, 0), SOUND);
    cr_assert_eq(unlink(entry), 0);
    cr_assert_eq(mkdir(entry, 0700), 0);
    cr_assert_eq(get(cache, 0), REJECTED, "a directory");
    cr_assert_not(put(cache, 0, 1000, 'a'));
    cr_assert_eq(count_files(".tmp"), 0, "what cannot be renamed is removed");
    end(cache);
}

/* What a process does until it is killed, or for `rounds` rounds: 1 where it finds what nobody has stored. */
static int store_and_load(const clprim__disk_cache *cache, uint64_t seed, size_t rounds)
{
    for (size_t i = 0; i < rounds; i++) {
        const size_t size = 1 + test_random_below(&seed, LARGEST_BINARY);
        (void)put(cache, test_random_below(&seed, KEYS), size, (char)test_random(&seed));
        const found what = get(cache, test_random_below(&seed, KEYS));
        if (what == REJECTED || what == OTHER)
            return 1;
    }
    return 0;
}

static pid_t spawn(const clprim__disk_cache *cache, uint64_t seed, size_t rounds)
{
    const pid_t process = fork();
    cr_assert_geq(process, 0);
    if (process == 0)
        _exit(store_and_load(cache, seed, rounds));
    return process;
}

Test(cache, survives_writers_that_are_killed)
{
    const size_t kills = test_is_full() ? 2000 : 200;
    uint64_t seed = TEST_SEED;
    size_t stale = 0;
    clprim__disk_cache *cache = begin();
    for (size_t i = 0; i < kills; i++) {
        int status = 0;
        const pid_t process = spawn(cache, test_random(&seed), SIZE_MAX);
        const struct timespec pause = {.tv_nsec = (long)test_random_below(&seed, 3000000)};
        (void)nanosleep(&pause, NULL);
        cr_assert_eq(kill(process, SIGKILL), 0);
        cr_assert_eq(waitpid(process, &status, 0), process);
        cr_assert(WIFSIGNALED(status), "it found a bad entry");
        for (size_t key = 0; key < KEYS && i > 0; key++) {
            const found what = get(cache, key);
            cr_assert(what == SOUND || what == NOTHING, "after %zu kills: %d", i + 1, (int)what);
        }
    }
    cr_assert_leq(count_files(".bin"), KEYS);
    cr_assert(put(cache, 0, 100, 'x'), "what they left is in nobody's way");
    stale = count_files(".tmp");
    cr_assert_gt(stale, 0, "no kill came while an entry was written");

    /* An hour later it is removed, and nothing else. */
    char name[PATH_ROOM + 256];
    DIR *list = opendir(path);
    cr_assert_not_null(list);
    const struct timespec long_ago[2] = {{.tv_sec = time(NULL) - 4000}, {.tv_sec = time(NULL) - 4000}};
    for (const struct dirent *item; (item = readdir(list)) != NULL;) {
        (void)snprintf(name, sizeof name, "%s/%.255s", path, item->d_name);
        if (strcmp(item->d_name, ".") != 0 && strcmp(item->d_name, "..") != 0)
            cr_assert_eq(utimensat(AT_FDCWD, name, long_ago, 0), 0);
    }
    (void)closedir(list);
    cr_assert(put(cache, 1, 100, 'y'));
    cr_assert_eq(count_files(".tmp"), 0);
    cr_assert_eq(get(cache, 0), SOUND);
    cr_assert_eq(get(cache, 1), SOUND);
    fprintf(stderr, "cache: %zu writers killed, %zu of them while they wrote: no bad entry\n", kills, stale);
    end(cache);
}

Test(cache, serves_sixteen_processes_at_once)
{
    enum { PROCESSES = 16 };
    const size_t rounds = test_is_full() ? 500 : 50;
    uint64_t seed = TEST_SEED;
    pid_t processes[PROCESSES];
    clprim__disk_cache *cache = begin();
    for (size_t i = 0; i < PROCESSES; i++)
        processes[i] = spawn(cache, test_random(&seed), rounds);
    for (size_t i = 0; i < PROCESSES; i++) {
        int status = -1;
        cr_assert_eq(waitpid(processes[i], &status, 0), processes[i]);
        cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0, "process %zu found a bad entry", i);
    }
    cr_assert_eq(count_files(".bin"), KEYS);
    cr_assert_eq(count_files(".tmp"), 0);
    for (size_t key = 0; key < KEYS; key++)
        cr_assert_eq(get(cache, key), SOUND);
    fprintf(stderr, "cache: %d processes at once, %zu entries written: no bad one\n", PROCESSES, PROCESSES * rounds);
    end(cache);
}

static void entry_path(char out[PATH_ROOM + 64], size_t number)
{
    char key[32];
    char name[CLPRIM__CACHE_NAME_SIZE];
    (void)make_key(key, number);
    clprim__cache_entry_name(name, key, strlen(key));
    (void)snprintf(out, PATH_ROOM + 64, "%s/%s", path, name);
}

static void set_age(const char *file, long seconds)
{
    const struct timespec used = {.tv_sec = time(NULL) - seconds};
    cr_assert_eq(utimensat(AT_FDCWD, file, (const struct timespec[]){used, used}, AT_SYMLINK_NOFOLLOW), 0);
}

/* Bytes of all entries. */
static size_t sum_of_entries(void)
{
    size_t sum = 0;
    DIR *list = opendir(path);
    cr_assert_not_null(list);
    for (const struct dirent *item; (item = readdir(list)) != NULL;) {
        struct stat facts;
        if (strstr(item->d_name, ".bin") != NULL && fstatat(dirfd(list), item->d_name, &facts, 0) == 0)
            sum += (size_t)facts.st_size;
    }
    (void)closedir(list);
    return sum;
}

Test(cache, limit_is_a_number_of_mebibytes)
{
    static const struct {
        const char *text;
        uint64_t bytes;
    } rows[] = {{NULL, 64 << 20},
                {"", 64 << 20},
                {"1", 1 << 20},
                {"100", 100 << 20},
                {"-1", 64 << 20},
                {"2x", 64 << 20},
                {" 2", 64 << 20},
                {"0", UINT64_MAX},
                {"many", 64 << 20},
                {"1.5", 64 << 20},
                {"18446744073709551615", UINT64_MAX},
                {"99999999999999999999", UINT64_MAX}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_assert_eq(
            rows[i].text != NULL ? setenv("CLPRIM_CACHE_SIZE", rows[i].text, 1) : unsetenv("CLPRIM_CACHE_SIZE"), 0);
        cr_assert_eq(clprim__cache_limit(), rows[i].bytes, "\"%s\"", rows[i].text != NULL ? rows[i].text : "not set");
    }
}

/* Six entries are nearly as much as is allowed. With the next one those go that were used least recently, and nothing
 * that is no entry. */
Test(cache, removes_what_was_used_least_recently)
{
    enum { ENTRIES = 6, SIZE = 170000, FOREIGN = 4, TOO_MUCH = 3 << 19 };
    static const char *const foreign[FOREIGN] = {"notes.txt", "notes.bin", "0123456789abcdef0123456789abcdef.bin",
                                                 "00000000000000000000000000000000.bin"};
    static const found expected[ENTRIES + 1] = {SOUND, NOTHING, NOTHING, SOUND, SOUND, SOUND, SOUND};
    char name[PATH_ROOM + 64];
    struct stat facts;
    cr_assert_eq(setenv("CLPRIM_CACHE_SIZE", "1", 1), 0);
    clprim__disk_cache *cache = begin();
    for (size_t i = 0; i < ENTRIES; i++)
        cr_assert(put(cache, i, SIZE, 'a'));
    for (size_t i = 0; i < FOREIGN; i++) {
        (void)snprintf(name, sizeof name, "%s/%s", path, foreign[i]);
        const int fd = i + 1 < FOREIGN ? open(name, O_WRONLY | O_CREAT, 0600) : -1;
        cr_assert(i + 1 < FOREIGN ? write(fd, "mine", 4) == 4 && close(fd) == 0 : symlink("notes.txt", name) == 0);
        set_age(name, 100000);
    }
    for (size_t i = 0; i < ENTRIES; i++) {
        cr_assert_eq(get(cache, i), SOUND, "entry %zu", i);
        entry_path(name, i);
        set_age(name, 1000 - (long)i);
    }
    cr_assert_eq(get(cache, 0), SOUND); /* the oldest one is used again */
    cr_assert(put(cache, ENTRIES, SIZE, 'b'));
    for (size_t i = 0; i <= ENTRIES; i++)
        cr_assert_eq(get(cache, i), expected[i], "entry %zu", i);
    for (size_t i = 0; i < FOREIGN; i++) {
        (void)snprintf(name, sizeof name, "%s/%s", path, foreign[i]);
        cr_assert_eq(lstat(name, &facts), 0, "%s was removed", foreign[i]);
    }
    /* One that is more than all may be stays until the next one comes. */
    free(bytes);
    bytes = test_allocate(TOO_MUCH);
    cr_assert(put(cache, ENTRIES + 1, TOO_MUCH, 'c'));
    cr_assert_eq(get(cache, ENTRIES + 1), SOUND);
    cr_assert_eq(get(cache, ENTRIES), NOTHING);
    cr_assert(put(cache, 0, SIZE, 'd'));
    cr_assert_eq(get(cache, ENTRIES + 1), NOTHING);
    cr_assert_eq(get(cache, 0), SOUND);
    end(cache);
}

Test(cache, keeps_its_limit_with_many_processes)
{
    enum { PROCESSES = 4, ENTRIES = 20 };
    pid_t processes[PROCESSES];
    cr_assert_eq(setenv("CLPRIM_CACHE_SIZE", "1", 1), 0);
    clprim__disk_cache *cache = begin();
    for (size_t p = 0; p < PROCESSES; p++) {
        processes[p] = fork();
        cr_assert_geq(processes[p], 0);
        bool is_well = true;
        for (size_t i = 0; processes[p] == 0 && i < ENTRIES; i++) {
            const size_t number = p * ENTRIES + i;
            const found what = put(cache, number, LARGEST_BINARY, 'a') ? get(cache, number) : OTHER;
            is_well = is_well && (what == SOUND || what == NOTHING);
        }
        if (processes[p] == 0)
            _exit(!is_well);
    }
    for (size_t p = 0; p < PROCESSES; p++) {
        int status = -1;
        cr_assert_eq(waitpid(processes[p], &status, 0), processes[p]);
        cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0, "process %zu", p);
    }
    cr_assert_leq(sum_of_entries(), (size_t)1 << 20);
    cr_assert_geq(count_files(".bin"), 1);
    end(cache);
}

/* Every byte of an entry, every length, and each key's entry in another's place. */
Test(cache, rejects_every_damage)
{
    static char good[2048];
    char entry[KEYS][PATH_ROOM + 64];
    char key[32];
    size_t rejected = 0;
    clprim__disk_cache *cache = begin();
    for (size_t number = 0; number < 2; number++) {
        cr_assert(put(cache, number, 500, 'a'));
        DIR *list = opendir(path);
        for (const struct dirent *item; (item = readdir(list)) != NULL;) {
            (void)snprintf(entry[number], sizeof entry[number], "%s/%.40s", path, item->d_name);
            if (item->d_name[0] != '.' && (number == 0 || strcmp(entry[1], entry[0]) != 0))
                break;
        }
        (void)closedir(list);
    }
    const int fd = open(entry[0], O_RDWR);
    cr_assert_geq(fd, 0);
    const ssize_t size = read(fd, good, sizeof good);
    cr_assert_eq((size_t)size, 32 + strlen(make_key(key, 0)) + 500);
    for (ssize_t at = 0; at < size; at++)
        for (int bit = 0; bit < 8; bit += 7) {
            const char bad = (char)(good[at] ^ 1 << bit);
            cr_assert_eq(pwrite(fd, &bad, 1, at), 1);
            cr_assert_eq(get(cache, 0), REJECTED, "bit %d of byte %zd", bit, at);
            cr_assert_eq(pwrite(fd, &good[at], 1, at), 1);
            rejected++;
        }
    cr_assert_eq(get(cache, 0), SOUND);
    for (ssize_t length = size; length-- > 0;) {
        cr_assert_eq(ftruncate(fd, length), 0);
        cr_assert_eq(get(cache, 0), REJECTED, "cut to %zd bytes", length);
        rejected++;
    }
    cr_assert_eq(pwrite(fd, good, (size_t)size, 0), size);
    cr_assert_eq(pwrite(fd, "x", 1, size), 1);
    cr_assert_eq(get(cache, 0), REJECTED, "a byte too long");
    (void)close(fd);
    cr_assert_eq(rename(entry[1], entry[0]), 0);
    cr_assert_eq(get(cache, 0), REJECTED, "another key's");
    fprintf(stderr, "cache: %zu damaged entries rejected\n", rejected + 2);
    end(cache);
}
