"""A zoo of made documents: papers of nine kinds in ten languages, made by chance from a seed, with their labels.

`make(seed, half)` gives one document: pages with words, the values that it says with the place of each, values that it
does not say, and a JSON Schema that asks for both.
"""

from __future__ import annotations

from evals.wordings import Half
from evals.zoo.document import Asked, MadeDocument
from evals.zoo.making import KINDS, make
from evals.zoo.words import LANGUAGES

__all__ = ["KINDS", "LANGUAGES", "Asked", "Half", "MadeDocument", "make"]
