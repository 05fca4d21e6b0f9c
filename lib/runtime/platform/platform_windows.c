// SPDX-License-Identifier: MIT
/* platform_windows.c: Windows 7 and later. */
#define WIN32_LEAN_AND_MEAN
#include "platform.h"

#include <windows.h>

#include <aclapi.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <sddl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum { SHARED = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE };

static bool failed_by(DWORD error)
{
    static const struct {
        DWORD error;
        int code;
    } rows[] = {{ERROR_FILE_NOT_FOUND, ENOENT},      {ERROR_PATH_NOT_FOUND, ENOENT},
                {ERROR_INVALID_NAME, ENOENT},        {ERROR_BAD_PATHNAME, ENOENT},
                {ERROR_ACCESS_DENIED, EACCES},       {ERROR_SHARING_VIOLATION, EACCES},
                {ERROR_WRITE_PROTECT, EACCES},       {ERROR_FILE_EXISTS, EEXIST},
                {ERROR_ALREADY_EXISTS, EEXIST},      {ERROR_DISK_FULL, ENOSPC},
                {ERROR_HANDLE_DISK_FULL, ENOSPC},    {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
                {ERROR_OUTOFMEMORY, ENOMEM},         {ERROR_DIRECTORY, ENOTDIR},
                {ERROR_TOO_MANY_OPEN_FILES, EMFILE}, {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
                {ERROR_BROKEN_PIPE, EPIPE},          {ERROR_NO_DATA, EPIPE},
                {ERROR_INVALID_HANDLE, EBADF}};
    errno = EIO;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].error == error)
            errno = rows[i].code;
    return false;
}

static bool failed(void)
{
    return failed_by(GetLastError());
}

static HANDLE handle_of(int fd)
{
    return (HANDLE)_get_osfhandle(fd);
}

char *clprim__to_utf8(const wchar_t *text)
{
    const int size = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
    char *made = size > 0 ? malloc((size_t)size) : NULL;
    if (made != NULL)
        (void)WideCharToMultiByte(CP_UTF8, 0, text, -1, made, size, NULL, NULL);
    return made;
}

/* The path of an open directory, with room for `more` characters behind it. */
static wchar_t *path_of(int directory, size_t more)
{
    const HANDLE handle = handle_of(directory);
    const DWORD size = GetFinalPathNameByHandleW(handle, NULL, 0, 0); /* with the final 0 */
    wchar_t *path = size > 0 ? calloc(size + more, sizeof *path) : NULL;
    if (path != NULL && GetFinalPathNameByHandleW(handle, path, size, 0) < size)
        return path;
    (void)failed();
    free(path);
    return NULL;
}

/* The path of a name in UTF-8. The caller frees the result. NULL: errno says why. */
static wchar_t *path_in(int directory, const char *name)
{
    const int size = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, name, -1, NULL, 0);
    if (size <= 0) {
        errno = ENOENT;
        return NULL;
    }
    wchar_t *path = directory == CLPRIM__HERE ? calloc((size_t)size, sizeof *path) : path_of(directory, (size_t)size);
    if (path == NULL)
        return NULL;
    size_t at = wcslen(path);
    if (at > 0)
        path[at++] = L'\\';
    (void)MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, name, -1, path + at, size);
    return path;
}

/* Make a descriptor of a handle, which it closes with the descriptor, or if there is none. */
static int descriptor_of(HANDLE handle, int flags)
{
    const int fd = _open_osfhandle((intptr_t)handle, flags | _O_BINARY | _O_NOINHERIT);
    if (fd < 0) {
        const int reason = errno;
        (void)CloseHandle(handle);
        errno = reason;
    }
    return fd;
}

static DWORD attributes_of(HANDLE handle)
{
    BY_HANDLE_FILE_INFORMATION facts;
    return GetFileType(handle) == FILE_TYPE_DISK && GetFileInformationByHandle(handle, &facts) ? facts.dwFileAttributes
                                                                                               : 0;
}

