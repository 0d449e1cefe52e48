"""Finds each value of a result on the pages, by matching values against words whose places are known."""

from docagent.evidence.grounding.index import DocumentIndex
from docagent.evidence.grounding.locating import locate
from docagent.evidence.grounding.model import Grounding, MatchKind, as_json
from docagent.evidence.grounding.pointing import PointedWord
from docagent.evidence.grounding.tree import ground_tree

__all__ = ["DocumentIndex", "Grounding", "MatchKind", "PointedWord", "as_json", "ground_tree", "locate"]
