"""A project's living documents as files in a folder, with a note beside them of which versions they were."""

from __future__ import annotations

import hashlib
import re
from dataclasses import asdict, dataclass, field
from pathlib import Path

import orjson

from docagent.domain.errors import CannotStart, InvalidInput

NOTE = ".docagent-project.json"
ENDING = ".md"
_UNSAFE = re.compile(r"[^\w\-. ]+")


@dataclass(frozen=True, slots=True)
class Kept:
    """A document as it was when it was last pulled or pushed."""

    id: str
    version: int
    sha256: str


@dataclass(slots=True)
class ProjectFolder:
    path: Path
    project_id: str
    documents: dict[str, Kept] = field(default_factory=dict)
    """By the name of the file."""

    @classmethod
    def open(cls, path: Path) -> ProjectFolder:
        """The folder that an earlier `pull` made."""
        try:
            noted = orjson.loads((path / NOTE).read_bytes())
            documents = {name: Kept(**kept) for name, kept in noted["documents"].items()}
            return cls(path, str(noted["project_id"]), documents)
        except FileNotFoundError:
            raise CannotStart(
                f"{path} was not made by `docagent project pull`. Pull a project into it first."
            ) from None
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InvalidInput(f"{path / NOTE} cannot be read: {error}. Pull into a new folder.") from error

    @classmethod
    def of(cls, path: Path, project_id: str) -> ProjectFolder:
        """The folder of this project: as it is, or a new one."""
        if not (path / NOTE).is_file():
            path.mkdir(parents=True, exist_ok=True)
            return cls(path, project_id)
        found = cls.open(path)
        if found.project_id != project_id:
            raise CannotStart(f"{path} holds another project. Pull into another folder.")
        return found

    def save(self) -> None:
        noted = {
            "project_id": self.project_id,
            "documents": {name: asdict(kept) for name, kept in self.documents.items()},
        }
        beside = self.path / f"{NOTE}.new"
        beside.write_bytes(orjson.dumps(noted, option=orjson.OPT_INDENT_2))
        beside.replace(self.path / NOTE)

    def name_for(self, document_id: str, title: str) -> str:
        """The file of a document: the one that it has, else one by its title that no other document has."""
        for name, kept in self.documents.items():
            if kept.id == document_id:
                return name
        plain = _UNSAFE.sub("_", title.removesuffix(ENDING)).strip(". ") or "document"
        taken = {name.casefold() for name in self.documents}
        name = f"{plain}{ENDING}"
        return name if name.casefold() not in taken else f"{plain} {document_id}{ENDING}"

    def text_of(self, name: str) -> str | None:
        """What the file holds; None if there is none."""
        try:
            return (self.path / name).read_text()
        except FileNotFoundError:
            return None
        except UnicodeDecodeError as error:
            raise InvalidInput(f"{self.path / name} is not UTF-8 text.") from error

    def is_changed(self, name: str) -> bool:
        """Whether the file is other than it was when it was last pulled or pushed. One that is gone is not."""
        text, kept = self.text_of(name), self.documents.get(name)
        return text is not None and (kept is None or digest_of_text(text) != kept.sha256)

    def write(self, name: str, document_id: str, version: int, text: str) -> None:
        (self.path / name).write_text(text)
        self.note(name, document_id, version, text)

    def note(self, name: str, document_id: str, version: int, text: str) -> None:
        self.documents[name] = Kept(document_id, version, digest_of_text(text))
        self.save()

    def new_files(self) -> list[str]:
        """Files that belong to no document yet."""
        names = sorted(file.name for file in self.path.glob(f"*{ENDING}") if file.is_file())
        return [name for name in names if name not in self.documents and not name.startswith(".")]


def digest_of_text(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
