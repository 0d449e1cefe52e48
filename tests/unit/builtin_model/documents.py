"""Documents made by hand, in the layouts that the built-in model must read."""

from __future__ import annotations

from docagent.domain.documents.text import Page
from tests.unit.layout.made_pages import PageMaker, right_aligned

AMOUNTS = 540.0


def invoice() -> list[Page]:
    """An English invoice with a letterhead, a recipient, a table and totals."""
    page = PageMaker()
    page.write(60, 40, "Northwind Traders Ltd.", size=14)
    page.write(60, 58, "12 Harbour Street")
    page.write(60, 70, "London SW1A 2AA")
    page.row(110, {60: "Bill to:", 340: "Invoice No: NW-2024-0042"})
    page.row(124, {60: "Contoso Retail Inc.", 340: "Invoice date: 5 March 2024"})
    page.row(138, {60: "500 Lake Avenue", 340: "Due date: 4 April 2024"})
    page.row(152, {60: "Springfield, IL 62701", 340: "Your order: PO-7788"})
    page.row(200, {60: "Description", 300: "Quantity", 380: "Unit price", 490: "Amount"})
    _item(page, 220, "Blue folders A4", "10", "2.50", "25.00")
    _item(page, 236, "Desk lamp", "2", "40.00", "80.00")
    page.write(60, 248, "with warm light")
    _item(page, 264, "Paper clips", "3", "1.00", "3.00")
    _total(page, 300, "Net total", "$108.00")
    _total(page, 314, "VAT 20%", "$21.60")
    _total(page, 328, "Total", "$129.60")
    page.write(60, 700, "IBAN GB82 WEST 1234 5698 7654 32  sales@northwind.example")
    return [page.page()]


def rechnung() -> list[Page]:
    """A German invoice with sections for the parties and two pages."""
    first = PageMaker()
    first.write(60, 60, "Rechnung Nr. 471102 vom 05.03.2018", size=14)
    first.write(60, 90, "Währung: EUR")
    first.write(60, 120, "Verkäufer:")
    first.write(60, 134, "Nummer: 549910")
    first.write(60, 148, "Muster Lieferant GmbH")
    first.write(60, 162, "Lieferantenstraße 20")
    first.write(60, 176, "80333 München")
    first.write(60, 210, "Käufer:")
    first.write(60, 224, "Nummer: GE2020211")
    first.write(60, 238, "Kunden AG Mitte")
    first.write(60, 252, "Kundenstraße 15")
    first.write(60, 266, "69876 Frankfurt")
    first.row(300, {60: "Pos", 100: "Beschreibung", 300: "Nettopreis", 400: "Menge", 480: "Nettobetrag"})
    _position(first, 320, "1", "Trennblätter A4", "9,90", "20 Stk", "198,00")
    second = PageMaker(2)
    _position(second, 60, "2", "Joghurt Banane", "5,50", "50 Stk", "275,00")
    for top, label, amount in (
        (120, "Positionssumme", "473,00"),
        (134, "Rechnungssumme ohne USt.", "473,00"),
        (148, "Steuerbetrag", "56,87"),
        (162, "Bruttosumme", "529,87"),
        (176, "Zahlbetrag", "529,87"),
    ):
        second.row(top, {300: label, right_aligned(AMOUNTS, amount): amount})
    return [first.page(), second.page()]


def receipt() -> list[Page]:
    """A till receipt: the firm on top, then its address; cash and change below the total."""
    page = PageMaker()
    page.write(240, 60, "SUNNY CORNER TRADING SDN BHD")
    page.write(250, 74, "(867388-U)")
    page.write(230, 88, "12, Jalan Tampoi 7/4, Kawasan Perindustrian")
    page.write(240, 102, "81200 Johor Bahru, Johor")
    page.write(240, 116, "Tel: 07-3507405")
    page.write(240, 144, "18/03/2018 20:49")
    page.row(170, {200: "Noodles", 400: "7.10"})
    page.row(184, {200: "Tea", 400: "1.11"})
    page.row(210, {200: "Total Sales", 400: "8.21"})
    page.row(224, {200: "Rounding Adjustment", 400: "-0.01"})
    page.row(238, {200: "TOTAL", 400: "8.20"})
    page.row(252, {200: "CASH", 400: "10.00"})
    page.row(266, {200: "CHANGE", 400: "1.80"})
    return [page.page()]


