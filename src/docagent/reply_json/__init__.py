"""JSON out of what models write: found in prose and fences, mended where its form is wrong, never invented."""

from docagent.reply_json.answers import ParsedReply, parse_reply
from docagent.reply_json.reading import FoundObject, lists_in, objects_in

__all__ = ["FoundObject", "ParsedReply", "lists_in", "objects_in", "parse_reply"]
