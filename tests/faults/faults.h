/* faults.h: calls of OpenCL and of the C library that fail when a test wants them to, and an account of all objects.
 *
 * The linker puts the functions of faults.c in the place of those that clPRIM calls (--wrap), so that this works with
 * any driver and any loader, and a driver's own calls are neither counted nor failed. Nothing is counted but between
 * faults_arm and faults_disarm; objects are accounted for always, also the test's own. One thread arms and disarms,
 * while no other one calls clPRIM. */
#ifndef CLPRIM_TEST_FAULTS_H
#define CLPRIM_TEST_FAULTS_H

#include <clprim/runtime.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum faults_group {
    FAULTS_OPENCL = 0, /* all but releases, which never fail unless the device is lost */
    FAULTS_MEMORY,     /* malloc, calloc, realloc, strdup: NULL */
    FAULTS_FILES       /* open, read, write and the like: as where the disk is broken */
} faults_group;

/* What is to fail. */
typedef struct faults_order {
    faults_group group;
    unsigned at;     /* the call of the group, from 1; 0: none, they are only counted */
    cl_int code;     /* what OpenCL's functions return */
    bool is_forever; /* all calls after it fail, too: the device is lost. Releases do their work and return the code */
} faults_order;

typedef struct faults_report {
    unsigned calls;   /* of the group */
    const char *name; /* of the function that failed first; NULL: none did */
    size_t index;     /* what it was asked for: the argument's index, or the constant of a query */
    bool is_lost;     /* and all calls after it */
    unsigned pending; /* commands enqueued since the last call that waits: those that may be under way still */
} faults_report;

void faults_arm(const faults_order *order);
faults_report faults_disarm(void);

/* From now on the system has no threads, or has them again. */
void faults_refuse_threads(bool refuse);

/* From now on the driver gets no commands: each has an event of this context that is under way, until all of them fail,
 * as commands do whose wait list failed; then the driver gets commands again. (PoCL 3.1 now and then runs the second of
 * two commands although the first one's wait list has failed, and aborts.) */
void faults_hold_back(cl_context context);
void faults_fail_held_back(void);
/* Commands since then whose wait list named an event that had failed before. */
unsigned faults_waits_for_failed(void);

/* What is held now. */
typedef struct faults_balance {
    size_t objects; /* references to OpenCL objects */
    size_t blocks;  /* of memory that were not given back */
    size_t excess;  /* how often a reference was given up that nobody held. The driver does not see such a call. */
} faults_balance;

faults_balance faults_held(void);
/* The most bytes that there were in buffers at a time, since this was asked last. */
size_t faults_most_bytes(void);
/* Into text, for messages: what is held, and since which call. */
void faults_describe(char *text, size_t size);
/* Forget everything: what is held now is no longer accounted for. */
void faults_forget(void);

#endif
