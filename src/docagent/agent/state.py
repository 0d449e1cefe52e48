"""Where a turn stands: its events folded into the state that the loop and its strategies look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from docagent.domain.models.llm import ToolCall
from docagent.domain.turns import events as log
from docagent.domain.turns.turns import STATE_AFTER, TurnState, WorkingState


@dataclass(slots=True)
class TurnView:
    """The state of a turn, built by applying its events in order. Strategies only read it."""

    started: log.TurnStarted
    events: list[log.Event] = field(default_factory=list)
    question: str = ""
    """What the user last said: the message, an answer, or a message that steered."""
    heard: bool = False
    """Whether a message that steers was taken in and no step has begun since."""
    step: int = 0
    reasoned: log.Reason | None = None
    acted: log.AssistantMessage | None = None
    observed: log.Observe | None = None
    """The phases of the present step, as far as they are done."""
    last_observed: log.Observe | None = None
    plan: log.Plan | None = None
    plan_verdict: log.PlanDecided | None = None
    state: WorkingState = field(default_factory=WorkingState)
    former_states: dict[str, WorkingState] = field(default_factory=dict)
    """The working state before each call changed it, by call."""
    requested: dict[str, log.RequestedCall] = field(default_factory=dict)
    decided: dict[str, log.ApprovalDecided] = field(default_factory=dict)
    expired: set[str] = field(default_factory=set)
    running: dict[str, log.ToolStarted] = field(default_factory=dict)
    results: dict[str, log.ToolFinished] = field(default_factory=dict)
    question_to_user: log.InputRequested | None = None
    asked_in_step: bool = False
    plan_changed_in_step: bool = False
    answer: log.InputGiven | None = None
    timed_out: bool = False
    failures: Counter[tuple[str, str]] = field(default_factory=Counter)
    calls: dict[str, ToolCall] = field(default_factory=dict)
    trimmed: log.ContextTrimmed | None = None
    tokens: int = 0
    credits: int = 0
    model_calls: int = 0
    model_calls_in_step: int = 0
    shortfall: log.Shortfall | None = None
    """What the last reply lacked."""
    asked_again: bool = False
    """Whether the last reply was empty and is now asked for once more."""
    end: log.Terminal | None = None

    @classmethod
    def of(cls, events: Iterable[log.Event]) -> TurnView:
        """Fold the events of a turn, the first of which is its start."""
        listed = list(events)
        start = listed[0]
        assert isinstance(start, log.TurnStarted)
        view = cls(start, state=WorkingState.of(start.state))
        for event in listed:
            view.apply(event)
        return view

    @property
    def batch(self) -> Sequence[ToolCall]:
        """The calls of the present step's reply."""
        return self.acted.calls if self.acted else ()

    @property
    def outstanding(self) -> list[ToolCall]:
        """Calls of the batch without a result."""
        return [call for call in self.batch if call.id not in self.results]

    @property
    def approved_earlier(self) -> list[log.RequestedCall]:
        """Calls that a person approved and that have not run, because others of their batch still wait."""
        return [
            self.requested[call.id]
            for call in self.outstanding
            if call.id in self.requested and call.id in self.decided and self.decided[call.id].approved
        ]

    @property
    def undecided(self) -> list[log.RequestedCall]:
        """Calls that wait for a person."""
        return [
            call
            for call in self.requested.values()
            if call.asks and not self.is_decided(call.id) and call.id not in self.results
        ]

    @property
    def companions(self) -> list[log.RequestedCall]:
        """Calls that need no verdict and wait with those that do."""
        waiting = {call.id for call in self.outstanding}
        return [
            call
            for call in self.requested.values()
            if not call.asks and call.id in waiting and not self.is_decided(call.id)
        ]

    @property
    def waits_for_plan(self) -> bool:
        return self.plan is not None and self.plan.waits and self.plan_verdict is None

    @property
    def is_waiting(self) -> bool:
        """Whether nothing can happen until a person decides or answers."""
        asked = self.question_to_user is not None and self.answer is None and not self.timed_out
        return bool(self.undecided) or asked or self.waits_for_plan

    @property
    def wants_confirmation(self) -> bool:
        """Whether the model decided in this step that the user must agree first."""
        return self.reasoned is not None and self.reasoned.decision.get("pending_confirmation") is True

    @property
    def turn_state(self) -> TurnState:
        """The state of the turn at the end of its log."""
        if self.end is not None:
            return STATE_AFTER[self.end.type]
        if self.undecided or self.waits_for_plan:
            return TurnState.AWAITING_APPROVAL
        return TurnState.AWAITING_INPUT if self.is_waiting else TurnState.RUNNING

    def is_decided(self, call_id: str) -> bool:
        return call_id in self.decided or call_id in self.expired

    def results_of_batch(self) -> list[log.ToolFinished]:
        return [self.results[call.id] for call in self.batch if call.id in self.results]

    def executed(self) -> list[log.ToolFinished]:
        """Every call that really ran, in order."""
        return [event for event in self.events if isinstance(event, log.ToolFinished) and event.ran]

    def runs_of(self, name: str) -> int:
        """How often the tool has run, with or without success."""
        return sum(result.name == name for result in self.executed())

    def shortfall_of_answer(self, text: str) -> log.Shortfall | None:
        """What an answer lacks because the reply that it was taken from did."""
        said = self.acted is not None and text.strip() == self.acted.text.strip()
        shortfall = self._shortfall_of(self.acted) if said and self.acted else self.shortfall
        return shortfall if text.strip() else shortfall or log.Shortfall.EMPTY

    def _shortfall_of(self, message: log.AssistantMessage) -> log.Shortfall | None:
        """What the reply lacked that this message is. Its usage follows it in the log."""
        shortfall = None
        for event in reversed(self.events):
            if event is message:
                break
            if isinstance(event, log.UsageCounted):
                shortfall = event.shortfall
        return shortfall

    def apply(self, event: log.Event) -> None:
        self.events.append(event)
        match event:
            case log.UserMessage() | log.Steered():
                self.question = event.text
                self.heard = isinstance(event, log.Steered)
            case log.StepStarted():
                self.step, self.heard = event.step, False
                self.reasoned = self.acted = self.observed = None
                self.asked_in_step = self.plan_changed_in_step = False
                self.model_calls_in_step = 0
            case log.Reason():
                self.reasoned = event
            case log.Observe():
                self.observed = self.last_observed = event
            case log.AssistantMessage():
                self.acted, self.plan_changed_in_step = event, False
                self.calls.update((call.id, call) for call in event.calls)
            case log.Plan():
                self._apply_plan(event)
            case log.PlanDecided():
                self.plan_verdict = event
            case log.Completed() | log.Stopped() | log.LimitReached() | log.Failed():
                self.end = event
            case _:
                self._apply_waiting(event)

    def _apply_waiting(self, event: log.Event) -> None:
        match event:
            case log.ApprovalRequested():
                self._apply_request(event)
            case log.ApprovalDecided():
                self.decided[event.call_id] = event
            case log.ApprovalExpired():
                self.expired.update(event.call_ids)
            case log.ToolStarted():
                self.running[event.call_id] = event
            case log.ToolFinished():
                self._apply_result(event)
            case log.InputRequested():
                self.question_to_user, self.answer, self.timed_out = event, None, False
                self.asked_in_step = True
            case log.InputGiven():
                self.answer = event
                self.question = event.text
            case log.InputTimedOut():
                self.timed_out = True
            case log.Undone():
                self.state = self.state_without(event.call_id, self.state)
            case _:
                self._apply_accounts(event)

    def _apply_request(self, event: log.ApprovalRequested) -> None:
        """Forget earlier verdicts: a call is asked for again when its target has changed since."""
        for call in event.calls:
            self.requested[call.id] = call
            if call.asks:
                self.decided.pop(call.id, None)

    def _apply_accounts(self, event: log.Event) -> None:
        if isinstance(event, log.ContextTrimmed):
            self.trimmed = event
        elif isinstance(event, log.UsageCounted):
            self.tokens += event.input_tokens + event.output_tokens
            self.credits += event.credits
            self._apply_model_call(event)
        elif isinstance(event, log.AskedAgain):
            self.asked_again = True

    def _apply_model_call(self, event: log.UsageCounted) -> None:
        self.model_calls += 1
        self.model_calls_in_step += 1
        self.shortfall, self.asked_again = event.shortfall, False

    def _apply_plan(self, event: log.Plan) -> None:
        if self.plan is None or event.revision != self.plan.revision:
            self.plan_verdict = None
        if self.acted is not None:
            self.plan_changed_in_step = True
        self.plan = event

    def _apply_result(self, event: log.ToolFinished) -> None:
        self.results[event.call_id] = event
        self.credits += event.credits
        if event.state:
            self.former_states[event.call_id] = self.state
            self.state = self.state.changed(event.state)
        call = self.calls.get(event.call_id)
        if event.is_error and call is not None:
            started = self.running.get(event.call_id)
            self.failures[call.name, started.arguments if started else call.arguments] += 1

    def state_without(self, call_id: str, state: WorkingState) -> WorkingState:
        """A working state without the values that one call set. Values that changed since then stay."""
        former, result = self.former_states.get(call_id), self.results.get(call_id)
        if former is None or result is None:
            return state
        present, before = state.as_json(), former.as_json()
        return state.changed(
            {key: before[key] for key, set_to in result.state.items() if present[key] == set_to}
        )
