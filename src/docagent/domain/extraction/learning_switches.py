"""What an organisation decided about learning."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LearningSwitches:
    is_on: bool = True
    examples_on: bool = True

    @property
    def gives_examples(self) -> bool:
        return self.is_on and self.examples_on
