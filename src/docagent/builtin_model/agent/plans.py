"""The plan for each wish."""

from __future__ import annotations

from docagent.builtin_model.agent import (
    plans_alike,
    plans_documents,
    plans_extraction,
    plans_schemas,
    project_plans,
    telling,
)
from docagent.builtin_model.agent.wishes import (
    About,
    AddFields,
    Ask,
    CallIt,
    Chat,
    CountPages,
    CreatePrompt,
    CreateSchema,
    CreateTag,
    Delete,
    DocumentTags,
    Help,
    ListThings,
    RemoveFields,
    RenameDocument,
    RenameField,
    RenameThing,
    RetypeField,
    Run,
    SetUp,
    SetValue,
    ShowExtraction,
    ShowPrompt,
    ShowSchema,
    ShowText,
    TagAlike,
    TagDocument,
    UntagDocument,
    UseNewVersion,
    ValidateExtraction,
    WhoAreYou,
    Wish,
)
from docagent.builtin_model.agent.work import Plan, Work

_CHAT = {
    "hello": f"Hello. {telling.WHAT_I_AM}\n\n{telling.help_text()}",
    "thanks": "You are welcome.",
    "no": "All right, I leave it as it is.",
    "yes": "Tell me what to do, for example “set this up” or “run it”.",
}


def plan_for(wish: Wish, work: Work) -> Plan:
    for kind in (_schema_plan, _extraction_plan, _question_plan, _tag_plan, _document_plan):
        plan = kind(wish, work)
        if plan is not None:
            return plan
    return _talk(wish)


def _schema_plan(wish: Wish, work: Work) -> Plan | None:
    match wish:
        case CreateSchema():
            return plans_schemas.create_schema(work, wish)
        case AddFields():
            return plans_schemas.add_fields(work, wish)
        case RenameField():
            return plans_schemas.rename_field(work, wish)
        case RemoveFields():
            return plans_schemas.remove_fields(work, wish)
        case RetypeField():
            return plans_schemas.retype_field(work, wish)
        case ShowSchema():
            return plans_schemas.show_schema(work, wish.name)
        case UseNewVersion():
            return plans_schemas.use_new_version(work, wish.prompt)
    return None


def _extraction_plan(wish: Wish, work: Work) -> Plan | None:
    match wish:
        case SetUp():
            return plans_extraction.set_up(work, wish)
        case Run():
            return plans_extraction.run(work, wish)
        case CreatePrompt():
            return plans_extraction.create_prompt(work, wish)
        case ShowPrompt():
            return plans_extraction.show_prompt(work, wish.name)
        case SetValue():
            return plans_extraction.set_value(work, wish)
        case ShowExtraction():
            return plans_extraction.show_extraction(work)
        case ValidateExtraction():
            return plans_extraction.validate_extraction(work)
    return None


def _question_plan(wish: Wish, work: Work) -> Plan | None:
    match wish:
        case Ask():
            return plans_extraction.ask(work, wish)
        case About():
            return plans_extraction.tell_about(work)
        case CountPages():
            return plans_extraction.tell_pages(work)
        case ShowText():
            return plans_extraction.show_text(work, wish.page)
    return None


def _tag_plan(wish: Wish, work: Work) -> Plan | None:
    match wish:
        case TagDocument():
            return plans_documents.tag_document(work, wish.names)
        case TagAlike():
            return plans_alike.tag_alike(work, wish.names)
        case UntagDocument():
            return plans_documents.untag_document(work, wish.names)
        case DocumentTags():
            return plans_documents.document_tags(work)
        case CreateTag():
            return plans_documents.create_tag(work, wish.name)
    return None


def _document_plan(wish: Wish, work: Work) -> Plan | None:
    match wish:
        case RenameDocument():
            return plans_documents.rename_document(work, wish.name)
        case RenameThing():
            return plans_documents.rename_thing(work, wish)
        case CallIt():
            return plans_documents.call_it(work, wish)
        case Delete():
            return plans_documents.delete(work, wish)
        case ListThings():
            return plans_documents.list_things(work, wish.thing)
    return None


def _talk(wish: Wish) -> Plan:
    yield from ()
    match wish:
        case Chat():
            return _CHAT[wish.kind]
        case WhoAreYou():
            return telling.who_text()
        case Help():
            return telling.help_text()
    return telling.help_text()


_STEPS: dict[type, tuple[str, ...]] = {
    **project_plans.STEPS,
    SetUp: (
        "Propose a schema from the document",
        "Create the schema",
        "Create a prompt for it",
        "Run the extraction",
    ),
    CreateSchema: ("Propose a schema from the document", "Create the schema"),
    AddFields: ("Read the schema", "Add the fields", "Let the prompt use the new version"),
    RenameField: ("Read the schema", "Rename the field", "Let the prompt use the new version"),
    RemoveFields: ("Read the schema", "Remove the fields", "Let the prompt use the new version"),
    RetypeField: ("Read the schema", "Change the field's type", "Let the prompt use the new version"),
    Run: ("Run the extraction",),
    SetValue: ("Change the value in the extraction",),
    TagDocument: ("Look for the tag", "Tag the document"),
    TagAlike: ("Look for the tag", "Give it to the prompt", "Tag the document"),
    UntagDocument: ("Look for the tag", "Take it off the document"),
    Delete: ("Find what is to be deleted", "Delete it"),
}


def steps_of(wish: Wish) -> tuple[str, ...]:
    """Return the plan in words, for strategies that ask for a plan first."""
    return _STEPS.get(type(wish), ("Answer",))
