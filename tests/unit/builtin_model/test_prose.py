"""What contracts say in sentences."""

from __future__ import annotations

from docagent.builtin_model import fill
from docagent.builtin_model.page.durations import durations_in
from docagent.builtin_model.prose.clauses import governing_law_in, notice_in, term_in
from docagent.builtin_model.prose.parties import parties_in
from tests.support.tables import table
from tests.unit.layout.made_pages import PageMaker

SCHEMA = {
    "type": "object",
    "properties": {
        "effective_date": {"type": "string", "format": "date"},
        "parties": {"type": "array", "items": {"type": "string"}},
        "jurisdiction": {"type": "string"},
        "term": {"type": "string"},
    },
}


@table(
    ("text", "parties"),
    [
        (
            'This Agreement is made between Harbor Tools, Inc., an Ohio corporation ("Harbor"), and Jo A. Field.',
            ["Harbor Tools, Inc.", "Jo A. Field"],
        ),
        (
            'entered into by and between Birch and Stone Ltd. ("Birch") and Elm LLC ("Recipient").',
            ["Birch and Stone Ltd.", "Elm LLC"],
        ),
        (
            'Vertrag zwischen der Nordsee Handel GmbH & Co. KG ("Lieferant"), und Petra Lang ("Kunde").',
            ["Nordsee Handel GmbH & Co. KG", "Petra Lang"],
        ),
        (
            'In consideration of work for Quarry Works Corp. (the "Company"), I agree. Signed: /s/ Ann Lee Title',
            ["Quarry Works Corp.", "Ann Lee"],
        ),
        (
            'Umowa zawarta pomiędzy Borowik i Synowie s.c. ("Zamawiający") a Meru S.A. ("Wykonawca").',
            ["Borowik i Synowie s.c.", "Meru S.A."],
        ),
        (
            'Zwischen von Ahlen und Brand KG, ansässig in Wien (nachfolgend "Lieferant"), und Meru GmbH in Ulm.',
            ["von Ahlen und Brand KG", "Meru GmbH"],
        ),
        ("The parties discussed the agreement between the parties.", []),
        (
            'Pomiędzy WOŹNIAK I SYNOWIE S.C., adres: pl. Wolności 12, 90-401 Łódź (dalej "Zamawiający"), a Norsafi\n'
            'S.A., adres: ul. Główna 104, 40-012 Katowice (dalej "Wykonawca"), zawarto umowę.',
            ["WOŹNIAK I SYNOWIE S.C.", "Norsafi\nS.A."],
        ),
    ],
)
def test_the_parties_of_a_contract(text: str, parties: list[str]) -> None:
    assert parties_in(text) == parties


def test_what_has_no_letters_is_no_party() -> None:
    text = 'Quarry Works Corp. (the "Company"). I agree to this and will keep it secret.'
    assert parties_in(text, "---") == ["Quarry Works Corp."]


def test_the_term_is_not_any_time_that_a_contract_names() -> None:
    text = (
        "For a period of one year the Recipient shall not solicit employees. "
        "Either party may terminate this Agreement with thirty (30) days notice. "
        "This Agreement shall remain in force for three (3) years."
    )
    term, notice = term_in(text), notice_in(text)
    assert term is not None
    assert (term.count, term.unit, term.text) == (3, "year", "three (3) years")
    assert notice is not None
    assert notice.text == "thirty (30) days"


@table(
    ("text", "place"),
    [
        (
            "It shall be governed by the laws of the State of New Mexico, without regard to conflicts.",
            "New Mexico",
        ),
        ("Es gilt das Recht der Republik Österreich.", "Republik Österreich"),
        ("Le présent contrat est soumis au droit français.", "français"),
        ("The laws of physics apply to all of us.", None),
    ],
)
def test_whose_law_governs(text: str, place: str | None) -> None:
    assert governing_law_in(text) == place


@table("text", ["fiscal year 2007", "the year ended", "12.5 years' growth"])
def test_a_year_alone_is_no_length_of_time(text: str) -> None:
    assert list(durations_in(text)) == []


def test_a_contract_fills_a_list_and_never_mixes_kinds() -> None:
    page = PageMaker()
    lines = (
        "This Agreement is made as of May 4, 2011 by and between Harbor Tools, Inc. and",
        'Elm Valley LLC (the "Recipient"). This Agreement shall be governed by the laws of the',
        "State of Vermont.",
    )
    for number, line in enumerate(lines):
        page.write(60, 60 + 14 * number, line)
    assert fill([page.page()], SCHEMA) == {
        "effective_date": "2011-05-04",
        "parties": ["Harbor Tools, Inc.", "Elm Valley LLC"],
        "jurisdiction": "Vermont",
        "term": None,
    }
