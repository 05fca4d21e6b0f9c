#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test.py OUT [RECIPE...]: makes a source archive of the last commit, the recipes for it, and the package of each recipe whose
tool is here; a program is linked with it and run. The syntax of the others is checked."""
import ast
import glob
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import generate

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent


def run(*command, cwd=None, **environment):
    done = subprocess.run([str(word) for word in command], cwd=cwd, env={**os.environ, **environment}, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {done.returncode}\n{done.stdout[-6000:]}")
    return done.stdout


class Recipes:
    def __init__(self, out):
        self.out, self.made = out, out / "made"
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
        self.name = f"clprim-{generate.version()}"
        self.archive = out / f"{self.name}.tar.gz"
        run("git", "-C", ROOT, "archive", f"--prefix={self.name}/", "-o", self.archive, "HEAD")
        run(sys.executable, "-B", HERE / "generate.py", self.archive, self.made, f"URL={self.archive.as_uri()}")
        for consumer in ("fetchcontent", "meson"):
            for file in ("existing_program.c", "guide.h"):
                shutil.copy(ROOT / "docs/guides" / file, self.made / consumer)

    def installed(self, root):
        """The program, with what a package has installed below a folder."""
        libraries = pathlib.Path(glob.glob(f"{root}/usr/lib*/**/libclprim.so", recursive=True)[0]).parent
        program = self.out / "installed"
        run("cc", "-std=c11", f"-I{root}/usr/include", ROOT / "docs/guides/existing_program.c", f"-L{libraries}", "-lclprim",
            "-lOpenCL", "-o", program)
        run(program, LD_LIBRARY_PATH=str(libraries))
        run(f"{root}/usr/bin/clprim", "--version", LD_LIBRARY_PATH=str(libraries))

    def fetchcontent(self):
        there = self.made / "fetchcontent"
        run("cmake", "-G", "Ninja", "-S", there, "-B", there / "build")
        run("cmake", "--build", there / "build", "--target", "consumer")
        run(there / "build" / "consumer")

    def meson(self):
        there = self.made / "meson"
        cache = there / "subprojects" / "packagecache"
        cache.mkdir()
        shutil.copy(self.archive, cache)
        run("meson", "setup", there / "build", there)
        run("meson", "compile", "-C", there / "build", "consumer")
        run(there / "build" / "consumer")

    def debian(self):
        run("tar", "-xf", self.archive, cwd=self.out)
        shutil.copytree(self.made / "debian", self.out / self.name / "debian")
        run("dpkg-buildpackage", "-us", "-uc", "-b", cwd=self.out / self.name)
        for deb in self.out.glob("*.deb"):
            run("dpkg-deb", "-x", deb, self.out / "debs")
        self.installed(self.out / "debs")

    def rpm(self):
        top = self.out / "rpmbuild"
        (top / "SOURCES").mkdir(parents=True)
        shutil.copy(self.archive, top / "SOURCES")
        run("rpmbuild", "-bb", "--nodeps", "--define", f"_topdir {top}", self.made / "rpm" / "clprim.spec")
        for package in top.glob("RPMS/*/*.rpm"):
            cpio = subprocess.run(["rpm2cpio", package], check=True, capture_output=True).stdout
            (self.out / "rpms").mkdir(exist_ok=True)
            subprocess.run(["cpio", "-id", "--quiet"], input=cpio, cwd=self.out / "rpms", check=True)
        self.installed(self.out / "rpms")

    def arch(self):
        """makepkg refuses to run as root: in a namespace it is another user. Arch's packages, which Debian has under other names,
        are not looked for."""
        there = self.made / "arch"
        another = ("unshare", "--user", "--map-user=1000", "--map-group=1000") if os.geteuid() == 0 else ()
        if another and subprocess.run([*another, "true"], stderr=subprocess.DEVNULL).returncode != 0:
            print("skipped: arch, for there are no namespaces of users")
            return
        run(*another, "makepkg", "--nodeps", "--noconfirm", cwd=there,
            PKGEXT=".pkg.tar.gz", CMAKE_BUILD_PARALLEL_LEVEL=str(os.cpu_count()))
        (self.out / "from_arch").mkdir()
        run("tar", "-xf", next(there.glob("*.pkg.tar.gz")), "-C", self.out / "from_arch")
        self.installed(self.out / "from_arch")

    def conan(self):
        home = {"CONAN_HOME": str(self.out / "conan")}
        run("conan", "profile", "detect", **home)
        said = self.out / "conan.json"
        run("conan", "create", self.made / "conan", "--format=json", f"--out-file={said}", **home)
        folder = json.loads(said.read_text())["graph"]["nodes"]["1"]["package_folder"]
        (self.out / "from_conan").mkdir()
        (self.out / "from_conan" / "usr").symlink_to(folder)
        self.installed(self.out / "from_conan")

    def syntax(self):
        for path in self.made.rglob("*.py"):
            ast.parse(path.read_text())
        json.loads((self.made / "vcpkg" / "vcpkg.json").read_text())
        run("ruby", "-c", self.made / "homebrew" / "clprim.rb")
        # The functions of vcpkg, as far as CMake reads a call of one
        stubs = self.out / "vcpkg.cmake"
        port = self.made / "vcpkg" / "portfile.cmake"
        names = sorted(set(re.findall(r"(?m)^(vcpkg_\w+)\(", port.read_text())))
        stubs.write_text("".join(f"function({name})\nendfunction()\n" for name in names) + f'include("{port}")\n')
        run("cmake", "-P", stubs)
        try:
            import jinja2  # which conan brings
            import yaml
        except ImportError:
            print("skipped: conda's recipe, for there is no jinja2 or yaml")
            return
        recipe = jinja2.Template((self.made / "conda" / "meta.yaml").read_text()).render(
            compiler="{}_compiler".format, stdlib="{}_stdlib".format, pin_subpackage=lambda name, max_pin: name)
        assert yaml.safe_load(recipe)["package"]["version"] == generate.version()


TOOLS = {"syntax": "ruby", "fetchcontent": "cmake", "meson": "meson", "debian": "dh", "rpm": "rpmbuild", "conan": "conan",
         "arch": "makepkg"}


def main():
    recipes = Recipes(pathlib.Path(sys.argv[1]).resolve())
    for name in sys.argv[2:] or TOOLS:
        begin = time.monotonic()
        if shutil.which(TOOLS[name]) is None:
            print(f"skipped: {name}, for {TOOLS[name]} is not here")
            continue
        getattr(recipes, name)()
        print(f"passed: {name}, {time.monotonic() - begin:.0f} s", flush=True)


if __name__ == "__main__":
    main()
