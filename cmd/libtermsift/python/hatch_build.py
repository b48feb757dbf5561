"""Builds the library and the command into the wheel, and puts their sources into the sdist; the source tree stays as it is.

TERMSIFT_TARGET names a system of TARGETS for which zig's C compiler, the package ziglang, builds a wheel. Without it
the wheel is for this machine, built by its own C compiler.
"""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Target(NamedTuple):
    """A system that wheels are for."""

    zig: str  # its name for zig, with its oldest version
    tag: str


# By the names that Go has for them.
TARGETS = {
    "linux-amd64": Target("x86_64-linux-gnu.2.17", "manylinux_2_17_x86_64.manylinux2014_x86_64"),
    "linux-arm64": Target("aarch64-linux-gnu.2.17", "manylinux_2_17_aarch64.manylinux2014_aarch64"),
    "darwin-amd64": Target("x86_64-macos.12.0", "macosx_12_0_x86_64"),
    "darwin-arm64": Target("aarch64-macos.12.0", "macosx_12_0_arm64"),
    "windows-amd64": Target("x86_64-windows-gnu", "win_amd64"),
}

# The library and the command, by systems; _library.py looks for these names.
NAMES = {"darwin": ("libtermsift.dylib", "termsift"), "windows": ("termsift.dll", "termsift.exe")}
OTHER_NAMES = ("libtermsift.so.1", "termsift")

# What Go names to the linker for macOS and does not call: libraries of Apple's, which zig does not have. A file for
# each says no more than where the system keeps it.
OF_APPLE = {
    "libresolv.tbd": "/usr/lib/libresolv.9.dylib",
    "CoreFoundation.framework/CoreFoundation.tbd": "/System/Library/Frameworks/CoreFoundation.framework/Versions/A/CoreFoundation",
}

THIRD_PARTY = "THIRD_PARTY.md"  # the licences of others; an sdist has it

COMMANDS = ["./cmd/libtermsift", "./cmd/termsift"]


class Hook(BuildHookInterface):  # type: ignore[type-arg]
    """The hook of both the wheel and the sdist."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        module = module_above(Path(self.root).resolve())
        include = build_data["force_include"]
        self._folder = tempfile.TemporaryDirectory()
        if self.target_name == "sdist":
            include.update(sources_of(module))
            include[str(third_party(module, Path(self._folder.name)))] = f"go/{THIRD_PARTY}"
            return
        library, command, tag = build(module, Path(self._folder.name))
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{tag}"
        build_data["shared_scripts"][str(command)] = command.name
        for file in [library, module / "LICENSE", third_party(module, Path(self._folder.name))]:
            include[str(file)] = f"termsift/{file.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        self._folder.cleanup()


def module_above(package: Path) -> Path:
    """Return the folder of the Go module: in an sdist it lies within the package, in a clone around it."""
    for folder in [package / "go", *package.parents]:
        if (folder / "go.mod").exists():
            return folder
    raise FileNotFoundError(f"no go.mod in {package / 'go'} or above: build from a clone or an sdist of termsift")


def build(module: Path, folder: Path) -> tuple[Path, Path, str]:
    """Build the library and the command in a folder; return both and the tag of their system."""
    name = os.environ.get("TERMSIFT_TARGET")
    environment = {**os.environ, "CGO_ENABLED": "1"}
    if not shutil.which("go"):  # an old pip takes the sdist where a newer one takes the wheel
        sys.exit("termsift is built by Go, which is not installed: get it from https://go.dev/dl, or get a wheel, by pip install --upgrade pip")
    tag, system = sysconfig.get_platform().replace("-", "_").replace(".", "_"), platform.system().lower()
    if name:
        target, (system, machine) = TARGETS[name], name.split("-")
        compiler = shlex.join([sys.executable, "-m", "ziglang", "cc", "-target", target.zig])
        environment.update(GOOS=system, GOARCH=machine, CC=compiler)
        tag = target.tag
    library, command = (folder / file for file in NAMES.get(system, OTHER_NAMES))
    if system == "darwin":
        flags = for_apple(folder, library) if name else f"-Wl,-install_name,@rpath/{library.name}"
    elif system == "windows":
        flags = "-Wl,--strip-all"
    else:
        symbols = module / "cmd" / "libtermsift" / "symbols.map"
        flags = f"'-Wl,--version-script={symbols}' -Wl,-soname,{library.name} -Wl,--strip-all -Wl,--build-id=none"  # the folder may have a space
    go_build(module, environment, "./cmd/libtermsift", library, "-buildmode=c-shared", flags=flags)
    go_build(module, {**environment, "CGO_ENABLED": "0"}, "./cmd/termsift", command)
    return library, command, tag


def third_party(module: Path, folder: Path) -> Path:
    """Return the page of the licences of others, which is written in the folder unless the module is that of an sdist."""
    page = module / THIRD_PARTY
    if not page.exists():
        page = folder / THIRD_PARTY
        with page.open("w") as out:
            subprocess.run(["go", "run", "./bench/thirdparty"], cwd=module, check=True, stdout=out)
    return page


def for_apple(folder: Path, library: Path) -> str:
    """Write the files of OF_APPLE; return the flags that link with them."""
    for name, place in OF_APPLE.items():
        file = folder / "apple" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"--- !tapi-tbd\ntbd-version: 4\ntargets: [ x86_64-macos, arm64-macos ]\ninstall-name: '{place}'\n...\n")
    return f"-Wl,-install_name,@rpath/{library.name} '-L{folder / 'apple'}' '-F{folder / 'apple'}'"


def go_build(module: Path, environment: dict[str, str], package: str, to: Path, *mode: str, flags: str = "") -> None:
    """Build a package of the module, with flags for the linker of C."""
    link = "-s -w -buildid=" + (f' -extldflags "{flags}"' if flags else "")
    subprocess.run(["go", "build", *mode, "-trimpath", "-ldflags", link, "-o", str(to), package], cwd=module, check=True, env=environment)


def sources_of(module: Path) -> dict[str, str]:
    """Return what Go needs to build both, as files of the sdist below go/: each package that they import, without its tests."""
    form = "{{with .Module}}{{if .Main}}{{$.Dir}}{{range $.EmbedFiles}}\t{{.}}{{end}}{{end}}{{end}}"
    listed = subprocess.run(["go", "list", "-deps", "-f", form, *COMMANDS], cwd=module, check=True, stdout=subprocess.PIPE, text=True).stdout
    files = [module / name for name in ["go.mod", "go.sum", "LICENSE", "cmd/libtermsift/symbols.map"]]
    for line in listed.splitlines():
        folder, *embedded = line.split("\t")
        files += [path for path in Path(folder).iterdir() if path.suffix in {".go", ".s", ".c", ".h"} and not path.name.endswith("_test.go")]
        files += [Path(folder, name) for name in embedded]
    return {str(path): f"go/{path.relative_to(module)}" for path in sorted(files)}
