"""Makes the sample documents of src/docagent/samples: an invoice, a scanned receipt and a contract.

    python scripts/make_samples.py

Every name, address and number is invented. The files are the same on every run.
"""

from __future__ import annotations

import random
from pathlib import Path

from PIL import Image, ImageDraw, ImageFilter, ImageFont
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

TARGET = Path(__file__).parents[1] / "src" / "docagent" / "samples"
GREY = colors.HexColor("#5b626d")
LINE = colors.HexColor("#c9ced6")

ITEMS = [
    ("Office chair, model Arve", 4, 189.00),
    ("Standing desk 160 x 80 cm", 2, 412.50),
    ("Desk lamp, warm white", 6, 38.90),
    ("Delivery and assembly", 1, 95.00),
]
VAT = 0.23

RECEIPT = [
    ("Flat white", "3.40"),
    ("Cheese toastie", "5.95"),
    ("Sparkling water 0.5 l", "2.20"),
    ("Carrot cake", "3.75"),
]

CLAUSES = [
    (
        "Services",
        [
            "The Supplier provides maintenance of the Customer's heating and ventilation systems at the sites listed "
            "in Schedule A, on working days between 08:00 and 17:00.",
            "The Supplier answers a report of a failure within four hours and attends the site on the next working day "
            "at the latest.",
        ],
    ),
    (
        "Term and termination",
        [
            "This agreement begins on 1 April 2026 and runs for twenty-four months. It renews for twelve months at a "
            "time unless one party gives notice three months before the end of the term.",
            "Either party may end this agreement at once if the other commits a material breach and does not remedy it "
            "within thirty days of a written notice.",
        ],
    ),
    (
        "Fees",
        [
            "The Customer pays a monthly fee of EUR 2,450.00 excluding value added tax, invoiced in advance and "
            "payable within thirty days.",
            "Work outside of the agreed hours is charged at EUR 96.00 an hour. Spare parts are charged at cost plus "
            "ten per cent.",
        ],
    ),
    (
        "Obligations of the Customer",
        [
            "The Customer gives the Supplier access to the sites, keeps the plant rooms clear, and names one person "
            "who can decide on its behalf.",
            "The Customer reports failures without delay and does not let third parties change the systems without the "
            "Supplier's consent.",
        ],
    ),
    (
        "Liability",
        [
            "Each party is liable for damage that it causes by intent or gross negligence without limit. For slight "
            "negligence liability is limited to EUR 250,000.00 for each event.",
            "Neither party is liable for loss of profit. Nothing in this agreement limits liability for injury to life "
            "or health.",
        ],
    ),
    (
        "Confidentiality and data",
        [
            "Each party keeps secret what it learns about the other's business, during the term and for three years "
            "after it.",
            "Personal data is processed only as far as the services need it, and is deleted when it is no longer "
            "needed.",
        ],
    ),
    (
        "Final provisions",
        [
            "Changes to this agreement need the written form. If one provision is void, the others remain in force.",
            "This agreement is governed by the law of Ireland. The courts of Dublin have jurisdiction.",
        ],
    ),
]


def main() -> None:
    TARGET.mkdir(exist_ok=True)
    make_invoice(TARGET / "Invoice 2041.pdf")
    make_receipt(TARGET / "Receipt.png")
    make_contract(TARGET / "Service agreement.pdf")


