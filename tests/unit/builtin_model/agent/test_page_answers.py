"""Answers from the page: a value under its caption, else passages with the words in bold, else the closest ones."""

from __future__ import annotations

from docagent.builtin_model.agent.answers import answer, of_documents
from docagent.domain.documents.text import Page
from docagent.domain.models.llm import ProjectDocument
from tests.support.tables import table
from tests.unit.builtin_model.documents import rechnung
from tests.unit.layout.made_pages import PageMaker

LINES = (
    "SERVICE AGREEMENT",
    "between Brightwell Cleaning B.V., the provider, and Harbour Lane Bakery, the client.",
    "",
    "1. Fees. The client pays a monthly fee of EUR 2,450.00, due within 14 days.",
    "",
    "2. Term. This agreement starts on 1 January 2025 and ends on 31 December 2027.",
    "",
    "3. Notice. Either party may terminate with a notice period of three months.",
    "",
    "4. Late payment. Interest of 8 % a year is charged on late payments.",
)


def agreement() -> list[Page]:
    page = PageMaker()
    for number, line in enumerate(LINES):
        if line:
            page.write(60, 40 + 24 * number, line)
    return [page.page()]


@table(
    ("question", "said"),
    [
        ("what is the monthly fee?", "2,450.00"),
        ("monthly fee", "2,450.00"),
        ("wie hoch ist die monatliche Gebühr?", "2,450.00"),
        ("quelle est la redevance mensuelle ?", "2,450.00"),
        ("¿cuál es la cuota mensual?", "2,450.00"),
        ("when does the agreement end?", "2027"),
        ("wann endet der Vertrag?", "2027"),
        ("what is the notice period", "three months"),
        ("who is the client?", "Harbour Lane Bakery"),
        ("what happens with late payments", "8 %"),
    ],
)
def test_what_is_printed_is_never_denied(question: str, said: str) -> None:
    told = answer(question, None, agreement()).replace("**", "")
    assert said in told
    assert "age 1" in told


@table(
    ("question", "said"),
    [
        ("intrest on late paymnts", "8 %"),
        ("Vertragsende", "31 December 2027"),
        ("who bears the losses?", "Harbour Lane Bakery"),
        ("erzähl mir davon", "Contract"),
    ],
)
def test_slips_compounds_and_questions_in_other_words_are_no_dead_end(question: str, said: str) -> None:
    assert said in answer(question, None, agreement()).replace("**", "")


@table("question", ["who pays the fee?", "wer zahlt das?", "where is the total paid?"])
def test_who_and_where_are_not_answered_with_an_amount(question: str) -> None:
    assert " is **" not in answer(question, None, acme_bill())


def test_a_caption_that_only_begins_like_the_meaning_is_not_the_one() -> None:
    """An acompte is a deposit, and a dépose is none."""
    page = PageMaker()
    page.write(60, 40, "Dépose des gouttières : 12 m")
    page.write(60, 80, "Acompte de 30 % à la commande")
    told = answer("acompte ?", None, [page.page()])
    assert "12 m**" not in told
    assert "30 %" in told


def acme_bill() -> list[Page]:
    lines = (
        "Acme Ltd",
        "12 Mill Road, London",
        "",
        "INVOICE",
        "Bill to: Harbour Lane Bakery",
        "Bill no. 4711",
    )
    page = PageMaker()
    for number, line in enumerate((*lines, "Bill date: 2 March 2026", "", "Total: EUR 99.50")):
        if line:
            page.write(60, 40 + 24 * number, line)
    return [page.page()]


@table(
    ("question", "said"),
    [
        ("who sent me this bill", "**Acme Ltd**"),
        ("who is this invoice from?", "**Acme Ltd**"),
        ("wer hat mir diese Rechnung geschickt?", "**Acme Ltd**"),
        ("qui a envoyé cette facture ?", "**Acme Ltd**"),
        ("¿quién envió esta factura?", "**Acme Ltd**"),
        ("who is this bill for?", "**Harbour Lane Bakery**"),
        ("how much is this bill?", "**99.50 EUR**"),
        ("when was this bill issued", "2026"),
    ],
)
def test_a_word_for_the_paper_itself_is_not_what_is_asked_for(question: str, said: str) -> None:
    """The captions of a bill say “bill” too, and are not the answer."""
    assert said in answer(question, None, acme_bill())


def test_the_words_are_lit_and_the_page_is_named() -> None:
    told = answer("what happens with late payments", None, agreement())
    assert told.startswith("Page 1:\n\n> ")
    assert "**late** **payments**" in told


def test_what_is_not_printed_is_said_with_the_closest_passages() -> None:
    told = answer("what is the parking fee for trucks?", None, agreement())
    assert told.startswith("“parking fee trucks” was not found in 1 page. The closest passages:")
    assert "2,450.00" in told
    told = answer("which colour has the roof?", None, agreement())
    assert "was not found in 1 page." in told
    assert "Page 1" not in told


def test_a_value_of_another_kind_is_no_answer() -> None:
    """Nothing that is no date answers `when`."""
    told = answer("when does the contract end?", None, agreement())
    assert "2027" in told


def bill() -> list[Page]:
    page = PageMaker()
    for number, (caption, value) in enumerate(
        (
            ("Account no.", "8131059151"),
            ("Meter", "52868593"),
            ("Standing charge", "37.34 EUR"),
            ("VAT", "19.63 EUR"),
            ("Amount to pay", "412.21 EUR"),
        )
    ):
        page.write(60, 40 + 20 * number, caption)
        page.write(240, 40 + 20 * number, value)
    return [page.page()]


