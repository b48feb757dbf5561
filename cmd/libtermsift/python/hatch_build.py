"""Builds libtermsift into the wheel; the source tree stays as it is."""

import os
import platform
import subprocess
import tempfile
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class LibraryHook(BuildHookInterface):
    """Runs go build, and puts the library beside the package."""

    def initialize(self, version, build_data):
        package = Path(self.root).resolve().parent  # cmd/libtermsift
        self._folder = tempfile.TemporaryDirectory()
        library = os.path.join(self._folder.name, "libtermsift.so.1")
        flags = f"'-Wl,--version-script={package / 'symbols.map'}' -Wl,-soname,libtermsift.so.1"  # the folder may have a space
        link = f'-s -w -buildid= -extldflags "{flags}"'
        command = ["go", "build", "-buildmode=c-shared", "-trimpath", "-ldflags", link, "-o", library, "."]
        subprocess.run(command, cwd=package, check=True, env={**os.environ, "CGO_ENABLED": "1"})
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-manylinux_2_34_{platform.machine()}"
        build_data["force_include"][library] = "termsift/libtermsift.so.1"
        for notice in [package.parent.parent / "LICENSE", package.parent / "termsift" / "THIRD_PARTY.md"]:
            build_data["force_include"][str(notice)] = "termsift/" + notice.name

    def finalize(self, version, build_data, artifact_path):
        self._folder.cleanup()
