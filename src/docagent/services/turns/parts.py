"""What people do with turns, in parts that do not know each other."""

from __future__ import annotations

from dataclasses import dataclass

from docagent.services.turns.calling import TurnCalling
from docagent.services.turns.deciding import TurnDeciding
from docagent.services.turns.starting import TurnStarting
from docagent.services.turns.steering import TurnLeaving, TurnSteering
from docagent.services.turns.watching import TurnWatching


@dataclass(frozen=True, slots=True)
class Turns:
    starting: TurnStarting
    steering: TurnSteering
    deciding: TurnDeciding
    watching: TurnWatching
    leaving: TurnLeaving
    calling: TurnCalling