@table(
    ("question", "told"),
    [
        ("what's the meter number", "Meter: **52868593** (page 1)."),
        ("standing charge?", "Standing charge: **37.34 EUR** (page 1)."),
        ("how much VAT is on it?", "The VAT is **19.63 EUR** (page 1)."),
    ],
)
def test_a_caption_that_no_rule_knows_is_read(question: str, told: str) -> None:
    assert answer(question, None, bill()) == told


def test_an_extracted_value_comes_first_and_its_place_is_told() -> None:
    data = {"total": 529.87, "currency": "EUR"}
    assert answer("what is the total?", data, rechnung()) == "The total is **529.87 EUR** (page 2)."
    assert "in the extraction" in answer("what is the total?", {"total": 77.25}, rechnung())
    assert answer("what is the total?", None, []) == "I have no text of this document."


def test_what_has_no_caption_is_found_by_its_form() -> None:
    page = PageMaker()
    page.write(60, 40, "Brightwell Cleaning, Quay 7")
    page.write(60, 80, "(870)-931-0505 office@brightwell.example")
    assert "(870)-931-0505" in answer("what is the telephone?", None, [page.page()])
    assert "office@brightwell.example" in answer("what is the partner email?", None, [page.page()])


def test_a_heading_is_found_with_what_stands_under_it() -> None:
    (passage,) = of_documents([ProjectDocument("1", "Recipes", 1, "# Recipes\n\n## Breakfast\n\n- porridge")])
    assert passage.text == "## Breakfast\n- porridge"


def test_a_usual_question_that_says_more_is_not_the_usual_one() -> None:
    """`How much is it` asks for the total, `how much is the standing charge` does not."""
    assert "37.34" in answer("how much is the standing charge on it", None, bill())


def test_who_asks_for_a_number_gets_no_name() -> None:
    page = PageMaker()
    page.write(60, 40, "Employee: Daniel Okafor")
    assert "**Daniel" not in answer("which is the number of the employee", None, [page.page()])


@table(
    ("question", "said"),
    [
        ("Qual è l'importo totale?", "**99.50 EUR**"),
        ("Kunt u mij het totaalbedrag geven?", "**99.50 EUR**"),
        ("Jaka jest kwota do zapłaty?", "**99.50 EUR**"),
        ("Pode dizer-me o valor total, por favor?", "**99.50 EUR**"),
        ("Jaká je celková částka?", "**99.50 EUR**"),
        ("Vad är totalbeloppet?", "**99.50 EUR**"),
        ("Může mi říct, kdo je zákazník?", "**Harbour Lane Bakery**"),
        ("Kan du säga mig datumet?", "**2026-03-02**"),
    ],
)
def test_a_question_may_be_in_any_of_ten_languages(question: str, said: str) -> None:
    told = answer(question, None, acme_bill())
    assert said in told or said in told.replace("**", "")


def test_all_parties_are_named_with_their_page() -> None:
    page = PageMaker()
    page.write(60, 40, "SERVICE AGREEMENT")
    page.write(60, 80, "between Brightwell Cleaning B.V., Quay 7, Rotterdam (the provider)")
    page.write(60, 100, "and Harbour Lane Bakery, 12 Harbour Lane, Rotterdam (the client)")
    told = answer("who are the parties?", None, [page.page()])
    assert "1. Brightwell Cleaning B.V.\n2. Harbour Lane Bakery" in told
    assert told.endswith("See page 1.")


def test_how_long_is_not_answered_with_an_amount() -> None:
    assert " is **" not in answer("how long do we have to pay", None, acme_bill())
    assert "14 days" in answer("wie lange haben wir Zeit zu zahlen", None, agreement()).replace("**", "")


@table("question", ["la scadenza?", "wat is de vervaldatum?", "quelle est l'échéance ?"])
def test_a_word_for_what_is_due_asks_for_the_day(question: str) -> None:
    page = PageMaker()
    for number, line in enumerate(("INVOICE", "Due date: 13 April 2026", "Amount due: EUR 99.50")):
        page.write(60, 40 + 24 * number, line)
    assert "**2026-04-13**" in answer(question, None, [page.page()])
    assert "99.50" in answer("how much is due?", None, [page.page()])


def test_who_takes_part_may_stand_at_the_beginning() -> None:
    page = PageMaker()
    for number, line in enumerate(("Rowan Garrick", "12 Mill Road", "RECEIPT", "Total: 5.00")):
        page.write(60, 40 + 24 * number, line)
    assert "Rowan Garrick" in answer("wie heißt der Vermieter?", None, [page.page()])


def test_the_code_of_somebody_is_not_their_name() -> None:
    page = PageMaker()
    for number, (caption, value) in enumerate((("Advertiser Code:", "196"), ("Order:", "Spring"))):
        page.write(60, 40 + 20 * number, caption)
        page.write(240, 40 + 20 * number, value)
    assert "**196**" not in answer("advertiser?", None, [page.page()])
    assert "**196**" in answer("advertiser code?", None, [page.page()])


def test_what_no_word_finds_may_stand_under_another_caption() -> None:
    told = answer("what is the flibbet?", None, bill())
    assert told.startswith("“flibbet” was not found in 1 page.")
    assert "- Standing charge: 37.34 EUR (page 1)" in told
