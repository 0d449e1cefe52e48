"""Makes PDFs of office files with LibreOffice, in a throw-away profile without macros or network.

Three things keep it from fetching what a document links to. Outside links are removed from a copy of a .docx
or .xlsx before it is opened. The profile forbids links from documents outside trusted places, and no place is
trusted. And the proxy that LibreOffice is told to use does not exist.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import zipfile
from pathlib import Path
from xml.etree import ElementTree

from docagent.adapters.parse.limits import TIMED_OUT, ReadLimits
from docagent.domain.documents.formats import FORMATS, Shown
from docagent.domain.errors import ReadFailed, ReadFailure

_PROGRAMS = ("soffice", "libreoffice")
_RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships"
_HYPERLINK = "/hyperlink"
_NO_PROXY_THERE = "http://127.0.0.1:9"
_FILTERS = {Shown.WRITER: "writer_pdf_Export", Shown.CALC: "calc_pdf_Export"}

_SETTINGS = (
    ("/org.openoffice.Office.Common/Security/Scripting", "MacroSecurityLevel", "3"),
    ("/org.openoffice.Office.Common/Security/Scripting", "DisableMacrosExecution", "true"),
    ("/org.openoffice.Office.Common/Security/Scripting", "DisableActiveContent", "true"),
    ("/org.openoffice.Office.Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
    ("/org.openoffice.Office.Writer/Content/Update", "Link", "0"),
    ("/org.openoffice.Office.Calc/Content/Update", "Link", "0"),
    ("/org.openoffice.Inet/Settings", "ooInetProxyType", "1"),
)


class ConversionFailed(Exception):
    """LibreOffice made no PDF."""


def find_converter() -> str | None:
    """The LibreOffice program on this machine, if there is one."""
    return next((found for name in _PROGRAMS if (found := shutil.which(name))), None)


def convert_to_pdf(program: str, path: Path, extension: str, limits: ReadLimits) -> Path:
    """Make a PDF in the current folder. Raises ConversionFailed, or ReadFailed if it takes too long."""
    folder = Path.cwd() / "conversion"
    folder.mkdir()
    source = folder / f"document{extension}"
    format = FORMATS[extension]
    if format.is_office_package:
        _copy_without_outside_links(path, source)
    else:
        shutil.copyfile(path, source)
    profile = folder / "profile"
    _write_profile(profile)
    command = [
        program,
        f"-env:UserInstallation={profile.as_uri()}",
        "--headless",
        "--norestore",
        "--nolockcheck",
        "--convert-to",
        f"pdf:{_FILTERS[format.shown]}",
        "--outdir",
        str(folder),
        str(source),
    ]
    _run(command, folder, limits.seconds_per_conversion)
    pdf = source.with_suffix(".pdf")
    if not pdf.exists():
        raise ConversionFailed
    return pdf


def _run(command: list[str], folder: Path, seconds: float) -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "LANG": "C.UTF-8",
        "http_proxy": _NO_PROXY_THERE,
        "https_proxy": _NO_PROXY_THERE,
    }
    process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL)
    try:
        process.wait(timeout=seconds)
    except subprocess.TimeoutExpired as error:
        raise ReadFailed(ReadFailure.TIMED_OUT, TIMED_OUT) from error
    finally:
        process.kill()
        process.wait()


def _write_profile(profile: Path) -> None:
    items = "".join(
        f'<item oor:path="{path}"><prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop></item>'
        for path, name, value in _SETTINGS
    )
    user = profile / "user"
    user.mkdir(parents=True)
    (user / "registrymodifications.xcu").write_text(
        '<?xml version="1.0" encoding="UTF-8"?>'
        '<oor:items xmlns:oor="http://openoffice.org/2001/registry" '
        'xmlns:xs="http://www.w3.org/2001/XMLSchema" '
        f'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">{items}</oor:items>',
        encoding="utf-8",
    )


def _copy_without_outside_links(source: Path, target: Path) -> None:
    """Copy an Office package so that it loads nothing from elsewhere. Hyperlinks stay, as they load nothing."""
    try:
        with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
            for part in old.infolist():
                content = old.read(part)
                if part.filename.endswith(".rels"):
                    content = _inside_only(content)
                new.writestr(part.filename, content)
    except (zipfile.BadZipFile, ElementTree.ParseError, OSError, EOFError, NotImplementedError) as error:
        raise ConversionFailed from error


def _inside_only(relationships: bytes) -> bytes:
    ElementTree.register_namespace("", _RELATIONSHIPS)
    root = ElementTree.fromstring(relationships)
    for relationship in list(root):
        outside = relationship.get("TargetMode") == "External"
        if outside and not relationship.get("Type", "").endswith(_HYPERLINK):
            root.remove(relationship)
    cleaned: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return cleaned
