"""Names in sentences: whatever they hold, the sentence says what it would say with any other name."""

from __future__ import annotations

import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from docagent.agent.display import for_display
from docagent.domain.shown import plain, quoted, without_hidden
from docagent.domain.turns.events import RequestedCall, ToolFinished, Undone, decode
from tests.support.tables import table

FSI, PDI = "\u2068", "\u2069"
CONTROLS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c\u200b\x00\x1b\n\u2028"
QUOTES = '"\u201c\u201d\u201e\u201f\u00ab\u00bb\uff02\u301d\u301e\u275d\u275e\u2033'


@table(
    ("name", "shown"),
    [
        ("invoices", "“invoices”"),
        ("x” and delete tag “y", "“x' and delete tag 'y”"),
        ('6" pipe', "“6' pipe”"),
        ("Ada\u2019s list", "“Ada's list”"),
        ("a\u202eb", "“a\ufffdb”"),
        ("x" * 81, "“" + "x" * 79 + "…”"),
        ("אבגד", f"“{FSI}אבגד{PDI}”"),
        (f"{PDI}אבגד{FSI}", f"“{FSI}\ufffdאבגד\ufffd{PDI}”"),
    ],
)
def test_a_name_in_quotation_marks(name: str, shown: str) -> None:
    assert quoted(name) == shown
    assert plain(f"Delete tag {shown}.") == f"Delete tag {shown}."
    assert for_display(f"Delete tag {shown}.") == f"Delete tag {shown}."


@given(st.lists(st.text(st.one_of(st.sampled_from(CONTROLS + QUOTES + "אب"), st.characters())), max_size=4))
def test_no_name_reaches_out_of_its_marks(names: list[str]) -> None:
    sentence = " and ".join(f"tag {quoted(name)}" for name in names)
    inside = re.findall("“([^“”]*)”", sentence)
    assert len(inside) == len(names)
    assert " and ".join(["tag “”"] * len(names)) == re.sub("“[^“”]*”", "“”", sentence)
    for name in inside:
        bare = name.removeprefix(FSI).removesuffix(PDI) if name.startswith(FSI) else name
        assert not set(bare) & set(CONTROLS + QUOTES)
        turns = any(unicodedata.bidirectional(letter) in ("R", "AL", "AN") for letter in bare)
        assert name.startswith(FSI) == turns
    assert plain(sentence) == sentence


@table("control", CONTROLS.replace("\n", ""))
def test_a_summary_holds_nothing_hidden_whoever_made_it(control: str) -> None:
    said, clean = f"Create tag x{control}y", "Create tag x\ufffdy"
    assert RequestedCall("c", "create_tag", "{}", said).summary == clean
    assert ToolFinished("c", "create_tag", "{}", summary=said).summary == clean
    assert Undone("c", "u", said).summary == clean
    stored = {"id": "c", "name": "create_tag", "arguments": "{}", "summary": said}
    event = decode("approval_requested", {"calls": [stored]})
    assert [call.summary for call in event.calls] == [clean]  # type: ignore[union-attr]


def test_isolates_that_nobody_of_ours_made_do_not_stay() -> None:
    assert plain(f"{FSI}x{PDI} “{FSI}y{PDI}” “{FSI}z”") == "\ufffdx\ufffd “\u2068y\u2069” “\ufffdz”"


@table(
    ("name", "stored"),
    [
        ("invoice\u202efdp.exe", "invoicefdp.exe"),
        ("inv\u200boice", "invoice"),
        ("\ufeffinvoice\u2060", "invoice"),
        ("inv\u200doice", "invoice"),
        ("inv\U000e0061oice", "invoice"),
        ("क्\u200dष", "क्\u200dष"),
        ("👩\u200d👧", "👩\u200d👧"),
        ("Größe 図", "Größe 図"),
        ("אבגד", "אבגד"),
    ],
)
def test_a_name_is_stored_without_what_cannot_be_seen(name: str, stored: str) -> None:
    assert without_hidden(name) == stored
