/* tally.h: how much was tried, over all tests, each of which is a process of its own; said in one line at the end. */
#ifndef CLPRIM_TEST_TALLY_H
#define CLPRIM_TEST_TALLY_H

#include "faults.h"

/* An operation was run with that many faults, one at a time. */
void tally_add(const char *operation, faults_group group, unsigned injected);

#endif
