from __future__ import annotations

from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

from docagent.domain.documents.text import WordSource
from docagent.domain.errors import ReadFailure
from tests.unit.parse.made_files import FONT, make_pdf, raw_pdf, stream
from tests.unit.parse.reading import close_to, failure_of, read, word


def _form(canvas: Canvas) -> None:
    canvas.drawString(72, 705, "Name:")
    canvas.acroForm.textfield(
        name="name", value="Ada Lovelace", x=150, y=700, width=200, height=20, borderWidth=0, fontSize=12
    )
    canvas.drawString(72, 655, "Agreed:")
    canvas.acroForm.checkbox(name="agreed", checked=True, x=150, y=650, size=20)
    canvas.drawString(72, 605, "Refused:")
    canvas.acroForm.checkbox(name="refused", checked=False, x=150, y=600, size=20)


async def test_field_values_are_words_once_with_their_source(tmp_path: Path) -> None:
    page = (await read(make_pdf(tmp_path / "a.pdf", _form))).page
    assert page.text.splitlines() == ["Name: Ada Lovelace", "Agreed: [x]", "Refused: [ ]"]
    assert {entry.text: entry.source for entry in page.words} == {
        "Name:": WordSource.TEXT,
        "Ada": WordSource.WIDGET,
        "Lovelace": WordSource.WIDGET,
        "Agreed:": WordSource.TEXT,
        "[x]": WordSource.WIDGET,
        "Refused:": WordSource.TEXT,
        "[ ]": WordSource.WIDGET,
    }
    assert close_to(word(page, "[x]").box, 150 / 595, 172 / 842, 170 / 595, 192 / 842)
    assert 150 / 595 <= word(page, "Ada").box.left < word(page, "Lovelace").box.right <= 350 / 595


def _pdf_with_field(path: Path, field: bytes, form: bytes = b"", content: bytes = b"") -> Path:
    return raw_pdf(
        path,
        {
            1: b"<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [6 0 R] "
            b"/DR << /Font << /F 5 0 R >> >> /DA (/F 12 Tf 0 g) %s >> >>" % form,
            2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            3: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Annots [6 0 R] "
            b"/Resources << /Font << /F 5 0 R >> >> >>",
            4: stream(content),
            5: FONT,
            6: b"<< /Type /Annot /Subtype /Widget /T (f) /Rect [100 700 300 720] /P 3 0 R /F 4 %s >>" % field,
        },
    )


async def test_a_value_without_an_appearance_is_read(tmp_path: Path) -> None:
    path = _pdf_with_field(tmp_path / "a.pdf", b"/FT /Tx /V (Grace Hopper) /DA (/F 12 Tf 0 g)")
    page = (await read(path)).page
    assert page.text == "Grace Hopper"
    assert all(entry.source is WordSource.WIDGET for entry in page.words)


async def test_digits_in_cells_of_a_field_are_one_word(tmp_path: Path) -> None:
    comb = b"/FT /Tx /V (12345678) /MaxLen 8 /Ff 16777216 /DA (/F 10 Tf 0 g)"
    page = (await read(_pdf_with_field(tmp_path / "a.pdf", comb))).page
    assert page.text == "12345678"
    assert word(page, "12345678").box.width > 0.2


async def test_a_value_that_is_also_printed_below_its_field_counts_once(tmp_path: Path) -> None:
    field = b"/FT /Tx /V (Grace Hopper) /DA (/F 12 Tf 0 g)"
    printed = b"BT /F 12 Tf 103 706 Td (Grace Hopper) Tj ET"
    page = (await read(_pdf_with_field(tmp_path / "a.pdf", field, content=printed))).page
    assert page.text == "Grace Hopper"


async def test_a_hidden_field_and_a_password_are_not_read(tmp_path: Path) -> None:
    hidden = b"/FT /Tx /V (secret) /DA (/F 12 Tf 0 g) /F 2"
    password = b"/FT /Tx /V (secret) /Ff 8192 /DA (/F 12 Tf 0 g)"
    for number, field in enumerate((hidden, password)):
        content = b"BT /F 12 Tf 72 600 Td (printed) Tj ET"
        page = (await read(_pdf_with_field(tmp_path / f"{number}.pdf", field, content=content))).page
        assert page.text.split()[-1] == "printed"
        assert "secret" not in page.text


async def test_an_xfa_placeholder_is_not_taken_for_the_document(tmp_path: Path) -> None:
    path = _pdf_with_field(
        tmp_path / "a.pdf",
        b"/FT /Tx",
        form=b"/XFA [(template) 4 0 R]",
        content=b"BT /F 12 Tf 72 700 Td (Please wait... your viewer may not show this) Tj ET",
    )
    failure = await failure_of(path)
    assert failure.failure is ReadFailure.UNSUPPORTED
    assert "XFA" in failure.detail
    assert "print it to PDF" in failure.detail
