#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/double/run.sh TOOL CONTRACT PLACE PLACES PROGRAM FILTER NAME...: tests on the device that CLPRIM_DOUBLE names, with
# the layer CLPRIM_DOUBLE_LIBRARY. TOOL is clprim, or - where it is not built; CONTRACT and PROGRAM are files of test programs.
# The names are those of all operations. CLPRIM_DOUBLE_SLOT is the program of slot.c.
#
# A sample: the self-test of the operations at PLACE, PLACE + PLACES and so on (the devices of all places together try each
# operation once); of PROGRAM, and of what FILTER says of the contract, the part that sample.c takes. With CLPRIM_TEST_FULL:
# all operations, all programs, the whole contract. What the layer finds fails the test, and so does any other device.
set -eu
tool=$1
contract=$2
place=$3
places=$4
program=$5
filter=$6
shift 6

log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=0

# look WHAT COMMAND...
look() {
    what=$1
    shift
    status=0
    # By its name: the loader takes a blank in LD_PRELOAD for its end.
    LD_PRELOAD=${CLPRIM_DOUBLE_LIBRARY##*/} LD_LIBRARY_PATH=${CLPRIM_DOUBLE_LIBRARY%/*} "$@" >"$log" 2>&1 </dev/null || status=$?
    if [ "$status" -ne 0 ] || grep -q '^double: found: ' "$log"; then
        cat "$log"
        printf 'FAILED: %s on %s, status %s\n' "$what" "$CLPRIM_DOUBLE" "$status"
        failed=1
    else
        printf 'passed: %s on %s' "$what" "$CLPRIM_DOUBLE"
        refused=$(grep -c '^unsupported' "$log" || :)
        [ "$refused" -eq 0 ] || printf ', %s plans refused with a reason' "$refused"
        printf '\n'
    fi
}

at=0
for name in "$@"; do
    if [ "$tool" != - ] && { [ -n "${CLPRIM_TEST_FULL-}" ] || [ $((at % places)) -eq "$place" ]; }; then
        quick=--quick
        [ -z "${CLPRIM_TEST_FULL-}" ] || quick=
        # shellcheck disable=SC2086 # an option or nothing
        look "self-test of $name" "$CLPRIM_DOUBLE_SLOT" 1 "$tool" self-test $quick --primitive "$name"
    fi
    at=$((at + 1))
done
if [ -n "${CLPRIM_TEST_FULL-}" ]; then
    for name in "$@" contract; do
        look "test_$name" "${contract%/*}/test_$name"
    done
else
    export CLPRIM_TEST_QUICK=1
    look "${program##*/}" "$program"
    look "test_contract, $filter" "$contract" --filter "$filter"
fi
exit "$failed"