static int open_path(const wchar_t *path, bool as_own)
{
    const DWORD flags = FILE_FLAG_BACKUP_SEMANTICS | (as_own ? FILE_FLAG_OPEN_REPARSE_POINT : 0);
    const HANDLE handle = CreateFileW(path, GENERIC_READ, SHARED, NULL, OPEN_EXISTING, flags, NULL);
    if (handle == INVALID_HANDLE_VALUE) {
        (void)failed();
        return -1;
    }
    const DWORD attributes = attributes_of(handle);
    if ((attributes & FILE_ATTRIBUTE_DIRECTORY) != 0 && !(as_own && (attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0))
        return descriptor_of(handle, _O_RDONLY);
    (void)CloseHandle(handle);
    errno = ENOTDIR;
    return -1;
}

int clprim__directory_open(const char *path, bool as_own)
{
    wchar_t *wide = path_in(CLPRIM__HERE, path);
    const int fd = wide != NULL ? open_path(wide, as_own) : -1;
    free(wide);
    return fd;
}

int clprim__directory_again(int directory)
{
    wchar_t *path = path_of(directory, 0);
    const int fd = path != NULL ? open_path(path, false) : -1;
    free(path);
    return fd;
}

/* Call use(information about this process's user, user), if there is any. */
static bool ask_about_me(TOKEN_INFORMATION_CLASS what, bool (*use)(const void *information, void *user), void *user)
{
    HANDLE token = NULL;
    DWORD size = 0;
    bool is_so = false;
    if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token))
        return false;
    (void)GetTokenInformation(token, what, NULL, 0, &size);
    void *information = size > 0 ? malloc(size) : NULL;
    if (information != NULL && GetTokenInformation(token, what, information, size, &size))
        is_so = use(information, user);
    free(information);
    (void)CloseHandle(token);
    return is_so;
}

/* Create a directory to which only the user has access, and to all that is made in it later. */
static bool make_private(const void *me, void *path)
{
    wchar_t *name = NULL;
    wchar_t access[256];
    SECURITY_ATTRIBUTES security = {.nLength = sizeof security};
    if (!ConvertSidToStringSidW(((const TOKEN_USER *)me)->User.Sid, &name))
        return failed();
    (void)swprintf(access, sizeof access / sizeof *access, L"D:P(A;OICI;FA;;;%ls)", name);
    (void)LocalFree(name);
    if (!ConvertStringSecurityDescriptorToSecurityDescriptorW(access, SDDL_REVISION_1, &security.lpSecurityDescriptor,
                                                              NULL))
        return failed();
    const bool is_made = CreateDirectoryW(path, &security) || failed();
    (void)LocalFree(security.lpSecurityDescriptor);
    return is_made;
}

bool clprim__directory_make(const char *path, bool is_private)
{
    wchar_t *wide = path_in(CLPRIM__HERE, path);
    if (wide == NULL)
        return false;
    const bool is_made =
        is_private ? ask_about_me(TokenUser, make_private, wide) : CreateDirectoryW(wide, NULL) || failed();
    free(wide);
    return is_made;
}

void clprim__directory_list(int directory, void (*visit)(void *user, int directory, const char *name), void *user)
{
    WIN32_FIND_DATAW found;
    wchar_t *pattern = path_in(directory, "*");
    const HANDLE list = pattern != NULL ? FindFirstFileW(pattern, &found) : INVALID_HANDLE_VALUE;
    free(pattern);
    if (list == INVALID_HANDLE_VALUE)
        return;
    do {
        char *name = clprim__to_utf8(found.cFileName);
        if (name != NULL)
            visit(user, directory, name);
        free(name);
    } while (FindNextFileW(list, &found));
    (void)FindClose(list);
}

