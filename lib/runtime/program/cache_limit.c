/* cache_limit.c: limit the size of the directory of compiled programs. */
#define _GNU_SOURCE /* for F_OFD_SETLK */
#include "cache_limit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cache_entry.h"

enum { DEFAULT_MEBIBYTES = 256, STALE_SECONDS = 3600, FIRST_ROOM = 64 };

/* An entry of the directory. */
typedef struct item {
    char name[CLPRIM__CACHE_NAME_SIZE];
    struct timespec used;
    uint64_t size;
} item;

typedef struct listing {
    bool has_items; /* otherwise only their total size is needed, which takes no memory */
    item *items;
    size_t count, room;
    uint64_t sum;
} listing;

bool clprim__cache_limit(uint64_t *out)
{
    const uint64_t mebibyte = UINT64_C(1) << 20;
    const char *text = getenv("CLPRIM_CACHE_SIZE");
    char *end = NULL;
    *out = DEFAULT_MEBIBYTES * mebibyte;
    if (text == NULL || text[0] == '\0')
        return true;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0') /* strtoull would accept signs and spaces */
        return false;
    *out = number == 0 || errno == ERANGE || number > UINT64_MAX / mebibyte ? UINT64_MAX : number * mebibyte;
    return true;
}

/* The lock of an entry: a lock on one byte of the directory, whose offset is given by the first digits of the
 * entry's name. The lock belongs to the open descriptor. So it ends with the process at the latest, and needs no lock
 * file. */
static struct flock lock_of(const char *name, short type)
{
    enum { DIGITS = 15 }; /* 60 bits, because an offset must not be negative */
    char digits[DIGITS + 1] = "";
    memcpy(digits, name, DIGITS);
    return (struct flock){
        .l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)strtoull(digits, NULL, 16), .l_len = 1};
}

void clprim__cache_hold(int holder, const char *name)
{
    struct flock lock = lock_of(name, F_RDLCK);
    (void)fcntl(holder, F_OFD_SETLK, &lock);
}

static bool is_held(int directory, const char *name)
{
    struct flock lock = lock_of(name, F_WRLCK);
    return fcntl(directory, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

void clprim__cache_touch(int fd)
{
    (void)futimens(fd, NULL); /* if this fails, the entry merely counts as old */
}

/* Add an entry. If memory is short, it is not listed, but its size is counted all the same. */
static void add(listing *all, const char *name, const struct stat *facts)
{
    all->sum += (uint64_t)facts->st_size;
    if (!all->has_items)
        return;
    if (all->count == all->room) {
        const size_t room = all->room == 0 ? FIRST_ROOM : 2 * all->room;
        item *items = realloc(all->items, room * sizeof *items);
        if (items == NULL)
            return;
        all->items = items;
        all->room = room;
    }
    item *added = &all->items[all->count++];
    memcpy(added->name, name, strlen(name) + 1);
    added->used = facts->st_mtim;
    added->size = (uint64_t)facts->st_size;
}

static bool is_temporary(const char *name)
{
    const size_t length = strlen(name);
    return name[0] == '.' && length > 5 && strcmp(name + length - 4, ".tmp") == 0;
}

static void look_at(listing *all, int directory, const char *name, time_t now)
{
    struct stat facts;
    const bool is_entry = clprim__cache_entry_has_name(name);
    if ((!is_entry && !is_temporary(name)) || fstatat(directory, name, &facts, AT_SYMLINK_NOFOLLOW) != 0)
        return;
    if (!is_entry && now - facts.st_mtime > STALE_SECONDS)
        (void)unlinkat(directory, name, 0);
    if (is_entry && S_ISREG(facts.st_mode) && clprim__cache_is_ours_alone(&facts))
        add(all, name, &facts);
}

static int compare_use(const void *a, const void *b)
{
    const struct timespec *x = &((const item *)a)->used;
    const struct timespec *y = &((const item *)b)->used;
    if (x->tv_sec != y->tv_sec)
        return x->tv_sec < y->tv_sec ? -1 : 1;
    return x->tv_nsec < y->tv_nsec ? -1 : x->tv_nsec > y->tv_nsec;
}

static void remove_oldest(listing *all, int directory, const char *kept, uint64_t limit)
{
    if (all->count == 0)
        return;
    qsort(all->items, all->count, sizeof *all->items, compare_use);
    for (size_t i = 0; i < all->count && all->sum > limit - limit / 8; i++) {
        const item *oldest = &all->items[i];
        if (strcmp(oldest->name, kept) == 0 || is_held(directory, oldest->name))
            continue;
        errno = 0;
        if ((clprim__cache_entry_is_one(directory, oldest->name) && unlinkat(directory, oldest->name, 0) == 0) ||
            errno == ENOENT) /* another process has removed it */
            all->sum -= oldest->size;
    }
}

static void look_at_all(listing *all, int directory)
{
    const int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = fd >= 0 ? fdopendir(fd) : NULL;
    const time_t now = time(NULL);
    if (list == NULL && fd >= 0)
        (void)close(fd);
    for (const struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;)
        look_at(all, directory, entry->d_name, now);
    if (list != NULL)
        (void)closedir(list);
}

void clprim__cache_tidy(int directory, const char *kept, uint64_t limit)
{
    listing sums = {.has_items = false};
    listing all = {.has_items = true};
    look_at_all(&sums, directory);
    if (sums.sum <= limit)
        return;
    look_at_all(&all, directory);
    remove_oldest(&all, directory, kept, limit);
    free(all.items);
}
