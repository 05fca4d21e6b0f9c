# SPDX-License-Identifier: MIT
"""system_python.py: modules that tests need. python3 may not be the system's Python, and may lack its packages."""
import importlib
import os
import sys

SYSTEM = "/usr/bin/python3"


def need(*modules):
    """If a module is missing, starts the program again with the system's Python, or ends it as skipped."""
    try:
        for module in modules:
            importlib.import_module(module)
    except ImportError as error:
        if sys.executable != SYSTEM and os.path.exists(SYSTEM):
            os.execv(SYSTEM, [SYSTEM, "-B", *sys.argv])
        print(f"skipped: {error} (Debian's {', '.join('python3-' + module for module in modules)})")
        sys.exit(77)
