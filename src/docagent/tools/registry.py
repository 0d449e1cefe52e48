"""The lists of tools, in the order in which models and people see them: for a document, and for a project."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.metadata import EntryPoint
from typing import Any

from docagent.domain import plugins
from docagent.domain.errors import InvalidInput
from docagent.domain.models.llm import ToolSpec
from docagent.domain.turns.tools import Access, Tool
from docagent.tools.base import AgentTool, ReadTool, WriteTool
from docagent.tools.documents import documents, tags
from docagent.tools.extraction import extraction, forms, prompts, schemas, whole_results
from docagent.tools.help import HelpPrompts, HelpSchemas
from docagent.tools.models.model_list import ListLlmModels
from docagent.tools.projects import changes, citations, projects, sources, texts
from docagent.tools.review.accuracy import MeasureAccuracy
from docagent.tools.web import SearchWeb

DOCUMENT_TOOLS: tuple[type[AgentTool[Any]], ...] = (
    documents.GetOcrText,
    documents.LookAtPage,
    extraction.RunExtraction,
    extraction.GetExtractionResult,
    extraction.UpdateExtractionField,
    documents.ListDocuments,
    documents.UpdateDocument,
    documents.DeleteDocument,
    schemas.CreateSchema,
    schemas.GetSchema,
    schemas.ListSchemas,
    schemas.UpdateSchema,
    schemas.DeleteSchema,
    schemas.ValidateSchema,
    schemas.ValidateAgainstSchema,
    prompts.CreatePrompt,
    prompts.GetPrompt,
    prompts.ListPrompts,
    ListLlmModels,
    prompts.UpdatePrompt,
    prompts.DeletePrompt,
    MeasureAccuracy,
    tags.CreateTag,
    tags.GetTag,
    tags.ListTags,
    tags.UpdateTag,
    tags.DeleteTag,
    HelpSchemas,
    HelpPrompts,
    SearchWeb,
)
PROJECT_TOOLS: tuple[type[AgentTool[Any]], ...] = (
    projects.ListProjectDocuments,
    projects.ReadProjectDocument,
    projects.SearchProject,
    projects.ListProjectVersions,
    texts.CreateProjectDocument,
    texts.EditProjectDocument,
    texts.RewriteProjectDocument,
    changes.UpdateProjectDocument,
    changes.DeleteProjectDocument,
    changes.RestoreProjectVersion,
    sources.ListSources,
    sources.GetSourceText,
    sources.GetSourceResult,
    citations.CiteSource,
    citations.CheckCitations,
    SearchWeb,
)
PROGRAM_TOOLS: tuple[type[AgentTool[Any]], ...] = (
    whole_results.UpdateLlmResult,
    whole_results.DeleteLlmResult,
    forms.CreateForm,
    forms.UpdateForm,
    forms.DeleteForm,
    forms.SubmitForm,
    forms.DeleteFormSubmission,
)
"""What programs may do over MCP beside the tools of a document. No model of a conversation is offered them."""


@cache
def added_tools() -> tuple[type[AgentTool[Any]], ...]:
    """Return the tools that other packages add, which conversations about documents and projects both have."""
    taken = {tool.name for tool in (*DOCUMENT_TOOLS, *PROJECT_TOOLS, *PROGRAM_TOOLS)}

    def checked(_: EntryPoint, tool: Any) -> type[AgentTool[Any]]:
        if not (isinstance(tool, type) and issubclass(tool, ReadTool | WriteTool)):
            raise InvalidInput("it is neither a ReadTool nor a WriteTool")
        if tool.facts().name in taken:
            raise InvalidInput(f"there is already a tool named {tool.name}")
        taken.add(tool.name)
        return tool

    return tuple(plugins.loaded(plugins.TOOLS, checked))


def _judged(name: str, description: str) -> Tool:
    return Tool(ToolSpec(name, description, {"type": "object", "properties": {}}), Access.READ_WRITE)


UPLOAD = _judged("upload_documents", "Upload documents.")
EXTRACT = _judged("extract", "Fill a schema from a file or a document.")
"""Both are judged like every tool, but are no turns: files are too large for the log of one."""


def all_tools(*, web_search: bool = False) -> Sequence[Tool]:
    """Return the facts about every tool of a conversation about a document. They need no services.

    `web_search` says whether a search engine is set up.
    """
    return _facts((*DOCUMENT_TOOLS, *added_tools()), web_search)


def project_tools(*, web_search: bool = False) -> Sequence[Tool]:
    """Return the facts about every tool of a conversation about a project."""
    return _facts((*PROJECT_TOOLS, *added_tools()), web_search)


def program_tools() -> Sequence[Tool]:
    """Return the facts about the tools that only programs call."""
    return _facts(PROGRAM_TOOLS, False)


def every_tool(*, web_search: bool = False) -> Sequence[Tool]:
    """Return the facts about the tools of all conversations, each name once."""
    every = (
        *project_tools(web_search=web_search),
        *all_tools(web_search=web_search),
        *program_tools(),
        UPLOAD,
        EXTRACT,
    )
    return list({tool.name: tool for tool in every}.values())


@cache
def _facts(tools: tuple[type[AgentTool[Any]], ...], web_search: bool) -> Sequence[Tool]:
    return tuple(tool.facts() for tool in tools if web_search or not tool.needs_web_search)