int clprim__file_open(int directory, const char *name, clprim__opening how)
{
    static const struct {
        DWORD access, creation;
        int flags;
        bool as_own;
    } ways[] = {[CLPRIM__OPEN_READ] = {GENERIC_READ, OPEN_EXISTING, _O_RDONLY, false},
                [CLPRIM__OPEN_OWN] = {GENERIC_READ | FILE_WRITE_ATTRIBUTES, OPEN_EXISTING, _O_RDONLY, true},
                [CLPRIM__OPEN_CHANGE] = {GENERIC_READ | GENERIC_WRITE, OPEN_EXISTING, _O_RDWR, true},
                [CLPRIM__OPEN_KEEP] = {GENERIC_READ | GENERIC_WRITE, OPEN_ALWAYS, _O_RDWR, true},
                [CLPRIM__OPEN_NEW] = {GENERIC_READ | GENERIC_WRITE, CREATE_NEW, _O_RDWR, true},
                [CLPRIM__OPEN_WRITE] = {GENERIC_READ | GENERIC_WRITE, OPEN_ALWAYS, _O_RDWR, false}};
    wchar_t *path = path_in(directory, name);
    if (path == NULL)
        return -1;
    const DWORD flags = FILE_ATTRIBUTE_NORMAL | (ways[how].as_own ? FILE_FLAG_OPEN_REPARSE_POINT : 0);
    const HANDLE handle = CreateFileW(path, ways[how].access, SHARED, NULL, ways[how].creation, flags, NULL);
    free(path);
    if (handle == INVALID_HANDLE_VALUE) {
        (void)failed();
        return -1;
    }
    if (ways[how].as_own && (attributes_of(handle) & FILE_ATTRIBUTE_REPARSE_POINT) != 0) {
        (void)CloseHandle(handle);
        errno = ELOOP;
        return -1;
    }
    return descriptor_of(handle, ways[how].flags);
}

void clprim__file_close(int fd)
{
    (void)_close(fd);
}

bool clprim__file_close_written(int fd)
{
    return _close(fd) == 0;
}

bool clprim__file_remove(int directory, const char *name)
{
    wchar_t *path = path_in(directory, name);
    const bool is_removed = path != NULL && (DeleteFileW(path) || failed());
    free(path);
    return is_removed;
}

/* Replace a file that is open, which Windows refuses: it gets another name, and loses that when it is closed. */
static bool replace_open(const wchar_t *from, const wchar_t *to)
{
    enum { NAME_SIZE = 64 };
    wchar_t name[NAME_SIZE];
    const size_t size = wcslen(to);
    size_t folder = size;
    wchar_t *aside = calloc(size + NAME_SIZE, sizeof *aside);
    if (aside == NULL)
        return false;
    while (folder > 0 && to[folder - 1] != L'\\' && to[folder - 1] != L'/')
        folder--;
    (void)swprintf(name, NAME_SIZE, L".%ld.%llx.old.tmp", clprim__process(), (unsigned long long)clprim__date());
    memcpy(aside, to, folder * sizeof *to);
    memcpy(aside + folder, name, (wcslen(name) + 1) * sizeof *name);
    const bool is_aside = MoveFileExW(to, aside, 0);
    const bool is_renamed = is_aside && MoveFileExW(from, to, 0);
    if (is_renamed)
        (void)DeleteFileW(aside);
    else
        (void)failed();
    if (is_aside && !is_renamed)
        (void)MoveFileExW(aside, to, 0);
    free(aside);
    return is_renamed;
}

bool clprim__file_rename(int directory, const char *from, const char *to)
{
    wchar_t *before = path_in(directory, from);
    wchar_t *after = before != NULL ? path_in(directory, to) : NULL;
    const bool is_renamed =
        after != NULL && (MoveFileExW(before, after, MOVEFILE_REPLACE_EXISTING) || replace_open(before, after));
    free(before);
    free(after);
    return is_renamed;
}

static bool is_me(const void *me, void *owner)
{
    return EqualSid(((const TOKEN_USER *)me)->User.Sid, owner);
}

/* Whoever belongs to the administrators may make files that belong to all of them. */
static bool is_usual_owner(const void *me, void *owner)
{
    return EqualSid(((const TOKEN_OWNER *)me)->Owner, owner);
}

