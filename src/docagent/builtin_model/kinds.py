"""Tells what kind of document it is, by the words of its headings."""

from __future__ import annotations

import re

from docagent.builtin_model.sheet import Segment, Sheet
from docagent.reading.printed import fold

_KINDS = {
    "credit note": "credit note|credit memo|gutschrift|rechnungskorrektur|avoir|nota de credito|factura rectificativa"
    "|nota di credito|creditnota|creditfactuur|nota kredytowa|faktura korygujaca|dobropis|opravny danovy doklad"
    "|kreditnota|kreditfaktura",
    "proforma invoice": "proforma|pro forma",
    "order confirmation": "order confirmation|auftragsbestatigung|confirmation de commande|orderbevestiging"
    "|conferma d'ordine|confirmacion de pedido|confirmacao de encomenda|potwierdzenie zamowienia|potvrzeni objednavky"
    "|orderbekraftelse",
    "purchase order": "purchase order|bestellung|bon de commande|orden de compra|ordine di acquisto|ordine d'acquisto"
    "|ordem de compra|inkooporder|zamowienie|objednavka|inkopsorder",
    "delivery note": "delivery note|packing slip|packing list|lieferschein|bon de livraison|albaran|nota de entrega"
    "|documento di trasporto|bolla di consegna|guia de remessa|guia de transporte|pakbon|leveringsbon|dowod dostawy"
    "|dodaci list|foljesedel",
    "reminder": "payment reminder|mahnung|zahlungserinnerung|rappel|recordatorio de pago|sollecito di pagamento"
    "|aanmaning|betalingsherinnering|wezwanie do zaplaty|upominka|betalningspaminnelse",
    "quote": "quotation|quote|angebot|devis|offerte|preventivo|presupuesto|oferta|estimate of costs|orcamento|nabidka"
    "|offert",
    "bank statement": "bank statement|kontoauszug|account statement|releve de compte|statement of account"
    "|extracto de cuenta|extracto bancario|estratto conto|extrato de conta|extrato bancario|rekeningafschrift"
    "|bankafschrift|wyciag bankowy|wyciag z rachunku|vypis z uctu|kontoutdrag",
    "payslip": "payslip|pay slip|gehaltsabrechnung|lohnabrechnung|bulletin de paie|earnings statement|busta paga"
    "|nomina|recibo de vencimento|loonstrook|lonebesked|vyplatni paska",
    "invoice": "invoice|rechnung|handelsrechnung|facture|factura|fattura|fatura|factuur|faktura|rechnungsnummer"
    "|tax invoice",
    "receipt": "receipt|quittung|kassenbon|cash bill|kassenbeleg|ticket de caisse|official receipt|recu|scontrino"
    "|ricevuta|kassabon|paragon|paragon fiskalny|uctenka|kvitto",
    "contract": "contract|agreement|vertrag|contrat|contrato|contratto|overeenkomst|umowa|smlouva|avtal",
    "order": "order|auftrag|commande|pedido|insertion order|nota de encomenda",
    "resume": "resume|curriculum vitae|lebenslauf|work experience|professional experience",
    "registration statement": "registration statement",
    "report": "report|bericht|rapport|informe|quarterly report|annual report|relazione|relatorio|sprawozdanie|zprava",
    "application form": "application form|registration form|antrag|anmeldeformular|formulaire|application for"
    "|formulario|modulo di iscrizione|modulo di domanda|ficha de inscricao|aanmeldingsformulier|aanvraagformulier"
    "|formularz|wniosek|prihlaska|zadost|ansokan|anmalan",
    "certificate": "certificate|zertifikat|bescheinigung|certificat|certificado|certificato|zaswiadczenie|osvedceni"
    "|intyg",
    "policy": "insurance policy|versicherungsschein|policy schedule|police d'assurance|poliza de seguro"
    "|polizza assicurativa|polisa ubezpieczeniowa",
    "minutes": "minutes of|protokoll|proces-verbal",
}
TRADE = frozenset(
    {
        "invoice",
        "proforma invoice",
        "credit note",
        "receipt",
        "order",
        "purchase order",
        "order confirmation",
        "quote",
    }
    | {"contract", "delivery note", "reminder"}
)
_PATTERNS = {
    kind: re.compile(rf"(?<!\w)(?:{names}|{names.replace(' ', '')})(?!\w)") for kind, names in _KINDS.items()
}
_HEAD_ROWS = 40
_LONGEST_HEADING = 9
_WEAKEST = 1.0
_LONGEST_TRADE = 30
"""In pages."""
_NO_TRADE = frozenset({"report", "resume", "minutes"})


def document_kind(sheet: Sheet) -> str | None:
    """Return the kind that the headings name most clearly, or None."""
    scores: dict[str, float] = {}
    for row in sheet.rows[:_HEAD_ROWS]:
        for segment in row:
            if segment.page == 0:
                for kind, weight in _named(segment, sheet):
                    scores[kind] = scores.get(kind, 0.0) + weight
    ranked = sorted(scores, key=lambda kind: -scores[kind])
    return ranked[0] if ranked and scores[ranked[0]] >= _WEAKEST else None


def may_be_trade(sheet: Sheet) -> bool:
    """Return whether the document can be a paper of trade: no book, and none that calls itself a report or resume."""
    return len(sheet.page_sizes) <= _LONGEST_TRADE and document_kind(sheet) not in _NO_TRADE


def names_kind(segment: Segment, sheet: Sheet) -> bool:
    """Return whether the segment is a heading that says what kind of document it is."""
    return bool(_named(segment, sheet))


def _named(segment: Segment, sheet: Sheet) -> list[tuple[str, float]]:
    words = _unspaced(segment.text.split())
    text = fold(" ".join(words))
    if len(words) > _LONGEST_HEADING:
        return []
    found = [
        (match.start(), -len(match[0]), kind)
        for kind, regex in _PATTERNS.items()
        if (match := regex.search(text))
    ]
    if not found:
        return []
    names_itself = found[0][0] == 0 and any(map(str.isdigit, text))
    weight = 1.0 if len(words) <= 3 or names_itself else 0.6
    weight += 1.5 if segment.height > 1.3 * sheet.height else 0.0
    weight += 1.0 if segment.text.isupper() and len(words) <= 3 else 0.0
    weight += 0.5 if segment.row < 6 else 0.0
    return [(min(found, key=lambda one: (one[1], one[0]))[2], weight)]


def _unspaced(words: list[str]) -> list[str]:
    """Return the words, or as one those that are printed with gaps between their letters: `I N V O I C E`."""
    return ["".join(words)] if len(words) > 2 and all(len(word) == 1 for word in words) else words
