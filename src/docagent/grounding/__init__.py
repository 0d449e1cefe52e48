"""Finds each value of a result on the pages, by matching values against words whose places are known."""

from docagent.grounding.index import DocumentIndex
from docagent.grounding.locating import locate
from docagent.grounding.model import Grounding, MatchKind, as_json
from docagent.grounding.pointing import PointedWord
from docagent.grounding.tree import ground_tree

__all__ = ["DocumentIndex", "Grounding", "MatchKind", "PointedWord", "as_json", "ground_tree", "locate"]
