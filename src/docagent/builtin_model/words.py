"""Words of labels, brought to one word for one meaning across languages.

`Rechnungs-Nr.`, `Facture n°` and `invoice_number` all become `invoice number`. German and Dutch compounds are
taken apart at their last part.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from docagent.builtin_model.letters import plain

_MEANINGS = {
    "number": "no nr nos num nbr nummer numero numer number id ident identnr idnr # № nro n°",
    "date": "date datum fecha data dated dates datums",
    "invoice": "invoice invoices rechnung rechnungs faktura faktury facture factura fattura factuur inv "
    "handelsrechnung beitragsrechnung",
    "receipt": "receipt beleg bon quittung kassenbon ticket recu",
    "order": "order orders bestellung bestell bestellungs auftrag auftrags commande pedido ordine "
    "zamowienie zamowienia po bestel",
    "contract": "contract vertrag vertrags contrat contrato contratto umowa contracts agreement",
    "document": "document dokument documento dokumentu doc belegs",
    "customer": "customer customers kunde kunden kd client cliente klant klient klienta debitor",
    "buyer": "buyer kaufer acheteur comprador nabywca leistungsempfanger rechnungsempfanger recipient "
    "empfanger billto purchaser koper",
    "supplier": "supplier seller verkaufer vendor lieferant lieferanten verkoper fournisseur vendeur "
    "proveedor vendedor fornitore sprzedawca rechnungsersteller rechnungssteller issuer provider "
    "merchant leistungserbringer creditor payee",
    "company": "company firma firmen unternehmen societe empresa azienda store shop business organisation "
    "organization bedrijf",
    "name": "name nom nombre nome naam nazwa namen names",
    "address": "address anschrift adresse direccion indirizzo adres addresses",
    "total": "total gesamt summe totals totale totaal suma razem sum somme insgesamt ogolem endsumme "
    "endbetrag gesamtsumme summen",
    "grand": "grand end final",
    "amount": "amount betrag montant importe importo bedrag kwota betrage value wert amt wartosc",
    "balance": "balance saldo solde",
    "gross": "gross brutto ttc bruttobetrag",
    "net": "net netto nett ht untaxed hors",
    "tax": "tax vat ust mwst steuer umsatzsteuer mehrwertsteuer tva iva btw gst podatek taxes sst umsatz "
    "taxation",
    "subtotal": "subtotal zwischensumme subtotaal soustotal",
    "sub": "sub zwischen sous",
    "due": "due zahlungsziel fallig falligkeit falligkeits echeance vencimiento scadenza verval "
    "vervaldatum termin offen outstanding",
    "payable": "payable naleznosc zahlender zahlende zahlbar zahl zahlungs pay payer pagar pagare zaplaty "
    "betalen remit owed zahlen uberweisen",
    "payment": "payment zahlung paiement pago pagamento betaling reglement",
    "quantity": "quantity qty menge anzahl anz quantite cantidad quantita aantal hoeveelheid ilosc qte "
    "stuckzahl quantities pcs",
    "unit": "unit einheit einh stuck stk unite einzel units each per eenheid stuk jednostkowa",
    "price": "price preis prix precio prezzo prijs cena prices pu tarif tarief preise",
    "description": "description beschreibung bezeichnung artikelbeschreibung designation descripcion descrizione "
    "omschrijving produkt produktbezeichnung produit leistungsbeschreibung opis details "
    "particulars libelle goods desc",
    "item": "item items artikel article articulo artykul art",
    "title": "title titel titre titulo titolo",
    "product": "product products brand",
    "position": "pos position positions positionen poz positie",
    "line": "line zeile zeilen lines ligne linea regel",
    "discount": "discount rabatt remise descuento sconto korting skonto",
    "from": "from von desde dal od start begin beginn starting starts beginning vom begins",
    "to": "to bis hasta au do end ende ending until thru through ends",
    "period": "period zeitraum periode periodo okres term",
    "flight": "flight flights",
    "phone": "phone tel telephone telefon telefono fon mobile telefoon telefonu handy",
    "fax": "fax telefax",
    "email": "email mail emails courriel emailadres",
    "website": "website web url internet homepage site webseite",
    "iban": "iban",
    "bic": "bic swift",
    "account": "account konto compte cuenta conto kto kontonr rekening acct",
    "bank": "bank banque banco banca bankverbindung bankname",
    "currency": "currency wahrung devise moneda valuta waluta",
    "reference": "reference referenz referencia riferimento ref referentie betreff",
    "issue": "issue issued ausstellung ausstellungs ausgestellt emission wystawienia issuing",
    "delivery": "delivery liefer lieferung livraison entrega consegna levering leistung leistungs shipping "
    "versand shipment ship delivered",
    "basis": "basis base taxable steuerbasis grundlage bemessungsgrundlage grondslag imponible imposable",
    "terms": "terms bedingungen conditions konditionen zahlungsbedingungen",
    "method": "method mode zahlungsart methode",
    "print": "print printed druck gedruckt",
    "rate": "rate satz taux tasa aliquota",
    "commission": "commission provision comm",
    "alternative": "alt alternate alternative",
    "bill": "bill billing",
    "cash": "cash bar bargeld tunai tendered tender paid gegeben",
    "change": "change ruckgeld wechselgeld baki",
    "service": "service",
    "registration": "registration reg registered",
    "city": "city ort stadt ville ciudad citta plaats miasto",
    "zip": "zip postal postcode plz",
    "country": "country land pays pais paese kraj",
    "street": "street strasse rue calle straat ulica",
    "state": "state province bundesland",
    "revision": "revision rev revisions",
    "original": "original",
    "code": "code kod",
    "type": "type typ kind sort",
}
_CANONICAL = {word: meaning for meaning, words in _MEANINGS.items() for word in words.split()}
KNOWN = frozenset(_MEANINGS)


def _words(*lists: str) -> frozenset[str]:
    return frozenset(word for text in lists for word in text.split())


_FILLERS = _words(
    "the a an of this that your our and on for in is at by plus",
    "der die das des dem den im am und ihre unsere zur zum zzgl zuzuglich",
    "de du la le les el los il lo di del della van het een d l uw et i w z",
)
_ENDINGS = {
    "number": "nummer nr number",
    "date": "datum date",
    "amount": "betrag bedrag",
    "total": "summe totaal",
    "price": "preis prijs",
    "name": "name",
    "address": "adresse anschrift",
    "rate": "satz",
    "quantity": "menge",
    "description": "bezeichnung beschreibung",
}
_COMPOUND_ENDINGS = {ending: meaning for meaning, endings in _ENDINGS.items() for ending in endings.split()}
_EXCLUDING = _words("excl exkl exclusive exclusief ohne before without excluding hors")
_INCLUDING = _words("incl inkl inclusive including inklusive mit inclusief")
_SHORTEST_FORGIVEN = 5
_ATOM = re.compile(r"n°|nº|№|#|[^\W_]+")
_CODE_FOLLOWS = re.compile(r"[-/_]?\d")
"""The letters before are the beginning of a code: `INV-2024`."""
_GLUED = re.compile(r"[oO]f(?=[A-Z])")
"""Recognition loses the space after a short word: `Name ofRegistrant`."""
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Atom:
    """A part of a text that has a meaning of its own, at the characters `start` to `end`."""

    meaning: str
    start: int
    end: int

    @property
    def is_known(self) -> bool:
        return self.meaning in KNOWN


def atoms_of(text: str, *, misread: bool = False) -> list[Atom]:
    """The text's words by their meaning. Small words are left out; numbers stay as they are.

    `misread` forgives one wrong letter in a longer word, as recognition makes them.
    """
    atoms: list[Atom] = []
    for match in _ATOM.finditer(plain(text).replace("º", "°")):
        word, start, end = match[0], match.start(), match.end()
        if _GLUED.match(text, start):
            word, start = word[2:], start + 2
        if word.isalpha() and _CODE_FOLLOWS.match(text, end):
            atoms.append(Atom(word.upper(), start, end))
            continue
        if word in _FILLERS:
            continue
        if atoms and atoms[-1].meaning in ("excluding", "including") and _CANONICAL.get(word) == "tax":
            side = "net" if atoms[-1].meaning == "excluding" else "gross"
            atoms[-1] = Atom(side, atoms[-1].start, end)
            continue
        atoms += [Atom(meaning, start, end) for meaning in _meanings(word, misread)]
    return atoms


def meanings_of(name: str) -> tuple[str, ...]:
    """The meanings in a name such as `invoice_number`, `dueDate` or `Total amount`."""
    words = name.replace("_", " ").split()
    spaced = " ".join(
        word if plain(word).strip(".:") in _CANONICAL else _CAMEL.sub(" ", word) for word in words
    )
    return tuple(atom.meaning for atom in atoms_of(spaced))


def _patterns(word: str) -> set[str]:
    return {word[:place] + "?" + word[place + 1 :] for place in range(len(word))}


_FORGIVING = {
    pattern: meaning
    for word, meaning in _CANONICAL.items()
    if len(word) >= _SHORTEST_FORGIVEN
    for pattern in _patterns(word)
}


def _forgiven(word: str) -> str | None:
    if len(word) < _SHORTEST_FORGIVEN or not word.isalpha():
        return None
    return next(
        (_FORGIVING[pattern] for pattern in sorted(_patterns(word)) if pattern in _FORGIVING), None
    ) or _CANONICAL.get(word.replace("rn", "m"))


@lru_cache(maxsize=20_000)
def _meanings(word: str, misread: bool) -> tuple[str, ...]:
    known = _CANONICAL.get(word)
    if known is not None:
        return (known,)
    if word in _EXCLUDING:
        return ("excluding",)
    if word in _INCLUDING:
        return ("including",)
    for ending, meaning in _COMPOUND_ENDINGS.items():
        stem = word.removesuffix(ending)
        if stem != word and len(stem) > 2:
            for shorter in (stem, stem.removesuffix("s"), stem.removesuffix("en"), stem.removesuffix("n")):
                if shorter in _CANONICAL:
                    return (_CANONICAL[shorter], meaning)
            if ending not in ("nr", "name", "date", "satz"):
                return (stem, meaning)
    forgiven = _forgiven(word) if misread else None
    return (forgiven or word,)