/* Whether a list allows everybody, all who have signed in, or all users to write. No list allows everything. */
static bool lets_others_write(PACL list)
{
    static const WELL_KNOWN_SID_TYPE all[] = {WinWorldSid, WinAuthenticatedUserSid, WinBuiltinUsersSid};
    const DWORD writing =
        FILE_WRITE_DATA | FILE_APPEND_DATA | DELETE | WRITE_DAC | WRITE_OWNER | GENERIC_WRITE | GENERIC_ALL;
    ACCESS_ALLOWED_ACE *entry = NULL;
    for (DWORD i = 0; list != NULL && i < list->AceCount && GetAce(list, i, (void **)&entry); i++)
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            if (entry->Header.AceType == ACCESS_ALLOWED_ACE_TYPE && (entry->Header.AceFlags & INHERIT_ONLY_ACE) == 0 &&
                (entry->Mask & writing) != 0 && IsWellKnownSid(&entry->SidStart, all[k]))
                return true;
    return list == NULL;
}

static void find_owner(clprim__facts *out, HANDLE handle)
{
    PSID owner = NULL;
    PACL list = NULL;
    PSECURITY_DESCRIPTOR descriptor = NULL;
    if (GetSecurityInfo(handle, SE_FILE_OBJECT, OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION, &owner, NULL,
                        &list, NULL, &descriptor) != ERROR_SUCCESS)
        return;
    out->is_mine = ask_about_me(TokenUser, is_me, owner) || ask_about_me(TokenOwner, is_usual_owner, owner);
    out->others_may_write = lets_others_write(list);
    (void)LocalFree(descriptor);
}

