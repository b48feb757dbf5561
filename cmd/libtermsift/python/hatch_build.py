"""Builds the library and the command into the wheel, and puts their sources into the sdist; the source tree stays as it is.

TERMSIFT_TARGET names a system of TARGETS for which zig's C compiler, the package ziglang, builds a wheel. Without it
the wheel is for this machine, built by its own C compiler.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Target(NamedTuple):
    """A system that wheels are for."""

    goos: str
    goarch: str
    zig: str  # its name for zig, with the oldest glibc
    tag: str


TARGETS = {
    "linux-x86_64": Target("linux", "amd64", "x86_64-linux-gnu.2.17", "manylinux_2_17_x86_64.manylinux2014_x86_64"),
    "linux-aarch64": Target("linux", "arm64", "aarch64-linux-gnu.2.17", "manylinux_2_17_aarch64.manylinux2014_aarch64"),
}

LIBRARY = "libtermsift.so.1"
COMMANDS = ["./cmd/libtermsift", "./cmd/termsift"]


class Hook(BuildHookInterface):  # type: ignore[type-arg]
    """The hook of both the wheel and the sdist."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        module = module_above(Path(self.root).resolve())
        include = build_data["force_include"]
        if self.target_name == "sdist":
            include.update(sources_of(module))
            return
        self._folder = tempfile.TemporaryDirectory()
        library, command = (os.path.join(self._folder.name, name) for name in (LIBRARY, "termsift"))
        tag = build(module, library, command)
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{tag}"
        build_data["shared_scripts"][command] = "termsift"
        include[library] = f"termsift/{LIBRARY}"
        for notice in ["LICENSE", "cmd/termsift/THIRD_PARTY.md"]:
            include[str(module / notice)] = "termsift/" + Path(notice).name

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if self.target_name == "wheel":
            self._folder.cleanup()


def module_above(package: Path) -> Path:
    """Return the folder of the Go module: in an sdist it lies within the package, in a clone around it."""
    for folder in [package / "go", *package.parents]:
        if (folder / "go.mod").exists():
            return folder
    raise FileNotFoundError(f"no go.mod in {package / 'go'} or above: build from a clone or an sdist of termsift")


def build(module: Path, library: str, command: str) -> str:
    """Build the library and the command; return the tag of their system."""
    name = os.environ.get("TERMSIFT_TARGET")
    environment = {**os.environ, "CGO_ENABLED": "1"}
    if name:
        target = TARGETS[name]
        compiler = shlex.join([sys.executable, "-m", "ziglang", "cc", "-target", target.zig])
        environment.update(GOOS=target.goos, GOARCH=target.goarch, CC=compiler)
    symbols = module / "cmd" / "libtermsift" / "symbols.map"
    to_linker = f"'-Wl,--version-script={symbols}' -Wl,-soname,{LIBRARY} -Wl,--strip-all -Wl,--build-id=none"  # the folder may have a space
    go_build(module, environment, "./cmd/libtermsift", library, "-buildmode=c-shared", extldflags=to_linker)
    go_build(module, {**environment, "CGO_ENABLED": "0"}, "./cmd/termsift", command)
    return target.tag if name else sysconfig.get_platform().replace("-", "_").replace(".", "_")


def go_build(module: Path, environment: dict[str, str], package: str, to: str, *flags: str, extldflags: str = "") -> None:
    link = "-s -w -buildid=" + (f' -extldflags "{extldflags}"' if extldflags else "")
    subprocess.run(["go", "build", *flags, "-trimpath", "-ldflags", link, "-o", to, package], cwd=module, check=True, env=environment)


def sources_of(module: Path) -> dict[str, str]:
    """Return what Go needs to build both, as files of the sdist below go/: each package that they import, without its tests."""
    form = "{{with .Module}}{{if .Main}}{{$.Dir}}{{range $.EmbedFiles}}\t{{.}}{{end}}{{end}}{{end}}"
    listed = subprocess.run(["go", "list", "-deps", "-f", form, *COMMANDS], cwd=module, check=True, stdout=subprocess.PIPE, text=True).stdout
    files = [module / name for name in ["go.mod", "go.sum", "LICENSE", "cmd/termsift/THIRD_PARTY.md", "cmd/libtermsift/symbols.map"]]
    for line in listed.splitlines():
        folder, *embedded = line.split("\t")
        files += [path for path in Path(folder).iterdir() if path.suffix in {".go", ".s", ".c", ".h"} and not path.name.endswith("_test.go")]
        files += [Path(folder, name) for name in embedded]
    return {str(path): f"go/{path.relative_to(module)}" for path in sorted(files)}
