#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh PROCESSOR ROOT PROGRAM [ARG...]: a program of another processor (arm64, armhf, i386), in the system that
# tests/offline/packages.sh has unpacked in ROOT, with the same working directory. qemu runs it, and all that it starts: it is
# registered in a namespace of this command alone, as Linux 6.7 and later can.
set -eu

processor=$1
root=$2
shift 2
# The loader of OpenCL does not look for drivers: by qemu, programs of 32 bits may be unable to list a folder.
export processor root OCL_ICD_VENDORS=pocl.icd
# shellcheck disable=SC2016 # the variables are the inner shell's
exec unshare --user --map-root-user --mount sh -eu -c '
case $processor in
arm64) elf=2 machine=b7 name=aarch64 ;;
armhf) elf=1 machine=28 name=arm ;;
*) name= ;;
esac
if [ -n "$name" ]; then
    mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
    zeros="\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00"
    ones="\\xff\\xff\\xff\\xff\\xff\\xff\\xff"
    printf "%s" ":clprim:M::\\x7fELF\\x0$elf\\x01\\x01\\x00$zeros\\x02\\x00\\x$machine\\x00:$ones\\x00\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xfe\\xff\\xff\\xff:$(command -v qemu-$name-static):FP" \
        >/proc/sys/fs/binfmt_misc/register
fi
top=/$(printf "%s" "${PWD#/}" | cut -d/ -f1)
for folder in /proc /dev /sys /tmp "$top"; do
    mkdir -p "$root$folder"
    mount --rbind "$folder" "$root$folder"
done
exec unshare --root="$root" --wd="$PWD" "$@"' sh "$@"
