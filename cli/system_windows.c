// SPDX-License-Identifier: MIT
/* system_windows.c: Windows 7 and later. */
#define WIN32_LEAN_AND_MEAN
#include "system.h"

#include <windows.h>

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <locale.h>
#include <shellapi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform.h"

/* The caller frees the result. NULL: errno says why. */
static wchar_t *to_wide(const char *text)
{
    const int size = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
    wchar_t *made = size > 0 ? calloc((size_t)size, sizeof *made) : NULL;
    if (made != NULL)
        (void)MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, made, size);
    else
        errno = size > 0 ? ENOMEM : ENOENT;
    return made;
}

/* They live as long as the process. */
static void take_arguments(int *argc, char ***argv)
{
    int count = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &count);
    char **made = wide != NULL ? calloc((size_t)count + 1, sizeof *made) : NULL;
    bool is_made = made != NULL;
    for (int i = 0; i < count && is_made; i++)
        is_made = (made[i] = clprim__to_utf8(wide[i])) != NULL;
    if (is_made) {
        *argc = count;
        *argv = made;
    }
    (void)LocalFree(wide);
}

void system_begin(int *argc, char ***argv)
{
    const HANDLE terminal = GetStdHandle(STD_ERROR_HANDLE);
    DWORD mode = 0;
    take_arguments(argc, argv);
    for (int fd = 0; fd <= 2; fd++)
        (void)_setmode(fd, _O_BINARY);
    (void)SetConsoleOutputCP(CP_UTF8);
    if (GetConsoleMode(terminal, &mode)) /* for the line of progress */
        (void)SetConsoleMode(terminal, mode | 0x4 /* ENABLE_VIRTUAL_TERMINAL_PROCESSING */);
    (void)_configthreadlocale(_ENABLE_PER_THREAD_LOCALE);
}

static void (*clean)(void);
static const char *end_text;
static int end_code;

/* The process ends after this. */
static BOOL WINAPI end_from_outside(DWORD event)
{
    (void)event;
    clean();
    return FALSE;
}

/* A part of a mapped file cannot be read or written. */
static LONG WINAPI end_without_file(EXCEPTION_POINTERS *exception)
{
    DWORD written = 0;
    if (exception->ExceptionRecord->ExceptionCode != EXCEPTION_IN_PAGE_ERROR)
        return EXCEPTION_CONTINUE_SEARCH;
    (void)WriteFile(GetStdHandle(STD_ERROR_HANDLE), end_text, (DWORD)strlen(end_text), &written, NULL);
    clean();
    (void)TerminateProcess(GetCurrentProcess(), (UINT)end_code);
    return EXCEPTION_CONTINUE_SEARCH;
}

void system_watch(void (*clean_up)(void), const char *text, int code)
{
    clean = clean_up;
    end_text = text;
    end_code = code;
    (void)SetConsoleCtrlHandler(end_from_outside, TRUE);
    (void)AddVectoredExceptionHandler(1, end_without_file);
}

size_t system_memory(void)
{
    MEMORYSTATUSEX memory = {.dwLength = sizeof memory};
    return GlobalMemoryStatusEx(&memory) ? (size_t)memory.ullTotalPhys : 0;
}

size_t system_columns(void)
{
    CONSOLE_SCREEN_BUFFER_INFO screen;
    if (!GetConsoleScreenBufferInfo(GetStdHandle(STD_OUTPUT_HANDLE), &screen))
        return 0;
    return (size_t)(screen.srWindow.Right - screen.srWindow.Left + 1);
}

bool system_has_unicode(void)
{
    return true; /* system_begin has set it */
}

bool system_has_watcher(void)
{
    DWORD mode = 0;
    return GetConsoleMode(GetStdHandle(STD_ERROR_HANDLE), &mode) != 0;
}

int system_open(const char *path, bool writes)
{
    if (!writes) {
        const int fd = clprim__file_open(CLPRIM__HERE, path, CLPRIM__OPEN_READ);
        return fd < 0 && system_look(path) == SYSTEM_DIRECTORY ? clprim__directory_open(path, false) : fd;
    }
    const int fd = clprim__file_open(CLPRIM__HERE, path, CLPRIM__OPEN_WRITE);
    if (fd >= 0)
        (void)clprim__file_truncate(fd, 0); /* of what is no file, this fails */
    return fd;
}

int system_duplicate(int fd)
{
    const int made = _dup(fd);
    if (made >= 0)
        (void)SetHandleInformation((HANDLE)_get_osfhandle(made), HANDLE_FLAG_INHERIT, 0);
    return made;
}

static void *failed(void)
{
    const DWORD error = GetLastError();
    errno = error == ERROR_DISK_FULL || error == ERROR_HANDLE_DISK_FULL ? ENOSPC
            : error == ERROR_ACCESS_DENIED                              ? EACCES
                                                                        : ENOMEM;
    return NULL;
}

