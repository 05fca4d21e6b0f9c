// SPDX-License-Identifier: MIT
/* cache_limit.c: limit the size of the directory of compiled programs. */
#include "cache_limit.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cache_entry.h"
#include "platform.h"

enum { DEFAULT_MEBIBYTES = 256, FIRST_ROOM = 64 };
static const int64_t STALE = INT64_C(3600) * 1000000000; /* nanoseconds */

/* An entry of the directory. */
typedef struct item {
    char name[CLPRIM__CACHE_NAME_SIZE];
    int64_t used;
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

/* The number by which an entry is held: the first digits of its name. */
static int64_t number_of(const char *name)
{
    enum { DIGITS = 15 }; /* 60 bits */
    char digits[DIGITS + 1] = "";
    memcpy(digits, name, DIGITS);
    return (int64_t)strtoull(digits, NULL, 16);
}

void clprim__cache_hold(int holder, const char *name)
{
    clprim__hold(holder, number_of(name));
}

/* Add an entry. If memory is short, it is not listed, but its size is counted all the same. */
static void add(listing *all, const char *name, const clprim__facts *facts)
{
    all->sum += facts->size;
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
    added->used = facts->modified;
    added->size = facts->size;
}

static bool is_temporary(const char *name)
{
    const size_t length = strlen(name);
    return name[0] == '.' && length > 5 && strcmp(name + length - 4, ".tmp") == 0;
}

static void look_at(void *user, int directory, const char *name)
{
    listing *all = user;
    clprim__facts facts;
    const bool is_entry = clprim__cache_entry_has_name(name);
    if ((!is_entry && !is_temporary(name)) || !clprim__facts_at(&facts, directory, name))
        return;
    if (!is_entry && clprim__date() - facts.modified > STALE)
        (void)clprim__file_remove(directory, name);
    if (is_entry && facts.is_file && clprim__cache_is_ours_alone(&facts))
        add(all, name, &facts);
}

static int compare_use(const void *a, const void *b)
{
    const int64_t x = ((const item *)a)->used;
    const int64_t y = ((const item *)b)->used;
    return x < y ? -1 : x > y;
}

static void remove_oldest(listing *all, int directory, const char *kept, uint64_t limit)
{
    if (all->count == 0)
        return;
    qsort(all->items, all->count, sizeof *all->items, compare_use);
    for (size_t i = 0; i < all->count && all->sum > limit - limit / 8; i++) {
        const item *oldest = &all->items[i];
        if (strcmp(oldest->name, kept) == 0 || clprim__is_held(directory, number_of(oldest->name)))
            continue;
        errno = 0;
        if ((clprim__cache_entry_is_one(directory, oldest->name) && clprim__file_remove(directory, oldest->name)) ||
            errno == ENOENT) /* another process has removed it */
            all->sum -= oldest->size;
    }
}

void clprim__cache_tidy(int directory, const char *kept, uint64_t limit)
{
    listing sums = {.has_items = false};
    listing all = {.has_items = true};
    clprim__directory_list(directory, look_at, &sums);
    if (sums.sum <= limit)
        return;
    clprim__directory_list(directory, look_at, &all);
    remove_oldest(&all, directory, kept, limit);
    free(all.items);
}