def make_invoice(target: Path) -> None:
    canvas = Canvas(str(target), pagesize=A4, invariant=1)
    canvas.setTitle("Invoice 2041")
    width, height = A4
    left, right = 22 * mm, width - 22 * mm
    canvas.setFont("Helvetica-Bold", 16)
    canvas.drawString(left, height - 28 * mm, "Northwind Office Supply Ltd")
    _lines(
        canvas, left, height - 35 * mm, ["14 Harbour Road, Cork T12 X4Y7, Ireland", "VAT number IE1234567T"]
    )
    canvas.setFont("Helvetica-Bold", 22)
    canvas.drawRightString(right, height - 29 * mm, "Invoice")
    facts = [
        ("Invoice number", "2041"),
        ("Invoice date", "14 March 2026"),
        ("Due date", "13 April 2026"),
        ("Order number", "PO-7783"),
    ]
    for number, (label, value) in enumerate(facts):
        y = height - (55 + 6 * number) * mm
        _text(canvas, right - 68 * mm, y, f"{label}:", colour=GREY)
        canvas.setFillColor(colors.black)
        canvas.drawRightString(right, y, value)
    _text(canvas, left, height - 55 * mm, "Bill to", colour=GREY)
    _lines(
        canvas,
        left,
        height - 61 * mm,
        ["Lindqvist & Daughters", "Attn. Accounts payable", "8 Mill Lane, Galway"],
    )
    net = _items(canvas, left, height - 98 * mm, right)
    _totals(canvas, right, height - 145 * mm, net)
    _lines(
        canvas,
        left,
        42 * mm,
        [
            "Please pay within 30 days to IBAN IE64 IRCE 9205 0112 3456 78, reference 2041.",
            "Thank you for your order.",
        ],
    )
    canvas.save()


def _items(canvas: Canvas, left: float, top: float, right: float) -> float:
    rows = [["Description", "Quantity", "Unit price", "Amount"]]
    rows += [[name, str(count), _money(price), _money(count * price)] for name, count, price in ITEMS]
    widths = [right - left - 84 * mm, 24 * mm, 28 * mm, 32 * mm]
    table = Table(rows, colWidths=widths, rowHeights=8 * mm)
    table.setStyle(
        TableStyle(
            [
                ("FONT", (0, 0), (-1, 0), "Helvetica-Bold", 10),
                ("FONT", (0, 1), (-1, -1), "Helvetica", 10),
                ("ALIGN", (1, 0), (-1, -1), "RIGHT"),
                ("LINEBELOW", (0, 0), (-1, 0), 1, colors.black),
                ("LINEBELOW", (0, 1), (-1, -1), 0.4, LINE),
                ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
            ]
        )
    )
    _, tall = table.wrapOn(canvas, right - left, 200 * mm)
    table.drawOn(canvas, left, top - tall)
    return sum(count * price for _, count, price in ITEMS)


def _totals(canvas: Canvas, right: float, top: float, net: float) -> None:
    rows = [("Subtotal", net), ("VAT 23%", net * VAT), ("Total EUR", net * (1 + VAT))]
    for number, (label, value) in enumerate(rows):
        font = "Helvetica-Bold" if number == 2 else "Helvetica"
        y = top - number * 7 * mm
        canvas.setFillColor(colors.black)
        canvas.setFont(font, 10 if number < 2 else 12)
        canvas.drawString(right - 60 * mm, y, label)
        canvas.drawRightString(right, y, _money(value))


def _text(canvas: Canvas, x: float, y: float, text: str, colour: colors.Color) -> None:
    canvas.setFont("Helvetica", 10)
    canvas.setFillColor(colour)
    canvas.drawString(x, y, text)


def _lines(canvas: Canvas, x: float, top: float, lines: list[str]) -> None:
    for number, line in enumerate(lines):
        _text(canvas, x, top - number * 5.5 * mm, line, colors.black)


def _money(value: float) -> str:
    return f"{value:,.2f}"


