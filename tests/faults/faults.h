// SPDX-License-Identifier: MIT
/* faults.h: calls of OpenCL and of the C library that fail when a test wants them to, and an account of all objects.
 *
 * The linker replaces the functions that clPRIM calls with those of faults.c (--wrap). This works with any driver and
 * any loader, and a driver's own calls are neither counted nor made to fail. Calls are counted only between faults_arm
 * and faults_disarm. Objects are always accounted for, including the test's own. One thread arms and disarms, while no
 * other thread calls clPRIM. */
#ifndef CLPRIM_TEST_FAULTS_H
#define CLPRIM_TEST_FAULTS_H

#include <clprim/runtime.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum faults_group {
    FAULTS_OPENCL = 0, /* all but releases, which never fail unless the device is lost */
    FAULTS_MEMORY,     /* malloc, calloc, realloc, strdup: they return NULL */
    FAULTS_FILES       /* open, read, write and similar: they fail as on a broken disk */
} faults_group;

/* The call that is to fail. */
typedef struct faults_order {
    faults_group group;
    unsigned at;     /* number of the call in the group, from 1; 0: calls are only counted */
    cl_int code;     /* the code that OpenCL's functions return */
    bool is_forever; /* all later calls fail, too: the device is lost. Releases release the object and return the
                      * code */
} faults_order;

typedef struct faults_report {
    unsigned calls;   /* calls of the group */
    const char *name; /* the function that failed first; NULL if none did */
    size_t index;     /* what that call was asked for: an argument's index, or the constant of a query */
    bool is_lost;     /* all later calls failed, too */
    unsigned pending; /* commands enqueued since the last call that waits; they may still be running */
} faults_report;

void faults_arm(const faults_order *order);
faults_report faults_disarm(void);

/* From now on, creating threads fails; or works again. */
void faults_refuse_threads(bool refuse);

/* From now on the driver gets no commands. Each command has a user event of this context, which stays incomplete until
 * faults_fail_held_back makes all of them fail, as happens to commands whose wait list failed. After that the driver
 * gets commands again. (PoCL 3.1 occasionally runs the second of two commands although the wait list of the first one
 * failed, and aborts.) */
void faults_hold_back(cl_context context);
void faults_fail_held_back(void);
/* The number of commands since then whose wait list named an event that had already failed. */
unsigned faults_waits_for_failed(void);

/* Objects and memory that are held now. */
typedef struct faults_balance {
    size_t objects; /* references to OpenCL objects */
    size_t blocks;  /* blocks of memory that were not freed */
    size_t excess;  /* how often a reference was released that nobody held. The driver does not see such a call. */
} faults_balance;

faults_balance faults_held(void);
/* The largest number of bytes in buffers at any one time since the previous call of this function. */
size_t faults_most_bytes(void);
/* Write into `text`, for messages, what is held, and since which call. */
void faults_describe(char *text, size_t size);
/* Forget everything: what is held now is no longer accounted for. */
void faults_forget(void);

#endif
