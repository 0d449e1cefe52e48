"""What docagent needs of the machine: the folder, its disk, the clock, limits of the process, readers of pictures."""

from __future__ import annotations

import importlib.util
import os
import platform
import resource
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from docagent import __version__
from docagent.adapters.parse.office.libreoffice import find_converter
from docagent.adapters.parse.recognition.ocr import Ocr
from docagent.cli.server.serving import OTHER_FILES
from docagent.settings import Settings

GIBIBYTE = 1024**3
LITTLE_SPACE, TOO_LITTLE_SPACE = 2 * GIBIBYTE, GIBIBYTE // 4
MOST_SECONDS_APART = 5
PRINTED = "docagent 4711"
OTHERS = 0o077


class Health(StrEnum):
    FINE = "fine"
    WARNING = "warning"
    """It works, and something would be better otherwise."""
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, how it is, and what to do about it."""

    about: str
    health: Health
    says: str
    remedy: str = ""


def program() -> Finding:
    where = f"docagent {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    return Finding("program", Health.FINE, where)


def folder(settings: Settings) -> Finding:
    path = settings.data
    if not path.exists():
        return Finding(
            "data folder", Health.FINE, f"{path.absolute()} is not there yet; the first start makes it."
        )
    if not os.access(path, os.R_OK | os.W_OK | os.X_OK):
        remedy = (
            f"Give it to the user that runs docagent (chown), or name another folder with --data; now {path}."
        )
        return Finding("data folder", Health.WRONG, f"{path.absolute()} cannot be written.", remedy)
    if path.stat().st_mode & OTHERS:
        remedy = f"chmod 700 {path.absolute()}; the next start does it too."
        return Finding("data folder", Health.WARNING, f"{path.absolute()} is open to others.", remedy)
    return Finding("data folder", Health.FINE, f"{path.absolute()}, for its owner alone.")


def disk(settings: Settings) -> Finding:
    path = next(place for place in (settings.data, *settings.data.absolute().parents) if place.is_dir())
    free = shutil.disk_usage(path).free
    says = f"{free / GIBIBYTE:.1f} GiB are free."
    remedy = "Make room, or move the data folder: uploads fail when the disk is full."
    if free >= LITTLE_SPACE:
        return Finding("disk", Health.FINE, says)
    return Finding("disk", Health.WRONG if free < TOO_LITTLE_SPACE else Health.WARNING, says, remedy)


def clock(settings: Settings) -> Finding:
    """Leases of jobs and turns compare this machine's clock with times that were stored. A folder on another machine
    shows whether the two agree."""
    place = settings.data if settings.data.is_dir() else None
    try:
        with tempfile.NamedTemporaryFile(dir=place) as file:
            apart = abs(Path(file.name).stat().st_mtime - time.time())
    except OSError as error:
        return Finding("clock", Health.WARNING, f"It cannot be compared: {error.strerror}.")
    if apart > MOST_SECONDS_APART:
        remedy = "Set both clocks by the network (NTP): leases and sessions end too early or too late."
        return Finding("clock", Health.WRONG, f"The disk's clock is {apart:.0f} seconds apart.", remedy)
    return Finding("clock", Health.FINE, time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime()))


def limits(settings: Settings) -> Iterator[Finding]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = settings.connections.in_all + OTHER_FILES
    most = "unlimited" if hard == resource.RLIM_INFINITY else str(hard)
    says = f"{soft} open files, {most} at most; {settings.connections.in_all} connections need {needed}."
    if hard != resource.RLIM_INFINITY and hard < needed:
        remedy = f"Raise the limit (ulimit -Hn {needed}, LimitNOFILE={needed}), or lower connections.in_all."
        yield Finding("open files", Health.WARNING, says, remedy)
    else:
        yield Finding("open files", Health.FINE, says)
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    wanted = settings.reader.memory_mb * settings.worker.concurrency * 1024**2
    says = (
        f"{memory / GIBIBYTE:.1f} GiB; {settings.worker.concurrency} readers may use {wanted / GIBIBYTE:.1f}."
    )
    if wanted > memory:
        remedy = "Lower worker.concurrency or reader.memory_mb: large files could fill the memory."
        yield Finding("memory", Health.WARNING, says, remedy)
    else:
        yield Finding("memory", Health.FINE, says)


def readers() -> Iterator[Finding]:
    image = Image.new("L", (900, 160), 255)
    ImageDraw.Draw(image).text((40, 40), PRINTED, fill=0, font=ImageFont.load_default(64))
    try:
        read = " ".join(word.text for line in Ocr().read(image, dpi=200).lines for word in line.words)
    except (OSError, RuntimeError) as error:
        remedy = "Reinstall docagent with its pinned requirements: the reader comes with them."
        yield Finding("reading pictures", Health.WRONG, f"The reader does not start: {error}", remedy)
    else:
        if read == PRINTED:
            yield Finding("reading pictures", Health.FINE, f"Read “{read}” from a picture of it.")
        else:
            remedy = "Reinstall docagent with its pinned requirements."
            yield Finding(
                "reading pictures", Health.WARNING, f"Read “{read}” instead of “{PRINTED}”.", remedy
            )
    if importlib.util.find_spec("rapidocr") is None:
        remedy = "pip install rapidocr: badly printed pages are read by it."
        yield Finding("second reader", Health.WARNING, "It is not installed.", remedy)
    converter = find_converter()
    if converter is None:
        remedy = "Install LibreOffice if such files are uploaded. All others are read without it."
        yield Finding(
            "office files",
            Health.WARNING,
            "No LibreOffice: office files have text, but no pages to look at; old ones cannot be read.",
            remedy,
        )
    else:
        yield Finding("office files", Health.FINE, converter)
