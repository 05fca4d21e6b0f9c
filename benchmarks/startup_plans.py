#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The first plan of each operation with nothing compiled, and once more in a second process.

    startup_plans.py [--program PATH] [OPERATION ...] > benchmarks/results/DEVICE-plans.json

Each sample of an operation (startup_plans --list) gets new, empty directories for the caches of clPRIM, PoCL and NVIDIA's
driver. Its line says "first" for the process that finds them empty, and "again" for the next one. Figures of processor
time are good on a busy machine, too; those of time that passes are not.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

BUILD = pathlib.Path(__file__).resolve().parent.parent / "build" / "release" / "benchmarks"


def environment(folder):
    """With caches in the folder, and without a user's file of parameters."""
    return os.environ | {"CLPRIM_CACHE_DIR": f"{folder}/clprim", "POCL_CACHE_DIR": f"{folder}/pocl",
                         "CUDA_CACHE_PATH": f"{folder}/cuda", "XDG_CACHE_HOME": folder, "CLPRIM_TUNING": "off"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("operations", nargs="*", metavar="OPERATION")
    parser.add_argument("--program", type=pathlib.Path, default=BUILD / "startup_plans")
    arguments = parser.parse_args()
    listed = subprocess.run([arguments.program, "--list"], stdout=subprocess.PIPE, check=True, text=True).stdout
    for line in listed.splitlines():
        words = line.split()
        if arguments.operations and words[0] not in arguments.operations:
            continue
        with tempfile.TemporaryDirectory() as folder:
            for state in ("first", "again"):
                made = subprocess.run([arguments.program, *words], stdout=subprocess.PIPE, check=True, text=True,
                                      env=environment(folder))
                print(json.dumps({"state": state} | json.loads(made.stdout)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
