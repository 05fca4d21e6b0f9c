#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/drivers.sh [-t "TEST..."] [DRIVER...]: the test programs of build/dev on every driver that is here, and a table of what
# passed. ./dev drivers builds them first. Each program's output and TAP file stay in build/drivers/DRIVER, and the table is
# made of all that is there, so that a run may be taken in parts.
#
#   CLPRIM_INTEL_RUNTIME   the folder with libintelocl.so; pip install intel-opencl-rt intel-cmplr-lib-rt puts it into its
#                          environment's lib
#   CLPRIM_DRIVERS_ROOT    another system, for chroot: its own drivers, libcriterion3, libjansson4 and a /tmp are in it, and
#                          /proc, /sys and /dev are mounted. With PoCL 6.0, which has sub-groups:
#                          tests/offline/packages.sh FOLDER trixie pocl-opencl-icd libcriterion3 libjansson4 coreutils dash
#   CLPRIM_DRIVERS_TIMEOUT seconds for one program, 1800
#   CLPRIM_DRIVERS_PREFIX  what every program is run by, e.g. "nice"
set -eu
cd "$(dirname "$0")/.."

root=${CLPRIM_DRIVERS_ROOT-}
# shellcheck disable=SC2034 # in the conditions and variables of the table
intel=${CLPRIM_INTEL_RUNTIME-}
results=build/drivers

# name | there where this holds | environment | what it is
drivers() {
    cat <<'TEXT'
pocl|[ -e /etc/OpenCL/vendors/pocl.icd ]|OCL_ICD_VENDORS=pocl.icd|PoCL as it is
pocl_groups_of_32|[ -e /etc/OpenCL/vendors/pocl.icd ]|OCL_ICD_VENDORS=pocl.icd POCL_MAX_WORK_GROUP_SIZE=32|PoCL, no more than 32 work-items in a group
pocl_one_core|[ -e /etc/OpenCL/vendors/pocl.icd ]|OCL_ICD_VENDORS=pocl.icd POCL_MAX_PTHREAD_COUNT=1|PoCL, one core
pocl_two_devices|[ -e /etc/OpenCL/vendors/pocl.icd ]|OCL_ICD_VENDORS=pocl.icd POCL_DEVICES=pthread basic|PoCL, two devices
pocl_1_gib|[ -e /etc/OpenCL/vendors/pocl.icd ]|OCL_ICD_VENDORS=pocl.icd POCL_MEMORY_LIMIT=1|PoCL, 1 GiB of memory
pocl_bare|[ -e /etc/OpenCL/vendors/pocl.icd ]|OCL_ICD_VENDORS=pocl.icd CLPRIM_WITHOUT=int64_atomics,device_fence,forward_progress,fp64|PoCL, none of what devices may lack
intel|[ -e "$intel/libintelocl.so" ]|OCL_ICD_VENDORS=$intel/libintelocl.so|Intel's CPU runtime
nvidia|[ -e /etc/OpenCL/vendors/nvidia.icd ]|OCL_ICD_VENDORS=nvidia.icd|NVIDIA
rusticl|[ -e /etc/OpenCL/vendors/rusticl.icd ]|OCL_ICD_VENDORS=rusticl.icd RUSTICL_ENABLE=llvmpipe|Mesa's rusticl on llvmpipe
root_pocl|[ -e "$root/etc/OpenCL/vendors/pocl.icd" ]|OCL_ICD_VENDORS=pocl.icd|PoCL of the other system
root_rusticl|[ -e "$root/etc/OpenCL/vendors/rusticl.icd" ]|OCL_ICD_VENDORS=rusticl.icd RUSTICL_ENABLE=llvmpipe|rusticl of the other system
TEXT
}

all_tests() {
    [ ! -x build/dev/cli/clprim ] || printf 'cli '
    for program in build/dev/tests/test_*; do
        [ -x "$program" ] && [ ! -d "$program" ] && printf '%s ' "${program##*/test_}"
    done
}

# in_root TEST ENVIRONMENT...: the program there; what it wrote is fetched.
in_root() {
    test=$1
    shift
    mkdir -p "$root/tmp/clprim"
    cp "build/dev/tests/test_$test" "$root/tmp/clprim/"
    mkdir -p "$root$PWD/build/dev/tests" # some tests read kernels and headers where they were when they were compiled
    cp -r kernels include "$root$PWD/"
    # shellcheck disable=SC2086 # the prefix is meant to be split
    chroot "$root" env -i PATH=/usr/bin:/bin HOME=/tmp/clprim TMPDIR=/tmp CLPRIM_TUNING=off \
        CLPRIM_CACHE_DIR=/tmp/clprim/cache POCL_CACHE_DIR=/tmp/clprim/pocl "$@" \
        ${CLPRIM_DRIVERS_PREFIX-} timeout "${CLPRIM_DRIVERS_TIMEOUT:-1800}" \
        "/tmp/clprim/test_$test" -j1 --tap=/tmp/clprim/tap
}

