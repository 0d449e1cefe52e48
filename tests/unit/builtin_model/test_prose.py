"""What contracts say in sentences."""

from __future__ import annotations

from docagent.builtin_model import describe, fill
from docagent.builtin_model.filling import fill_sheet
from docagent.builtin_model.page.durations import durations_in
from docagent.builtin_model.page.sheet import sheet_of
from docagent.builtin_model.prose.clauses import court_in, governing_law_in, notice_in, term_in
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
            'Entre Lima, Prado & Associados, com sede em Braga (adiante o "Cliente"), e Vento Lda., em Faro.',
            ["Lima, Prado & Associados", "Vento Lda."],
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
    text = "I, Jane Roe, agree to this. I will keep it secret."
    assert parties_in(text, "---") == ["Jane Roe"]


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


def test_the_court_that_decides() -> None:
    assert (
        court_in("Ausschließlicher Gerichtsstand für alle Streitigkeiten ist Frankfurt am Main.")
        == "Frankfurt am Main"
    )


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


@table(
    ("supplier", "customer"),
    [
        ("(the Supplier)", "(the Customer)"),
        ("(the contractor)", "(the client)"),
        ('(the "Seller")', '(hereinafter the "Buyer")'),
        ("(der Auftragnehmer)", "(der Auftraggeber)"),
        ("(le Prestataire)", "(le Client)"),
    ],
)
def test_who_gives_and_who_pays_is_told_by_what_the_contract_calls_them(supplier: str, customer: str) -> None:
    page = PageMaker().write(60, 40, "Service Agreement", size=14)
    page.write(60, 70, f"between Harrow Building Services Ltd, 3 Foundry Yard, Dublin 8 {supplier}, and")
    page.write(60, 84, f"Castlegate Hotels plc, 101 Merrion Row, Dublin 2 {customer}.")
    page.write(60, 120, "For the Supplier: Niamh Harrow, Managing Director")
    page.write(60, 134, "For the Customer: Oisin Castle, Chief Operating Officer")
    asked = {
        "type": "object",
        "properties": {"supplier": {"type": "string"}, "customer_name": {"type": "string"}},
    }
    assert fill_sheet(sheet_of([page.page()]), asked) == {
        "supplier": "Harrow Building Services Ltd",
        "customer_name": "Castlegate Hotels plc",
    }
    assert (
        "between Harrow Building Services Ltd and Castlegate Hotels plc" in describe([page.page()])["summary"]
    )
