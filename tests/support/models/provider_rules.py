"""What providers refuse, as functions over request bodies.

The rules are the documented ones and those known from answers with status 400, in the providers' own words
where these are known. `issued` is the thinking that the provider gave before: one tuple of blocks per reply.
Thinking that it never gave, or gave differently, is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Body = Mapping[str, Any]
Issued = Iterable[Sequence[Mapping[str, Any]]]

OPENAI_CALL_ID = re.compile(r".{1,40}")
MISTRAL_CALL_ID = re.compile(r"[a-zA-Z0-9]{9}")
GEMINI_STAND_IN = "skip_thought_signature_validator"
_ANTHROPIC_ID = re.compile(r"[a-zA-Z0-9_-]+")
_NAME_64 = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_NAME_128 = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_GEMINI_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}")
_THINKING = ("thinking", "redacted_thinking")
_PICTURE_TYPES = ("image/jpeg", "image/png", "image/gif", "image/webp")
_DATA_URL = re.compile(r"data:image/(jpeg|png|gif|webp);base64,[A-Za-z0-9+/]+=*")


class Refused(Exception):
    """The provider would answer this with status 400."""


def _need(holds: object, why: str) -> None:
    if not holds:
        raise Refused(why)


# Anthropic's messages


def check_anthropic(body: Body, issued: Issued = ()) -> None:
    messages = _anthropic_merged(body.get("messages"))
    _need(messages and messages[0]["role"] == "user", "first message must use the user role")
    for index, message in enumerate(messages):
        before = messages[index - 1]["content"] if index else []
        _anthropic_message(message, before, final=index == len(messages) - 1)
    uses = [block for message in messages for block in message["content"] if block["type"] == "tool_use"]
    _need(len({block["id"] for block in uses}) == len(uses), "`tool_use` ids must be unique")
    _anthropic_tools(body, bool(uses))
    _anthropic_thinking(body, messages, [tuple(map(dict, blocks)) for blocks in issued])


def _anthropic_merged(messages: Any) -> list[dict[str, Any]]:
    """Join neighbouring messages of one role."""
    _need(isinstance(messages, list) and messages, "messages: at least one message is required")
    merged: list[dict[str, Any]] = []
    for message in messages:
        _need(message.get("role") in ("user", "assistant"), "messages: unexpected role")
        content = message.get("content")
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        _need(isinstance(content, list) and content, "all messages must have non-empty content")
        if merged and merged[-1]["role"] == message["role"]:
            merged[-1]["content"] += content
        else:
            merged.append({"role": message["role"], "content": list(content)})
    return merged


def _anthropic_message(message: Body, before: list[Any], *, final: bool) -> None:
    blocks = message["content"]
    for block in blocks:
        _anthropic_block(block, message["role"])
    called = [block["id"] for block in before if block["type"] == "tool_use"]
    answered = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
    _need(set(answered) <= set(called), "unexpected `tool_use_id` found in `tool_result` blocks")
    _need(set(called) <= set(answered), "`tool_use` ids were found without `tool_result` blocks")
    _need(len(set(answered)) == len(answered), "each tool_use must have a single result")
    kinds = [block["type"] for block in blocks]
    _need("tool_result" not in kinds[len(answered) :], "`tool_result` blocks must come first")
    _need(not (final and "tool_use" in kinds), "`tool_use` ids were found without `tool_result` blocks")
    _need(kinds[-1] not in _THINKING, "The final block in an assistant message cannot be `thinking`")


def _anthropic_block(block: Body, role: str) -> None:
    match block.get("type"):
        case "text":
            _need(block.get("text"), "text content blocks must be non-empty")
            _need(block["text"].strip(), "text content blocks must contain non-whitespace text")
        case "tool_use":
            _need(role == "assistant", "`tool_use` blocks can only be in `assistant` messages")
            _need(_ANTHROPIC_ID.fullmatch(block["id"]), "tool_use.id: String should match pattern")
            _need(_NAME_128.fullmatch(block["name"]), "tool_use.name: String should match pattern")
            _need(isinstance(block.get("input"), dict), "tool_use.input: Input should be a valid dictionary")
        case "tool_result":
            _need(role == "user", "`tool_result` blocks can only be in `user` messages")
            _need(block.get("content") or not block.get("is_error"), "content cannot be empty if `is_error`")
        case "thinking":
            _need(role == "assistant", "`thinking` blocks can only be in `assistant` messages")
            _need(isinstance(block.get("thinking"), str), "thinking.thinking: Field required")
            _need(block.get("signature"), "thinking.signature: Field required")
        case "redacted_thinking":
            _need(role == "assistant" and block.get("data"), "redacted_thinking.data: Field required")
        case "image":
            _need(role == "user", "`image` blocks can only be in `user` messages")
            source = block["source"]
            _need(set(source) == {"type", "media_type", "data"}, "image.source: unexpected fields")
            _need(source["type"] == "base64", "image.source.type: base64 or url")
            _need(source["media_type"] in _PICTURE_TYPES, "image.source.media_type: unsupported")
        case "document":
            _need(role == "user", "`document` blocks can only be in `user` messages")
        case kind:
            raise Refused(f"Input tag '{kind}' does not match any of the expected tags")


def _anthropic_tools(body: Body, uses: bool) -> None:
    tools = body.get("tools") or []
    names = [tool["name"] for tool in tools]
    _need(tools or not uses, "Requests which include `tool_use` or `tool_result` blocks must define tools")
    _need(tools or "tool_choice" not in body, "tool_choice may only be specified while providing tools")
    _need(all(_NAME_128.fullmatch(name) for name in names), "tools.name: String should match pattern")
    _need(len(set(names)) == len(names), "Tool names must be unique")
    _need(all(tool["input_schema"].get("type") == "object" for tool in tools), "input_schema.type: object")


def _anthropic_thinking(body: Body, messages: list[dict[str, Any]], issued: list[Any]) -> None:
    thinking = body.get("thinking", {}).get("type", "disabled")
    given = [block for blocks in issued for block in blocks]
    for message in messages:
        for block in message["content"]:
            _need(block["type"] not in _THINKING or block in given, "Invalid `signature` in `thinking` block")
    said = [message["content"] for message in messages if message["role"] == "assistant"]
    latest: list[dict[str, Any]] = said[-1] if said else []
    sent = tuple(block for block in latest if block["type"] in _THINKING)
    _need(not sent or sent in issued, "`thinking` blocks in the latest assistant message cannot be modified")
    if thinking != "disabled":
        forced = body.get("tool_choice", {}).get("type") in ("any", "tool")
        _need(not forced, "Thinking may not be enabled when tool_choice forces tool use")
        _need(body.get("temperature", 1) == 1, "`temperature` may only be set to 1 when thinking is enabled")
    ends_on_assistant = messages[-1]["role"] == "assistant"
    goes_on = any(block["type"] == "tool_result" for block in messages[-1]["content"])
    _need(not (ends_on_assistant and thinking != "disabled"), "The conversation must end with a user message")
    _need(
        not (sent and thinking == "disabled" and (goes_on or ends_on_assistant)),
        "When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`",
    )
    if thinking == "enabled":
        _need(body["max_tokens"] > body["thinking"]["budget_tokens"] >= 1024, "max_tokens must be greater")
        _need(
            not goes_on or latest[0]["type"] in _THINKING,
            "Expected `thinking` or `redacted_thinking`, but found another block",
        )


# OpenAI's chat completions


def check_openai_chat(body: Body, call_id: re.Pattern[str] = OPENAI_CALL_ID) -> None:
    messages = body.get("messages")
    _need(isinstance(messages, list) and messages, "[] is too short - 'messages'")
    tools = body.get("tools")
    _need(tools is None or tools, "[] is too short - 'tools'")
    _need(tools or "tool_choice" not in body, "'tool_choice' is only allowed when 'tools' are specified")
    for tool in tools or ():
        _need(_NAME_64.fullmatch(tool["function"]["name"]), "'tools[0].function.name': pattern")
    waiting: list[str] = []
    for message in messages or ():
        if message.get("role") == "tool":
            _need(message.get("tool_call_id") in waiting, "messages with role 'tool' must be a response")
            _need(isinstance(message.get("content"), str | list), "content of a tool message is required")
            waiting.remove(message["tool_call_id"])
            continue
        _need(not waiting, "An assistant message with 'tool_calls' must be followed by tool messages")
        waiting = _chat_message(message, call_id)
    _need(not waiting, "An assistant message with 'tool_calls' must be followed by tool messages")


def _chat_message(message: Body, call_id: re.Pattern[str]) -> list[str]:
    """Check one message, and return the ids that must be answered next."""
    role, content, calls = message.get("role"), message.get("content"), message.get("tool_calls")
    _need(role in ("system", "developer", "user", "assistant"), "Invalid value for 'role'")
    _need(content is not None or calls, "Invalid value for 'content': expected a string, got null")
    if isinstance(content, list):
        _need(content, "[] is too short - 'content'")
        _need(all(part.get("text", "-") for part in content), "empty text part")
        for part in content:
            if part.get("type") == "image_url":
                _need(role == "user", "Image URLs are only allowed for messages with role 'user'")
                _need(set(part["image_url"]) <= {"url", "detail"}, "Unknown parameter in 'image_url'")
                _need(_DATA_URL.fullmatch(part["image_url"]["url"]), "Invalid image data URL")
                _need(part["image_url"].get("detail", "auto") in ("auto", "low", "high"), "Invalid 'detail'")
    _need(calls is None or calls, "[] is too short - 'tool_calls'")
    _need(calls is None or role == "assistant", "'tool_calls' is only allowed in assistant messages")
    ids = [call.get("id") for call in calls or ()]
    _need(len(set(ids)) == len(ids), "Duplicate value for 'tool_call_id'")
    for call in calls or ():
        _need(
            isinstance(call["id"], str) and call_id.fullmatch(call["id"]), "'id': string too long or pattern"
        )
        _need(call.get("type") == "function", "'type' of a call")
        _need(_NAME_64.fullmatch(call["function"]["name"]), "'function.name': does not match pattern")
        _json_object(call["function"]["arguments"])
    return ids


def _json_object(arguments: Any) -> None:
    """Require a JSON object. OpenAI takes any text, but compatible servers read it as an object."""
    _need(isinstance(arguments, str), "'arguments': expected a string")
    try:
        value = json.loads(arguments)
    except ValueError as error:
        raise Refused("'arguments' must be JSON") from error
    _need(isinstance(value, dict), "'arguments' must be a JSON object")


# OpenAI's responses


def check_openai_responses(body: Body, issued: Issued = ()) -> None:
    items = body.get("input")
    _need(isinstance(items, list) and items, "input must not be empty")
    tools = body.get("tools") or []
    _need(tools or "tool_choice" not in body, "'tool_choice' is only allowed when 'tools' are specified")
    given = [dict(block) for blocks in issued for block in blocks]
    called: list[str] = []
    answered: list[str] = []
    for index, item in enumerate(items or ()):
        following = (items or [])[index + 1 :]
        match item.get("type"):
            case "message":
                _responses_message(item)
            case "function_call":
                _need(_NAME_64.fullmatch(item["name"]), "'name': does not match pattern")
                _need(1 <= len(item["call_id"]) <= 64, "'call_id': string too long")
                _json_object(item["arguments"])
                called.append(item["call_id"])
            case "function_call_output":
                _need(item["call_id"] in called, "No tool call found for function call output")
                _need(isinstance(item.get("output"), str), "'output' is required")
                answered.append(item["call_id"])
            case "reasoning":
                _need(item in given, "The encrypted content could not be verified")
                _need(_reasoning_leads_on(following), "'reasoning' without its required following item")
            case kind:
                raise Refused(f"Invalid value: '{kind}'")
    _need(len(set(called)) == len(called), "Duplicate call_id")
    _need(sorted(called) == sorted(answered), "No tool output found for function call")


def _responses_message(item: Body) -> None:
    wanted = "output_text" if item["role"] == "assistant" else "input_text"
    _need(item["role"] in ("user", "assistant", "system", "developer"), "Invalid 'role'")
    _need(item.get("content"), "'content' must not be empty")
    for part in item["content"]:
        _need(part["type"] in (wanted, "input_file", "input_image"), f"Invalid value: '{part['type']}'")
        _need(part["type"] != wanted or part["text"], "'text' must not be empty")
        if part["type"] == "input_image":
            _need(item["role"] == "user", "Invalid value: 'input_image'")
            _need(isinstance(part["image_url"], str), "'image_url': expected a string")
            _need(_DATA_URL.fullmatch(part["image_url"]), "Invalid image data URL")
            _need(part.get("detail") in ("auto", "low", "high"), "Invalid 'detail'")


def _reasoning_leads_on(following: Sequence[Body]) -> bool:
    rest = next((item for item in following if item.get("type") != "reasoning"), {})
    return rest.get("type") == "function_call" or rest.get("role") == "assistant"


# Google's generateContent


def check_gemini(body: Body, model: str = "gemini-2.5-flash", issued: Issued = ()) -> None:
    contents = body.get("contents")
    _need(isinstance(contents, list) and contents, "contents is not specified")
    contents = list(contents or ())
    _need(contents[0].get("role") == "user", "first content should be with role 'user'")
    _need(contents[-1].get("role") == "user", "requests must end with a user role or a function response")
    given = {part.get("thoughtSignature") for parts in issued for part in parts} | {GEMINI_STAND_IN}
    for index, content in enumerate(contents):
        _need(content.get("role") in ("user", "model"), "Please use a valid role: user, model")
        _need(content.get("parts"), "contents.parts must not be empty")
        for part in content["parts"]:
            _gemini_part(part, content["role"])
            _need(part.get("thoughtSignature") in given | {None}, "Corrupted thought signature")
        _gemini_turn(contents, index)
    names = [each["name"] for tool in body.get("tools", ()) for each in tool["functionDeclarations"]]
    _need(len(set(names)) == len(names), "Duplicate function declaration found")
    _need(all(_GEMINI_NAME.fullmatch(name) for name in names), "Invalid function name")
    _need(names or "toolConfig" not in body, "Function calling config is set without function_declarations")
    if int((re.search(r"gemini-(\d+)", model) or ["", "3"])[1]) >= 3:
        _gemini_signatures(contents)


def _gemini_part(part: Body, role: str) -> None:
    kinds = [kind for kind in ("text", "functionCall", "functionResponse", "inlineData") if kind in part]
    _need(len(kinds) == 1, "required oneof field 'data' must have one initialized field")
    if kinds == ["inlineData"]:
        _need(role == "user", "inline data is of the role 'user'")
        _need(set(part["inlineData"]) == {"mimeType", "data"}, "Unknown name in inline_data")
        _need(part["inlineData"]["mimeType"] in (*_PICTURE_TYPES, "application/pdf"), "Unsupported MIME type")
    elif kinds == ["text"]:
        _need(part["text"] or part.get("thoughtSignature"), "must have a text parameter")
    elif kinds == ["functionCall"]:
        _need(role == "model", "function calls are of the role 'model'")
        _need(isinstance(part["functionCall"].get("args"), dict), "args: Invalid value, Struct expected")
        _need(_GEMINI_NAME.fullmatch(part["functionCall"]["name"]), "Invalid function name")
    elif kinds == ["functionResponse"]:
        _need(role == "user", "function responses are of the role 'user'")
        _need(part["functionResponse"].get("name"), "function_response.name: Name cannot be empty")
        _need(isinstance(part["functionResponse"].get("response"), dict), "response: Struct expected")


def _gemini_turn(contents: list[Any], index: int) -> None:
    calls, answers = _named(contents[index], "functionCall"), _named(contents[index], "functionResponse")
    before = contents[index - 1] if index else {"role": "", "parts": []}
    if calls:
        _need(before["role"] == "user", "function call turn comes immediately after a user turn")
        following = contents[index + 1] if index + 1 < len(contents) else {"parts": []}
        equal = sorted(_named(following, "functionResponse")) == sorted(calls)
        _need(equal, "number of function response parts is equal to the number of function call parts")
    if answers:
        asked = _named(before, "functionCall")
        _need(asked, "function response turn comes immediately after a function call turn")


def _named(content: Body, kind: str) -> list[tuple[str, str]]:
    return [(part[kind]["name"], part[kind].get("id", "")) for part in content["parts"] if kind in part]


def _gemini_signatures(contents: list[Any]) -> None:
    """Require a signature on the first call of every step since the user's last message."""
    for content in reversed(contents):
        if content["role"] == "user" and not _named(content, "functionResponse"):
            return
        first = next((part for part in content["parts"] if "functionCall" in part), None)
        _need(first is None or first.get("thoughtSignature"), "missing a thought_signature in functionCall")