# run_one DRIVER TEST ENVIRONMENT: the variables of it are parted by spaces that a NAME= follows.
run_one() {
    driver=$1
    test=$2
    out=$PWD/$results/$driver/$test
    rm -f "$out.tap"
    old=$IFS
    IFS='
'
    # shellcheck disable=SC2046 # one word for each variable, which may have spaces
    set -- $(printf '%s\n' "$3" | sed 's/ \([A-Z_][A-Z_]*=\)/\n\1/g')
    IFS=$old
    status=0
    begin=$(date +%s)
    case $driver in
    root_*)
        rm -f "$root/tmp/clprim/tap"
        in_root "$test" "$@" >"$out.log" 2>&1 </dev/null || status=$?
        [ ! -e "$root/tmp/clprim/tap" ] || mv "$root/tmp/clprim/tap" "$out.tap"
        ;;
    *)
        if [ "$test" = cli ]; then
            set -- "$@" CLPRIM_LIBRARY="$PWD/build/dev/libclprim.so" python3 -B tests/cli/run.py build/dev/cli/clprim
        else
            set -- "$@" "build/dev/tests/test_$test" -j1 "--tap=$out.tap"
        fi
        # shellcheck disable=SC2086 # the prefix is meant to be split
        ${CLPRIM_DRIVERS_PREFIX-} timeout "${CLPRIM_DRIVERS_TIMEOUT:-1800}" \
            env CLPRIM_TUNING=off CLPRIM_CACHE_DIR="$PWD/build/cache" "$@" >"$out.log" 2>&1 </dev/null || status=$?
        [ "$test" != cli ] || grep -E '^(not )?ok ' "$out.log" >"$out.tap" || :
        ;;
    esac
    [ -s "$out.tap" ] || printf 'Bail out! status %s\n' "$status" >"$out.tap"
    printf '%-20s %-20s %s, %s s\n' "$driver" "$test" "$(cell "$driver" "$test")" "$(($(date +%s) - begin))"
}

# cell DRIVER TEST: "12", "11 + 1 skipped", "**2 failed** of 12", "**ended by ...**", or "–" where it did not run
cell() {
    tap=$results/$1/$2.tap
    [ -e "$tap" ] || {
        printf '–'
        return
    }
    awk '/^Bail out!/ { bail = $NF }
         /^ok .*# SKIP/ { skipped++; next }
         /^ok / { passed++ }
         /^not ok / { failed++ }
         END {
             if (bail == 124) printf "**out of time**"
             else if (bail != "") printf "**ended with %s**", bail
             else if (failed) printf "**%d failed** of %d", failed, failed + passed + skipped
             else if (skipped) printf "%d + %d skipped", passed, skipped
             else printf "%d", passed
         }' "$tap"
}

table() {
    have=$(drivers | cut -d'|' -f1 | while read -r driver; do [ ! -d "$results/$driver" ] || printf '%s ' "$driver"; done)
    printf '\n| tests'
    for driver in $have; do printf ' | %s' "$driver"; done
    printf ' |\n|---'
    for driver in $have; do printf '|--:'; done
    printf '|\n'
    for test in $(all_tests); do
        printf '| %s' "$test"
        for driver in $have; do printf ' | %s' "$(cell "$driver" "$test")"; done
        printf ' |\n'
    done
}

# All of it is read before anything runs.
main() {
    tests=$(all_tests)
    while getopts t: option; do
        case $option in
        t) tests=$OPTARG ;;
        *) exit 2 ;;
        esac
    done
    shift $((OPTIND - 1))

    drivers | while IFS='|' read -r driver there environment what; do
        case " ${*:-$driver} " in
        *" $driver "*) ;;
        *) continue ;;
        esac
        eval "$there" || {
            printf '%-20s skipped: %s is not here\n' "$driver" "$what"
            continue
        }
        eval "environment=\"$environment\""
        mkdir -p "$results/$driver"
        for test in $tests; do
            run_one "$driver" "$test" "$environment"
        done
    done
    table
    ! grep -qE '^(not ok|Bail out!)' "$results"/*/*.tap
}
main "$@"
