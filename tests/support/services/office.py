"""A small program in LibreOffice's place, and a search path on which nothing else is found."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from docagent.adapters.parse.hosting import end_host

_SOURCE = """#!{python}
import pathlib, shutil, subprocess, sys, time
report = pathlib.Path({report!r})
arguments = sys.argv[1:]
source = pathlib.Path(arguments[-1])
profile = pathlib.Path(arguments[0].removeprefix("-env:UserInstallation=file://"))
report.mkdir(exist_ok=True)
shutil.copyfile(source, report / source.name)
shutil.copyfile(profile / "user" / "registrymodifications.xcu", report / "settings.xml")
if {sleeps}:
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600) # spawned by the converter"])
    time.sleep(600)
if {pdf!r}:
    outdir = pathlib.Path(arguments[arguments.index("--outdir") + 1])
    shutil.copyfile({pdf!r}, outdir / (source.stem + ".pdf"))
"""


@contextmanager
def only_programs_in(folder: Path) -> Iterator[Path]:
    """Let reading processes find programs in this folder alone, whatever the machine has."""
    before = os.environ["PATH"]
    os.environ["PATH"] = str(folder)
    # A host that is running has the search path with which it was started.
    end_host()
    try:
        yield folder
    finally:
        os.environ["PATH"] = before
        end_host()


def install_office(folder: Path, report: Path, *, pdf: Path | None, sleeps: bool = False) -> None:
    """Install a LibreOffice that reports what it was given, and makes this PDF of every file."""
    program = folder / "soffice"
    text = _SOURCE.format(python=sys.executable, report=str(report), pdf=str(pdf or ""), sleeps=sleeps)
    program.write_text(text, encoding="utf-8")
    program.chmod(0o755)
