"""The agent: its tools and strategies, and the turns that it runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from docagent.adapters.egress.client import EgressLimits, GuardedHttp
from docagent.adapters.mcp_client.client import McpClient, TalkLimits
from docagent.agent.limits import Limits
from docagent.agent.strategies.prompts import Prompts
from docagent.agent.strategies.registry import Strategies, all_strategies
from docagent.bootstrap.documents import Documents
from docagent.bootstrap.ground import Ground
from docagent.bootstrap.models import Models
from docagent.bootstrap.projects import Projects
from docagent.domain.errors import CannotStart, InvalidInput
from docagent.domain.turns.tools import Tool
from docagent.domain.turns.web_search import WebSearch
from docagent.services.models.mcp_servers import McpServerService
from docagent.services.models.outside_tools import OutsideTools
from docagent.services.proposals.fitting import FittingService
from docagent.services.proposals.preparing import ProposalPreparing
from docagent.services.proposals.proposals import ProposalService
from docagent.services.turns.acts import ActService
from docagent.services.turns.calling import TurnCalling
from docagent.services.turns.chats import ChatService
from docagent.services.turns.context.turn_context import ContextSettings
from docagent.services.turns.deciding import TurnDeciding
from docagent.services.turns.journal import Waits
from docagent.services.turns.lab import LabService, OpenCopy
from docagent.services.turns.live import LiveTurns
from docagent.services.turns.parts import Turns
from docagent.services.turns.rules import RuleService
from docagent.services.turns.runner import RunnerSettings, TurnRunner
from docagent.services.turns.starting import StrategyChoice, TurnStarting
from docagent.services.turns.steering import TurnLeaving, TurnSteering
from docagent.services.turns.threads import ThreadService
from docagent.services.turns.views.records import TurnRecords
from docagent.services.turns.watching import TurnWatching
from docagent.settings import MEBIBYTE, Settings
from docagent.tools.base import ToolServices
from docagent.tools.registry import all_tools, every_tool, project_tools
from docagent.tools.toolset import toolset_factory


@dataclass(frozen=True)
class Agent:
    tools: Sequence[Tool]
    """The tools of a conversation about a document."""
    project_tools: Sequence[Tool]
    strategies: Strategies
    strategy_choice: StrategyChoice
    turn_runner: TurnRunner
    turns: Turns
    threads: ThreadService
    chats: ChatService
    acts: ActService
    rules: RuleService
    mcp_servers: McpServerService
    turn_records: TurnRecords
    preparing: ProposalPreparing
    proposals: ProposalService
    lab: LabService


def build_agent(
    ground: Ground, models: Models, documents: Documents, projects: Projects, open_copy: OpenCopy
) -> Agent:
    db, settings = ground.db, ground.settings
    prompts = Prompts(settings.agent.prompts)
    strategies = all_strategies(prompts)
    servers, outside = _outside(ground)
    choice = StrategyChoice(db, strategies, _default_strategy(settings, strategies))
    runner = TurnRunner(
        db,
        models.model_calls,
        toolset_factory(_tool_services(models, documents, projects, ground.web_search), outside),
        strategies,
        LiveTurns(),
        ground.line,
        _runner_settings(settings, prompts),
        ground.kill,
        ground.bus,
        ground.streams,
        documents.pictures,
    )
    turns = _turns(ground, models, runner, choice)
    searches = ground.web_search is not None
    tools = all_tools(web_search=searches)
    folder = settings.data / "comparisons"
    preparing = ProposalPreparing(
        db,
        models.model_calls,
        turns.starting,
        documents.extraction,
        FittingService(db),
        ground.jobs,
        tools,
        ground.kill,
        settings.agent.proposal_seconds,
    )
    ground.bus.record(preparing.record)
    threads, chats = ThreadService(db, runner), ChatService(db)
    return Agent(
        tools=tools,
        project_tools=project_tools(web_search=searches),
        strategies=strategies,
        strategy_choice=choice,
        turn_runner=runner,
        turns=turns,
        threads=threads,
        chats=chats,
        acts=ActService(db, turns, chats, projects.living_documents),
        rules=RuleService(db, every_tool(web_search=searches), outside),
        mcp_servers=servers,
        turn_records=TurnRecords(db),
        preparing=preparing,
        proposals=ProposalService(db, ground.jobs, documents.prompts, documents.tags, ground.bus),
        lab=LabService(db, models.model_calls, ground.credits, strategies, tools, folder, open_copy),
    )


def _outside(ground: Ground) -> tuple[McpServerService, OutsideTools]:
    mcp, allowed = ground.settings.mcp, ground.settings.egress.allow_private
    most_bytes = mcp.answer_mb * MEBIBYTE
    http = GuardedHttp(allowed, EgressLimits(mcp.seconds, most_bytes))
    client = McpClient(http, TalkLimits(mcp.seconds, most_bytes, mcp.keep_seconds))
    servers = McpServerService(ground.db, ground.secrets, http, client, mcp.commands, enabled=mcp.enabled)
    return servers, OutsideTools(ground.db, servers, client)


def _default_strategy(settings: Settings, strategies: Strategies) -> str:
    try:
        return strategies.get(settings.agent.loop.strategy).name
    except InvalidInput as error:
        raise CannotStart(f"The setting agent.loop.strategy cannot be used. {error.detail}") from error


def _turns(ground: Ground, models: Models, runner: TurnRunner, choice: StrategyChoice) -> Turns:
    db, most_steps = ground.db, ground.settings.agent.loop.max_steps
    steering = TurnSteering(db, runner)
    return Turns(
        starting=TurnStarting(db, runner, steering, models.model_calls, ground.credits, choice, most_steps),
        steering=steering,
        deciding=TurnDeciding(db, runner),
        watching=TurnWatching(db, runner),
        leaving=TurnLeaving(db, steering),
        calling=TurnCalling(db, runner),
    )


def _tool_services(
    models: Models, documents: Documents, projects: Projects, web_search: WebSearch | None
) -> ToolServices:
    return ToolServices(
        documents=documents.documents,
        text=documents.text,
        extraction=documents.extraction,
        results=documents.results,
        schemas=documents.schemas,
        prompts=documents.prompts,
        tags=documents.tags,
        models=models.models,
        projects=projects.projects,
        living_documents=projects.living_documents,
        evidence=projects.evidence,
        accuracy_trials=documents.accuracy_trials,
        forms=documents.forms,
        web_search=web_search,
    )


def _runner_settings(settings: Settings, prompts: Prompts) -> RunnerSettings:
    agent = settings.agent
    return RunnerSettings(
        lease=timedelta(seconds=agent.lease_seconds),
        limits=Limits(
            seconds=agent.loop.seconds,
            tokens=agent.loop.tokens,
            credits=agent.loop.credits,
            calls_per_step=agent.loop.calls_per_step,
            calls_per_turn=agent.loop.calls_per_turn,
        ),
        waits=Waits(_minutes(agent.approval_minutes), _minutes(agent.answer_minutes)),
        context=ContextSettings(
            prompts.text("system"),
            prompts.text("system_project"),
            prompts.text("proposal"),
            prompts.text("system_act"),
            agent.excerpt_characters,
            agent.time_zone,
        ),
        proposal_seconds=agent.proposal_seconds,
    )


def _minutes(minutes: float) -> timedelta | None:
    return timedelta(minutes=minutes) if minutes else None
