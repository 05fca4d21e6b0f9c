/* test_select.h: one selection; test_select.c has the functions. */
#ifndef CLPRIM_TEST_SELECT_H
#define CLPRIM_TEST_SELECT_H

#include "cases.h"

/* A call that test_fill_turn has filled: those elements are selected whose keep[i] is not 0. Flags, if the plan has
 * any, become those that tell the same. */
void select_check(test_call *self, const test_struct *call, const uint8_t *keep, const test_turn *turn);

#endif