def contract() -> list[Page]:
    """An order for broadcasts: labels above their values, a span of dates, gross and net."""
    page = PageMaker()
    page.write(270, 30, "CONTRACT", size=14)
    page.row(60, {60: "KXYZ", 300: "Contract / Revision", 450: "Alt Order #"})
    page.row(74, {60: "7 Channel Way", 300: "2016819 /", 450: "09836142"})
    page.row(90, {300: "Advertiser", 450: "Original Date / Revision"})
    page.row(104, {300: "Citizens for Clean Rivers", 450: "06/01/20 / 06/01/20"})
    page.row(120, {300: "Contract Dates", 450: "Estimate #"})
    page.row(134, {300: "06/02/20 - 06/28/20", 450: "1405"})
    page.row(200, {60: "Time Period", 200: "# of Spots", 300: "Gross Amount", 400: "Net Amount"})
    page.row(214, {60: "06/02/20 -06/08/20", 200: "6", 300: "$625.00", 400: "$531.25"})
    page.row(228, {60: "06/09/20 -06/28/20", 200: "4", 300: "$400.00", 400: "$340.00"})
    page.row(242, {60: "Totals", 200: "10", 300: "$1,025.00", 400: "$871.25"})
    return [page.page()]


def facture() -> list[Page]:
    """A French invoice whose letterhead and foot have labels of their own."""
    page = PageMaker()
    page.write(60, 40, "Boulangerie Dupont SARL", size=14)
    page.write(60, 58, "27 rue Henri Rolland, 69100 Villeurbanne")
    page.row(72, {60: "Tel: 04 78 00 11 22", 220: "Fax: 04 78 00 11 23", 400: "Site: www.dupont.example"})
    page.write(60, 110, "FACTURE", size=16)
    page.row(140, {60: "Facture n\u00b0: F-2022-118", 340: "Date: 28/11/2022"})
    page.row(154, {60: "Num\u00e9ro client: 10577", 340: "Date d'\u00e9ch\u00e9ance: 28/12/2022"})
    page.row(168, {60: "Commande n\u00b0: C-77120", 340: "Contact: Mme Martin"})
    page.row(200, {60: "D\u00e9signation", 300: "Quantit\u00e9", 380: "Prix unitaire", 490: "Montant"})
    _item(page, 220, "Pain de campagne", "10", "3,50", "35,00")
    _item(page, 236, "Brioche", "4", "5,00", "20,00")
    _total(page, 300, "Total HT", "55,00 \u20ac")
    _total(page, 314, "TVA 20%", "11,00 \u20ac")
    _total(page, 328, "Total TTC", "66,00 \u20ac")
    page.row(700, {60: "SIRET: 421 938 861 00034", 300: "Capital: 10 000,00", 450: "Page: 1/1"})
    return [page.page()]


def till_invoice() -> list[Page]:
    """A till receipt that is headed as a tax invoice, with the number of one."""
    page = PageMaker()
    page.write(240, 46, "TAX INVOICE")
    page.write(240, 60, "GREEN LEAF RESTAURANT SDN BHD")
    page.write(230, 88, "3, Jalan Perdana 5, Taman Indah")
    page.write(240, 102, "81200 Johor Bahru, Johor")
    page.row(130, {200: "Invoice No: OR18032", 400: "Cashier: Lee"})
    page.write(240, 144, "25/04/2018 11:06")
    page.row(170, {200: "Curry puff", 400: "22.00"})
    page.row(210, {200: "Total", 400: "22.00"})
    page.row(224, {200: "Cash", 400: "50.00"})
    page.row(238, {200: "Change", 400: "28.00"})
    page.write(240, 260, "Thank you, please come again")
    return [page.page()]


def agreement() -> list[Page]:
    """A contract in sentences, without labels."""
    page = PageMaker()
    page.write(150, 40, "NON-DISCLOSURE AGREEMENT", size=14)
    for line, text in enumerate(
        (
            "This Agreement is made as of the 1st day of September, 2008 by and between Northwind",
            "Traders, Inc., a company of the harbour, and Ada Byron (the \u201cRecipient\u201d). The",
            "Recipient keeps secret what she learns for a period of two (2) years. All claims",
            "regarding this Agreement are governed by and construed in accordance with the laws of",
            "the State of Colorado, whatever the conflict of laws may be.",
        )
    ):
        page.write(60, 80 + 14 * line, text)
    return [page.page()]


def _item(page: PageMaker, top: float, name: str, quantity: str, price: str, amount: str) -> None:
    page.row(
        top,
        {
            60: name,
            right_aligned(340, quantity): quantity,
            right_aligned(430, price): price,
            right_aligned(AMOUNTS, amount): amount,
        },
    )


def _position(
    page: PageMaker, top: float, number: str, name: str, price: str, quantity: str, amount: str
) -> None:
    page.row(
        top,
        {
            60: number,
            100: name,
            right_aligned(350, price): price,
            400: quantity,
            right_aligned(AMOUNTS, amount): amount,
        },
    )


def _total(page: PageMaker, top: float, label: str, amount: str) -> None:
    page.row(top, {380: label, right_aligned(AMOUNTS, amount): amount})