def make_receipt(target: Path) -> None:
    """Make a till receipt as a flat-bed scanner sees it: grey, a little turned, with specks."""
    chance = random.Random(2041)
    paper = Image.new("L", (820, 1180), 244)
    draw = ImageDraw.Draw(paper)
    large, usual = ImageFont.load_default(42), ImageFont.load_default(30)
    _centred(draw, 70, "CAFE LANTERN", large)
    _centred(draw, 130, "22 Quay Street, Galway", usual)
    _centred(draw, 170, "Tel. 091 555 0142", usual)
    _row(draw, 250, "Receipt no. 0831-447", "", usual)
    _row(draw, 292, "Date 09/05/2026", "12:47", usual)
    y = 370
    for name, price in RECEIPT:
        _row(draw, y, name, price, usual)
        y += 48
    draw.line((90, y + 12, 730, y + 12), fill=60, width=2)
    _row(draw, y + 36, "Subtotal", "15.30", usual)
    _row(draw, y + 78, "VAT 9%", "1.38", usual)
    _row(draw, y + 128, "TOTAL EUR", "16.68", large)
    _row(draw, y + 210, "Paid by card", "16.68", usual)
    _row(draw, y + 252, "Card **** 4417", "", usual)
    _centred(draw, y + 350, "Thank you, see you soon", usual)
    for _ in range(260):
        x, dot = chance.randrange(820), chance.randrange(1180)
        draw.point((x, dot), fill=chance.randrange(90, 200))
    scan = Image.new("L", (900, 1260), 226)
    turned = paper.rotate(0.8, resample=Image.Resampling.BICUBIC, expand=True, fillcolor=226)
    scan.paste(turned, (34, 30))
    scan = scan.filter(ImageFilter.GaussianBlur(0.6)).quantize(16)
    scan.save(target, "PNG", optimize=True, dpi=(200, 200))


def _centred(
    draw: ImageDraw.ImageDraw, y: int, text: str, font: ImageFont.FreeTypeFont | ImageFont.ImageFont
) -> None:
    draw.text(((820 - draw.textlength(text, font=font)) / 2, y), text, fill=30, font=font)


def _row(
    draw: ImageDraw.ImageDraw,
    y: int,
    name: str,
    value: str,
    font: ImageFont.FreeTypeFont | ImageFont.ImageFont,
) -> None:
    draw.text((90, y), name, fill=30, font=font)
    draw.text((730 - draw.textlength(value, font=font), y), value, fill=30, font=font)


def make_contract(target: Path) -> None:
    body = ParagraphStyle("body", fontName="Times-Roman", fontSize=11.5, leading=17, spaceAfter=9)
    heading = ParagraphStyle("heading", parent=body, fontName="Times-Bold", fontSize=13, spaceBefore=12)
    title = ParagraphStyle(
        "title", parent=body, fontName="Times-Bold", fontSize=20, leading=26, spaceAfter=16
    )
    story = [
        Paragraph("Service Agreement", title),
        Paragraph("Agreement number SA-2026-118", body),
        Paragraph(
            "between <b>Harrow Building Services Ltd</b>, 3 Foundry Yard, Dublin 8 (the Supplier), and "
            "<b>Castlegate Hotels plc</b>, 101 Merrion Row, Dublin 2 (the Customer), signed on 16 March 2026.",
            body,
        ),
        Spacer(1, 8),
    ]
    for number, (name, paragraphs) in enumerate(CLAUSES, start=1):
        story.append(Paragraph(f"{number}. {name}", heading))
        story += [Paragraph(f"{number}.{part} {text}", body) for part, text in enumerate(paragraphs, start=1)]
    story += [
        Spacer(1, 26),
        Paragraph("For the Supplier: Niamh Harrow, Managing Director", body),
        Paragraph("For the Customer: Oisin Castle, Chief Operating Officer", body),
        Spacer(1, 14),
        Paragraph("Schedule A: sites", heading),
        Paragraph("Hotel Castlegate Dublin, 101 Merrion Row, Dublin 2", body),
        Paragraph("Hotel Castlegate Cork, 40 South Mall, Cork", body),
        Paragraph("Hotel Castlegate Galway, 2 Eyre Square, Galway", body),
    ]
    document = SimpleDocTemplate(
        str(target), pagesize=A4, leftMargin=28 * mm, rightMargin=28 * mm, topMargin=26 * mm, bottomMargin=26 * mm,
        title="Service Agreement", invariant=1,
    )  # fmt: skip
    document.build(story, onFirstPage=_page_number, onLaterPages=_page_number)


def _page_number(canvas: Canvas, document: SimpleDocTemplate) -> None:
    canvas.setFont("Times-Roman", 9)
    canvas.drawCentredString(A4[0] / 2, 15 * mm, f"SA-2026-118, page {document.page}")


if __name__ == "__main__":
    main()
