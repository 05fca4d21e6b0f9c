# SPDX-License-Identifier: MIT
"""A wheel with the library inside (./dev wheel) is for one platform; without it, the module is for all."""
import pathlib

import setuptools


class Distribution(setuptools.Distribution):
    def has_ext_modules(self):
        return any(pathlib.Path(__file__).parent.glob("clprim/libclprim*"))


setuptools.setup(distclass=Distribution)
