"""The lists of tools, in the order in which models and people see them: for a document, and for a project."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from docagent.domain.tools import Tool
from docagent.tools.accuracy import MeasureAccuracy
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
from docagent.tools.web import SearchWeb

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
    MeasureAccuracy,
    CreateTag,
    GetTag,
    ListTags,
    UpdateTag,
    DeleteTag,
    HelpSchemas,
    HelpPrompts,
    SearchWeb,
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
    SearchWeb,
)


def all_tools(*, web_search: bool = False) -> Sequence[Tool]:
    """Return the facts about every tool of a conversation about a document. They need no services.

    `web_search` says whether a search engine is set up.
    """
    return _facts(DOCUMENT_TOOLS, web_search)


def project_tools(*, web_search: bool = False) -> Sequence[Tool]:
    """Return the facts about every tool of a conversation about a project."""
    return _facts(PROJECT_TOOLS, web_search)


def every_tool(*, web_search: bool = False) -> Sequence[Tool]:
    """Return the facts about the tools of all conversations, each name once."""
    both = (*project_tools(web_search=web_search), *all_tools(web_search=web_search))
    return list({tool.name: tool for tool in both}.values())


@cache
def _facts(tools: tuple[type[AgentTool[Any]], ...], web_search: bool) -> Sequence[Tool]:
    return tuple(tool.facts() for tool in tools if web_search or not tool.needs_web_search)
