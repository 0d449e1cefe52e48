"""Shows a turn while it happens: replies as they arrive, tools, cards. The reply itself goes to the output, all else to
the error output, so that a pipe gets the answer alone."""

from __future__ import annotations

from typing import Protocol

import typer

from docagent.cli.output import print_json_line
from docagent.cli.turns.cards import card_lines
from docagent.client import events
from docagent.domain.shown import visible
from docagent.domain.turns.events import payload

SHORT = 200
COLOURS = {"+": "green", "-": "red", " ": None}


class Screen(Protocol):
    def show(self, item: events.Item) -> None: ...

    def show_card(self, call: events.RequestedCall) -> None: ...


class JsonScreen:
    """Every event as a line of JSON. Cards are in the events."""

    def show(self, item: events.Item) -> None:
        if isinstance(item, events.UnknownEvent):
            print_json_line(dict(item.payload))
        elif not isinstance(item, events.Delta):
            print_json_line({"type": item.type, **payload(item)})

    def show_card(self, call: events.RequestedCall) -> None:
        del call


class TextScreen:
    def __init__(self, *, streams: bool, watched: bool, repeats_message: bool = False) -> None:
        """`streams` shows replies while they arrive, else only the last one is printed; `watched` says what else
        happens; `repeats_message` also what the user had said, for a turn that is taken up again."""
        self._streams = streams
        self._watched = watched
        self._repeats_message = repeats_message
        self._arriving = False
        self._said = ""

    def show(self, item: events.Item) -> None:
        if isinstance(item, events.Delta | events.AssistantMessage):
            self._show_reply(item)
        elif isinstance(item, events.Terminal):
            self._show_end(item)
        elif self._watched:
            self._show_work(item)

    def _show_reply(self, item: events.Delta | events.AssistantMessage) -> None:
        match item:
            case events.Delta(kind="text", phase="act") if self._streams:
                self._arriving = True
                typer.echo(visible(item.text), nl=False)
            case events.AssistantMessage() if self._streams and item.text:
                if not self._arriving:
                    typer.echo(visible(item.text))
                self._end_line()
                self._said = item.text

    def _show_work(self, item: events.Item) -> None:
        match item:
            case events.UserMessage() if self._repeats_message:
                self._aside(f"> {item.text}")
            case events.Reason() | events.Observe():
                self._aside(item.text, dim=True)
            case events.ToolStarted():
                self._aside(f"· {item.name}", dim=True)
            case events.ToolFinished():
                colour = "red" if item.is_error else None
                self._aside(f"  {item.summary or item.content[:SHORT]}", dim=not colour, colour=colour)
            case events.Plan():
                for number, step in enumerate(item.steps, 1):
                    self._aside(f"  {number}. {'✓ ' if step.done else ''}{step.text}")
            case events.InputRequested():
                self._aside(item.question, bold=True)
                for number, choice in enumerate(item.choices, 1):
                    self._aside(f"  {number}. {choice}")

    def _show_end(self, item: events.Terminal) -> None:
        self._end_line()
        match item:
            case events.Completed():
                self._say(item.text)
                if item.note and item.note != item.text:
                    self._aside(item.note, colour="yellow")
            case events.Stopped():
                self._aside(" ".join(("Stopped.", *item.kept)), colour="yellow")
            case events.LimitReached():
                self._say(item.text)
                self._aside(f"The turn reached its limit of {item.limit}.", colour="yellow")
            case events.Failed():
                typer.secho(visible(item.error), err=True, fg="red")

    def show_card(self, call: events.RequestedCall) -> None:
        self._end_line()
        typer.secho(visible(call.summary), err=True, bold=True)
        for sign, line in card_lines(call.preview or {}):
            typer.secho(f"  {sign} {visible(line)}", err=True, fg=COLOURS[sign])

    def _say(self, text: str) -> None:
        """Print the answer, unless it was printed while it arrived."""
        if text != self._said:
            typer.echo(visible(text))

    def _aside(self, text: str, *, dim: bool = False, bold: bool = False, colour: str | None = None) -> None:
        self._end_line()
        if self._watched:
            typer.secho(visible(text), err=True, dim=dim, bold=bold, fg=colour)

    def _end_line(self) -> None:
        if self._arriving:
            typer.echo()
            self._arriving = False
