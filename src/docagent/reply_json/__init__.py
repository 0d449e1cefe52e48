"""Reads JSON in what models write: finds it in prose and fences, repairs its form, never invents anything."""

from docagent.reply_json.answers import ParsedReply, parse_reply
from docagent.reply_json.leaving_out import ObjectsLeftOut, without_objects
from docagent.reply_json.reading import FoundObject, lists_in, objects_in

__all__ = [
    "FoundObject",
    "ObjectsLeftOut",
    "ParsedReply",
    "lists_in",
    "objects_in",
    "parse_reply",
    "without_objects",
]
