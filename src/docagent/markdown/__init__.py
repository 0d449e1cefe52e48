"""Markdown as text with sections: edits and merges that leave everything else as it was."""

from docagent.markdown.blocks import headings, unclosed_fence, with_own_text
from docagent.markdown.differing import Hunk, hunks, lines_of, with_hunks
from docagent.markdown.edits import (
    Append,
    Edit,
    MoveSection,
    RemoveSection,
    Replace,
    ReplaceSection,
    apply_edits,
)
from docagent.markdown.line_ends import common_ends, with_line_ends_of
from docagent.markdown.links import Link, LinkedTable, find_linked_tables, find_links
from docagent.markdown.lost import Losses, losses
from docagent.markdown.merging import Clash, Merge, merge
from docagent.markdown.written_edits import edit_of

__all__ = [
    "Append",
    "Clash",
    "Edit",
    "Hunk",
    "Link",
    "LinkedTable",
    "Losses",
    "Merge",
    "MoveSection",
    "RemoveSection",
    "Replace",
    "ReplaceSection",
    "apply_edits",
    "common_ends",
    "edit_of",
    "find_linked_tables",
    "find_links",
    "headings",
    "hunks",
    "lines_of",
    "losses",
    "merge",
    "unclosed_fence",
    "with_hunks",
    "with_line_ends_of",
    "with_own_text",
]
