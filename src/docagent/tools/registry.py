"""The list of all tools, in the order in which models and people see them."""

from __future__ import annotations

from collections.abc import Sequence

from docagent.domain.tools import Tool
from docagent.tools.base import DocumentTool
from docagent.tools.documents import DeleteDocument, GetOcrText, ListDocuments, UpdateDocument
from docagent.tools.extraction import GetExtractionResult, RunExtraction, UpdateExtractionField
from docagent.tools.help import HelpPrompts, HelpSchemas
from docagent.tools.models import ListLlmModels
from docagent.tools.prompts import CreatePrompt, DeletePrompt, GetPrompt, ListPrompts, UpdatePrompt
from docagent.tools.schemas import (
    CreateSchema,
    DeleteSchema,
    GetSchema,
    ListSchemas,
    UpdateSchema,
    ValidateAgainstSchema,
    ValidateSchema,
)
from docagent.tools.tags import CreateTag, DeleteTag, GetTag, ListTags, UpdateTag

DOCUMENT_TOOLS: tuple[type[DocumentTool], ...] = (
    GetOcrText,
    RunExtraction,
    GetExtractionResult,
    UpdateExtractionField,
    ListDocuments,
    UpdateDocument,
    DeleteDocument,
    CreateSchema,
    GetSchema,
    ListSchemas,
    UpdateSchema,
    DeleteSchema,
    ValidateSchema,
    ValidateAgainstSchema,
    CreatePrompt,
    GetPrompt,
    ListPrompts,
    ListLlmModels,
    UpdatePrompt,
    DeletePrompt,
    CreateTag,
    GetTag,
    ListTags,
    UpdateTag,
    DeleteTag,
    HelpSchemas,
    HelpPrompts,
)


def all_tools() -> Sequence[Tool]:
    """The facts about every tool, without any service behind it."""
    return _FACTS


_FACTS = tuple(tool.facts() for tool in DOCUMENT_TOOLS)