void *system_map(int fd, size_t begin, size_t bytes, bool writes)
{
    if (fd < 0) {
        void *memory = VirtualAlloc(NULL, bytes, MEM_COMMIT | MEM_RESERVE, PAGE_READWRITE);
        return memory != NULL ? memory : failed();
    }
    const uint64_t end = (uint64_t)begin + bytes;
    const HANDLE mapping = CreateFileMappingW((HANDLE)_get_osfhandle(fd), NULL, writes ? PAGE_READWRITE : PAGE_READONLY,
                                              writes ? (DWORD)(end >> 32) : 0, writes ? (DWORD)end : 0, NULL);
    if (mapping == NULL)
        return failed();
    void *memory = MapViewOfFile(mapping, writes ? FILE_MAP_WRITE : FILE_MAP_READ, (DWORD)((uint64_t)begin >> 32),
                                 (DWORD)begin, bytes);
    if (memory == NULL)
        (void)failed();
    (void)CloseHandle(mapping); /* the view keeps it */
    return memory;
}

void system_unmap(void *memory, size_t bytes)
{
    MEMORY_BASIC_INFORMATION facts;
    (void)bytes;
    if (VirtualQuery(memory, &facts, sizeof facts) != 0 && facts.Type == MEM_MAPPED)
        (void)UnmapViewOfFile(memory);
    else
        (void)VirtualFree(memory, 0, MEM_RELEASE);
}

/* Files have disk space for their whole length. */
bool system_make_long(int fd, size_t bytes, bool is_whole)
{
    (void)is_whole;
    return clprim__file_truncate(fd, bytes);
}

const char *system_temporary_directory(void)
{
    static const char *const names[] = {"TMP", "TEMP", "LOCALAPPDATA"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *directory = clprim__environment(names[i]);
        if (directory != NULL && directory[0] != '\0')
            return directory;
    }
    return ".";
}

void system_set_variable(const char *name, const char *value)
{
    wchar_t *wide_name = to_wide(name);
    wchar_t *wide_value = value != NULL ? to_wide(value) : NULL;
    if (wide_name != NULL && (value == NULL || wide_value != NULL))
        (void)SetEnvironmentVariableW(wide_name, wide_value);
    free(wide_name);
    free(wide_value);
}

void system_remove_folder(const char *path)
{
    wchar_t *wide = to_wide(path);
    if (wide != NULL)
        (void)RemoveDirectoryW(wide);
    free(wide);
}

int system_capture(int fd)
{
    (void)fflush(stdout);
    const int before = _dup(1);
    if (before < 0 || _dup2(fd, 1) == 0)
        return before;
    (void)_close(before);
    return -1;
}

void system_release(int before)
{
    if (before < 0)
        return;
    (void)fflush(stdout);
    (void)_dup2(before, 1);
    (void)_close(before);
}

system_kind system_look(const char *path)
{
    wchar_t *wide = to_wide(path);
    const DWORD attributes = wide != NULL ? GetFileAttributesW(wide) : INVALID_FILE_ATTRIBUTES;
    const DWORD error = GetLastError();
    if (wide == NULL)
        return SYSTEM_UNKNOWN;
    const HANDLE handle =
        attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) == 0
            ? CreateFileW(wide, FILE_READ_ATTRIBUTES, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                          OPEN_EXISTING, 0, NULL)
            : INVALID_HANDLE_VALUE;
    const DWORD type = handle != INVALID_HANDLE_VALUE ? GetFileType(handle) : FILE_TYPE_DISK;
    if (handle != INVALID_HANDLE_VALUE)
        (void)CloseHandle(handle);
    free(wide);
    if (attributes != INVALID_FILE_ATTRIBUTES)
        return (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? SYSTEM_DIRECTORY
               : type != FILE_TYPE_DISK                     ? SYSTEM_DEVICE
                                                            : SYSTEM_FILE;
    if (error == ERROR_FILE_NOT_FOUND)
        return SYSTEM_NOTHING;
    errno = error == ERROR_ACCESS_DENIED ? EACCES : ENOENT;
    return SYSTEM_UNKNOWN;
}

/* Names of the same file have the same volume and number. */
static bool identify(BY_HANDLE_FILE_INFORMATION *out, const char *path)
{
    wchar_t *wide = to_wide(path);
    const HANDLE handle =
        wide != NULL ? CreateFileW(wide, FILE_READ_ATTRIBUTES, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                   NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL)
                     : INVALID_HANDLE_VALUE;
    free(wide);
    if (handle == INVALID_HANDLE_VALUE)
        return false;
    const bool is_found = GetFileInformationByHandle(handle, out);
    (void)CloseHandle(handle);
    return is_found;
}

bool system_is_same(const char *a, const char *b)
{
    BY_HANDLE_FILE_INFORMATION first;
    BY_HANDLE_FILE_INFORMATION second;
    return identify(&first, a) && identify(&second, b) && first.dwVolumeSerialNumber == second.dwVolumeSerialNumber &&
           first.nFileIndexHigh == second.nFileIndexHigh && first.nFileIndexLow == second.nFileIndexLow;
}

/* Links are rare, and need rights to be made: one that is written is replaced. */
char *system_resolve(const char *path)
{
    return _strdup(path);
}

size_t system_folder_size(const char *path)
{
    size_t size = clprim__root_size(path);
    for (size_t i = size; path[i] != '\0'; i++)
        if (clprim__is_separator(path[i]))
            size = i + 1;
    return size;
}

bool system_may_replace(const char *path)
{
    wchar_t *wide = to_wide(path);
    const DWORD attributes = wide != NULL ? GetFileAttributesW(wide) : INVALID_FILE_ATTRIBUTES;
    free(wide);
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_READONLY) == 0;
}

/* The folder's are inherited. */
void system_permit(int fd, const char *path)
{
    (void)fd;
    (void)path;
}