static int64_t since_1970(FILETIME time)
{
    const int64_t hundreds = (int64_t)((uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime);
    return (hundreds - INT64_C(116444736000000000)) * 100;
}

static bool find_facts(clprim__facts *out, HANDLE handle)
{
    BY_HANDLE_FILE_INFORMATION found;
    FILE_STANDARD_INFO more = {.DeletePending = FALSE};
    *out = (clprim__facts){.is_file = false};
    if (GetFileType(handle) != FILE_TYPE_DISK)
        return handle != INVALID_HANDLE_VALUE;
    if (!GetFileInformationByHandle(handle, &found))
        return failed();
    (void)GetFileInformationByHandleEx(handle, FileStandardInfo, &more, sizeof more);
    out->is_directory = (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    out->is_file = (found.dwFileAttributes & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_REPARSE_POINT)) == 0;
    out->num_names = more.DeletePending ? 0 : found.nNumberOfLinks;
    out->size = (uint64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow;
    out->modified = since_1970(found.ftLastWriteTime);
    find_owner(out, handle);
    return true;
}

bool clprim__facts_of(clprim__facts *out, int fd)
{
    return find_facts(out, handle_of(fd));
}

bool clprim__facts_at(clprim__facts *out, int directory, const char *name)
{
    wchar_t *path = path_in(directory, name);
    const HANDLE handle = path != NULL
                              ? CreateFileW(path, FILE_READ_ATTRIBUTES | READ_CONTROL, SHARED, NULL, OPEN_EXISTING,
                                            FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, NULL)
                              : INVALID_HANDLE_VALUE;
    if (handle == INVALID_HANDLE_VALUE)
        return path == NULL ? false : (free(path), failed());
    free(path);
    const bool is_found = find_facts(out, handle);
    (void)CloseHandle(handle);
    return is_found;
}

enum { MOST_AT_ONCE = 1 << 30 };

static OVERLAPPED position(int64_t at)
{
    return (OVERLAPPED){.Offset = (DWORD)(uint64_t)at, .OffsetHigh = (DWORD)((uint64_t)at >> 32)};
}

/* Read or write at a position, as far as one call goes, and leave the current position as it is. */
static bool transfer(HANDLE handle, void *in, const void *out, size_t size, int64_t at, DWORD *done)
{
    const LARGE_INTEGER stay = {.QuadPart = 0};
    LARGE_INTEGER before = {.QuadPart = 0};
    const DWORD part = (DWORD)(size < MOST_AT_ONCE ? size : MOST_AT_ONCE);
    OVERLAPPED there = position(at);
    if (at >= 0 && !SetFilePointerEx(handle, stay, &before, FILE_CURRENT))
        return failed();
    const bool is_done = in != NULL ? ReadFile(handle, in, part, done, at >= 0 ? &there : NULL)
                                    : WriteFile(handle, out, part, done, at >= 0 ? &there : NULL);
    const DWORD error = is_done ? ERROR_SUCCESS : GetLastError();
    if (at >= 0)
        (void)SetFilePointerEx(handle, before, NULL, FILE_BEGIN);
    if (in != NULL && (error == ERROR_BROKEN_PIPE || error == ERROR_HANDLE_EOF)) {
        *done = 0;
        return true;
    }
    return is_done || failed_by(error);
}

bool clprim__file_read(int fd, void *out, size_t size, int64_t at, size_t *got)
{
    for (*got = 0; *got < size;) {
        DWORD n = 0;
        if (!transfer(handle_of(fd), (char *)out + *got, NULL, size - *got, at < 0 ? at : at + (int64_t)*got, &n))
            return false;
        if (n == 0)
            break;
        *got += n;
    }
    return true;
}

bool clprim__file_write(int fd, const void *in, size_t size, int64_t at)
{
    for (size_t put = 0; put < size;) {
        DWORD n = 0;
        if (!transfer(handle_of(fd), NULL, (const char *)in + put, size - put, at < 0 ? at : at + (int64_t)put, &n))
            return false;
        if (n == 0) {
            errno = ENOSPC;
            return false;
        }
        put += n;
    }
    return true;
}

bool clprim__file_rewind(int fd)
{
    return _lseeki64(fd, 0, SEEK_SET) == 0;
}

bool clprim__file_truncate(int fd, uint64_t size)
{
    FILE_END_OF_FILE_INFO end = {.EndOfFile.QuadPart = (LONGLONG)size};
    return SetFileInformationByHandle(handle_of(fd), FileEndOfFileInfo, &end, sizeof end) || failed();
}

void clprim__file_touch(int fd)
{
    FILETIME now;
    GetSystemTimeAsFileTime(&now);
    (void)SetFileTime(handle_of(fd), NULL, NULL, &now);
}

void clprim__file_sync(int fd)
{
    (void)FlushFileBuffers(handle_of(fd));
}

/* Locked bytes cannot be read or written by others. So they are behind the end of any file. */
static const int64_t FIRST_LOCK = INT64_C(1) << 61;

static clprim__locking lock(int fd, int64_t number, DWORD flags)
{
    OVERLAPPED there = position(FIRST_LOCK + number);
    if (LockFileEx(handle_of(fd), flags | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &there))
        return CLPRIM__LOCKED;
    return GetLastError() == ERROR_LOCK_VIOLATION || GetLastError() == ERROR_IO_PENDING ? CLPRIM__LOCKED_BY_ANOTHER
                                                                                        : CLPRIM__LOCK_IMPOSSIBLE;
}

clprim__locking clprim__file_lock(int fd)
{
    return lock(fd, 0, LOCKFILE_EXCLUSIVE_LOCK);
}

/* Windows knows no such locks: a second descriptor of the same process finds the file locked, too. */
clprim__locking clprim__file_lock_for_process(int fd)
{
    return clprim__file_lock(fd);
}

/* Numbers are held by locks on single bytes of a file: a directory has none. */
static const char HOLDS[] = ".holds";

int clprim__holds_open(int directory)
{
    return clprim__file_open(directory, HOLDS, CLPRIM__OPEN_KEEP);
}

void clprim__hold(int holds, int64_t number)
{
    (void)lock(holds, number, 0);
}

bool clprim__is_held(int directory, int64_t number)
{
    const int fd = clprim__file_open(directory, HOLDS, CLPRIM__OPEN_CHANGE);
    const bool is_held = fd >= 0 && lock(fd, number, LOCKFILE_EXCLUSIVE_LOCK) == CLPRIM__LOCKED_BY_ANOTHER;
    if (fd >= 0)
        clprim__file_close(fd);
    return is_held;
}

bool clprim__error_text(char *out, size_t capacity, int code)
{
    out[0] = '\0';
    return strerror_s(out, capacity, code) == 0;
}

/* Keep a text for good, but each only once: variables have few values. */
static const char *kept(char *text)
{
    typedef struct link {
        struct link *next;
        char *text;
    } link;
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static link *first;
    pthread_mutex_lock(&mutex);
    link *it = first;
    while (it != NULL && strcmp(it->text, text) != 0)
        it = it->next;
    if (it != NULL) {
        free(text);
    } else if ((it = malloc(sizeof *it)) != NULL) {
        *it = (link){.next = first, .text = text};
        first = it;
    }
    pthread_mutex_unlock(&mutex);
    return it != NULL ? it->text : text;
}

const char *clprim__environment(const char *name)
{
    wchar_t *wide = path_in(CLPRIM__HERE, name);
    const DWORD size = wide != NULL ? GetEnvironmentVariableW(wide, NULL, 0) : 0; /* with the final 0 */
    wchar_t *value = size > 0 ? malloc(size * sizeof *value) : NULL;
    const bool is_there = value != NULL && GetEnvironmentVariableW(wide, value, size) < size;
    char *text = is_there ? clprim__to_utf8(value) : NULL;
    free(wide);
    free(value);
    return text != NULL ? kept(text) : NULL;
}

const char clprim__cache_unnamed[] = "neither CLPRIM_CACHE_DIR nor LOCALAPPDATA names it";
const char clprim__cache_shared[] = "others may write to it; CLPRIM_CACHE_DIR may name one of your own";

clprim__user_place clprim__user_place_of(clprim__user_files which)
{
    const char *local = clprim__environment("LOCALAPPDATA");
    if (local == NULL || local[0] == '\0')
        return (clprim__user_place){NULL, NULL};
    return (clprim__user_place){local, which == CLPRIM__USER_CACHE ? "\\clprim\\cache" : "\\clprim\\tuning.txt"};
}

bool clprim__is_separator(char c)
{
    return c == '/' || c == '\\';
}

size_t clprim__root_size(const char *path)
{
    const size_t drive = path[0] != '\0' && path[1] == ':' ? 2 : 0;
    return drive + clprim__is_separator(path[drive]);
}

long clprim__process(void)
{
    return (long)GetCurrentProcessId();
}

long long clprim__time(void)
{
    LARGE_INTEGER now;
    LARGE_INTEGER frequency; /* per second */
    (void)QueryPerformanceCounter(&now);
    (void)QueryPerformanceFrequency(&frequency);
    return now.QuadPart / frequency.QuadPart * 1000000000 +
           now.QuadPart % frequency.QuadPart * 1000000000 / frequency.QuadPart;
}

long long clprim__date(void)
{
    FILETIME now;
    GetSystemTimeAsFileTime(&now);
    return since_1970(now);
}

void clprim__sleep(long nanoseconds)
{
    Sleep((DWORD)((nanoseconds + 999999) / 1000000));
}

bool clprim__thread_begin(pthread_t *out, void *(*run)(void *user), void *user)
{
    return pthread_create(out, NULL, run, user) == 0;
}

void clprim__thread_spread(pthread_t thread, size_t index, size_t of)
{
    (void)thread; /* Windows does it */
    (void)index;
    (void)of;
}

void clprim__thread_fetch(pthread_t thread)
{
    (void)thread;
}

long clprim__processors(void)
{
    DWORD_PTR ours = 0;
    DWORD_PTR all = 0;
    long count = 0;
    if (!GetProcessAffinityMask(GetCurrentProcess(), &ours, &all))
        return 1;
    for (; ours != 0; ours &= ours - 1)
        count++;
    return count;
}

enum { PAGE = 4096 };

void *clprim__whole_pages(size_t bytes)
{
    return bytes > SIZE_MAX - PAGE ? NULL : _aligned_malloc((bytes + PAGE) / PAGE * PAGE, PAGE);
}

void clprim__whole_pages_release(void *memory)
{
    _aligned_free(memory);
}

void *clprim__allocate_pages(size_t bytes)
{
    return malloc(bytes);
}
