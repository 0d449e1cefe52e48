"""Markdown as text with sections: edits that leave everything else as it was."""

from docagent.markdown.blocks import headings, unclosed_fence
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
from docagent.markdown.lost import Losses, losses
from docagent.markdown.written_edits import edit_of

__all__ = [
    "Append",
    "Edit",
    "Losses",
    "MoveSection",
    "RemoveSection",
    "Replace",
    "ReplaceSection",
    "apply_edits",
    "common_ends",
    "edit_of",
    "headings",
    "losses",
    "unclosed_fence",
    "with_line_ends_of",
]
