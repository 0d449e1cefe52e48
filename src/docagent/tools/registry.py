"""The lists of tools, in the order in which models and people see them: for a document, and for a project."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from docagent.domain.tools import Tool
from docagent.tools.base import AgentTool
from docagent.tools.documents import DeleteDocument, GetOcrText, ListDocuments, UpdateDocument
from docagent.tools.extraction import GetExtractionResult, RunExtraction, UpdateExtractionField
from docagent.tools.help import HelpPrompts, HelpSchemas
from docagent.tools.models import ListLlmModels
from docagent.tools.project_changes import (
    DeleteProjectDocument,
    RestoreProjectVersion,
    UpdateProjectDocument,
)
from docagent.tools.project_citations import CheckCitations, CiteSource
from docagent.tools.project_sources import GetSourceResult, GetSourceText, ListSources
from docagent.tools.project_texts import (
    CreateProjectDocument,
    EditProjectDocument,
    RewriteProjectDocument,
)
from docagent.tools.projects import (
    ListProjectDocuments,
    ListProjectVersions,
    ReadProjectDocument,
    SearchProject,
)
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

DOCUMENT_TOOLS: tuple[type[AgentTool[Any]], ...] = (
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
PROJECT_TOOLS: tuple[type[AgentTool[Any]], ...] = (
    ListProjectDocuments,
    ReadProjectDocument,
    SearchProject,
    ListProjectVersions,
    CreateProjectDocument,
    EditProjectDocument,
    RewriteProjectDocument,
    UpdateProjectDocument,
    DeleteProjectDocument,
    RestoreProjectVersion,
    ListSources,
    GetSourceText,
    GetSourceResult,
    CiteSource,
    CheckCitations,
)


def all_tools() -> Sequence[Tool]:
    """Return the facts about every tool of a conversation about a document. They need no services."""
    return _FACTS


def project_tools() -> Sequence[Tool]:
    """Return the facts about every tool of a conversation about a project."""
    return _PROJECT_FACTS


def every_tool() -> Sequence[Tool]:
    """Return the facts about the tools of all conversations, each name once."""
    return list({tool.name: tool for tool in (*_PROJECT_FACTS, *_FACTS)}.values())


_FACTS = tuple(tool.facts() for tool in DOCUMENT_TOOLS)
_PROJECT_FACTS = tuple(tool.facts() for tool in PROJECT_TOOLS)
