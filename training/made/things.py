"""Things and what papers say of them, in four languages: thousands of labels that no list of concepts has."""

from __future__ import annotations

from dataclasses import dataclass

from evals.zoo.asking import slug
from evals.zoo.halves import Dice

from training.made.lesson import Way, Ways
from training.made.wording import nameless, said_of, styled

LANGUAGES = ("en", "de", "fr", "es")
_THINGS = """
vehicle|Fahrzeug|véhicule|vehículo; patient|Patient|patient|paciente; policy|Police|police|póliza; shipment|Sendung|envoi|envío
flight|Flug|vol|vuelo; booking|Buchung|réservation|reserva; hotel|Hotel|hôtel|hotel; guest|Gast|hôte|huésped
student|Schüler|élève|alumno; course|Kurs|cours|curso; exam|Prüfung|examen|examen; employee|Mitarbeiter|employé|empleado
department|Abteilung|service|departamento; project|Projekt|projet|proyecto; machine|Maschine|machine|máquina
sample|Probe|échantillon|muestra; laboratory|Labor|laboratoire|laboratorio; property|Immobilie|bien|inmueble
tenant|Mieter|locataire|inquilino; landlord|Vermieter|bailleur|arrendador; meter|Zähler|compteur|contador
warehouse|Lager|entrepôt|almacén; batch|Charge|lot|lote; product|Produkt|produit|producto; licence|Lizenz|licence|licencia
permit|Genehmigung|permis|permiso; court|Gericht|tribunal|tribunal; claim|Schaden|sinistre|siniestro; branch|Filiale|agence|sucursal
agent|Vertreter|agent|agente; registrant|Registrant|déclarant|declarante; committee|Ausschuss|comité|comité
candidate|Kandidat|candidat|candidato; campaign|Kampagne|campagne|campaña; station|Sender|station|emisora
advertiser|Werbekunde|annonceur|anunciante; agency|Agentur|agence|agencia; donor|Spender|donateur|donante; member|Mitglied|membre|socio
club|Verein|club|club; event|Veranstaltung|événement|evento; venue|Ort|lieu|lugar; ship|Schiff|navire|buque; port|Hafen|port|puerto
container|Container|conteneur|contenedor; doctor|Arzt|médecin|médico; hospital|Krankenhaus|hôpital|hospital
prescription|Rezept|ordonnance|receta; school|Schule|école|escuela; child|Kind|enfant|niño; parent|Elternteil|parent|padre
owner|Eigentümer|propriétaire|propietario; driver|Fahrer|conducteur|conductor; inspector|Prüfer|inspecteur|inspector
certificate|Zertifikat|certificat|certificado; loan|Kredit|prêt|préstamo; fund|Fonds|fonds|fondo; report|Bericht|rapport|informe
trainer|Trainer|formateur|entrenador; author|Autor|auteur|autor; publisher|Verlag|éditeur|editorial; witness|Zeuge|témoin|testigo
principal|Auftraggeber|mandant|mandante; broker|Makler|courtier|corredor; seller|Verkäufer|vendeur|vendedor; order|Auftrag|commande|pedido
contract|Vertrag|contrat|contrato; account|Konto|compte|cuenta; invoice|Rechnung|facture|factura; delivery|Lieferung|livraison|entrega
"""
_SAID = {
    "name": ("name|Name|nom|nombre", "text"), "number": ("number|Nummer|numéro|número", "text"), "id": ("ID|ID|identifiant|ID", "text"),
    "code": ("code|Code|code|código", "text"), "date": ("date|Datum|date|fecha", "date"),
    "start": ("start date|Beginn|date de début|fecha de inicio", "date"), "end": ("end date|Ende|date de fin|fecha de fin", "date"),
    "expiry": ("expiry date|Ablaufdatum|date d'expiration|fecha de caducidad", "date"), "fee": ("fee|Gebühr|frais|tarifa", "number"),
    "price": ("price|Preis|prix|precio", "number"), "cost": ("cost|Kosten|coût|coste", "number"),
    "value": ("value|Wert|valeur|valor", "number"), "total": ("total|Summe|total|total", "number"),
    "count": ("count|Anzahl|nombre|cantidad", "number"), "phone": ("phone|Telefon|téléphone|teléfono", "text"),
    "email": ("e-mail|E-Mail|e-mail|correo", "text"), "address": ("address|Anschrift|adresse|dirección", "text"),
    "country": ("country|Land|pays|país", "text"), "city": ("city|Stadt|ville|ciudad", "text"), "type": ("type|Art|type|tipo", "text"),
    "status": ("status|Status|statut|estado", "text"), "manager": ("manager|Leiter|responsable|responsable", "text"),
    "title": ("title|Titel|titre|título", "text"), "office": ("office|Büro|bureau|oficina", "text"),
}  # fmt: skip
_JOINED = {"de": "{said} {thing}", "fr": "{said} de {thing}", "es": "{said} de {thing}"}
_PREFACES = (
    "",
    "",
    "",
    "Full ",
    "Official ",
    "Primary ",
    "Original ",
    "Current ",
    "New ",
    "Total ",
    "First ",
    "Last ",
    "Other ",
)
THINGS = [
    tuple(part.strip() for part in one.split("|"))
    for line in _THINGS.strip().split("\n")
    for one in line.split(";")
]
SAID = {name: (tuple(words.split("|")), kind) for name, (words, kind) in _SAID.items()}


@dataclass(frozen=True)
class Thing(Ways):
    """What is said of a thing: `date` of `permit`, with or without a preface that makes it another one."""

    thing: tuple[str, ...]
    said: str
    preface: str = ""

    @classmethod
    def chance(cls, dice: Dice) -> Thing:
        return cls(
            dice.choice(THINGS), dice.choice(list(SAID)), dice.choice(_PREFACES) if dice.likely(0.25) else ""
        )

    @property
    def type(self) -> str:
        return SAID[self.said][1]

    def label(self, language: str, dice: Dice) -> str:
        """Return what a paper prints before the value."""
        at = LANGUAGES.index(language)
        thing, said = self.thing[at], SAID[self.said][0][at]
        if language == "en":
            own = f"{thing}'s" if dice.likely(0.08) else thing
            text = dice.choice(
                (f"{own} {said}", f"{own} {said}", f"{said} of {thing}", f"{said} of the {thing}")
            )
            text = f"{self.preface.lower()}{text}"
            if self.said in ("name", "number") and dice.likely(0.25):
                text = (
                    f"{self.preface}{thing}"
                    if self.said == "name"
                    else f"{self.preface}{thing} {dice.choice(('no.', '#', 'no'))}"
                )
        elif language == "de" and dice.likely(0.5):
            text = f"{thing}{dice.choice(('', 's', '-'))}{said.lower()}"
        else:
            text = _JOINED[language].format(said=said, thing=thing)
        match dice.choices(("first", "title", "upper", "plain"), (5, 4, 2, 1))[0]:
            case "title":
                return " ".join(word[:1].upper() + word[1:] for word in text.split())
            case "upper":
                return text.upper()
            case "plain":
                return text
            case _:
                return text[:1].upper() + text[1:]

    def draw(self, dice: Dice, *, absent: bool = False) -> Way:
        language = dice.choices(LANGUAGES, (7, 2, 1, 1))[0]
        if self.preface:
            language = "en"
        label = self.label(language, dice)
        said = said_of(label, language, dice)
        if language == "en" and dice.likely(0.5):
            thing, word = self.thing[0], SAID[self.said][0][0]
            said = dice.choice((
                f"The {self.preface.lower()}{word} of the {thing}", f"{self.preface}{word} of the {thing}".capitalize(),
                f"Which {word} the {thing} has", f"What the document gives as {word} of the {thing}",
                f"The {thing}'s {self.preface.lower()}{word}",
            ))  # fmt: skip
        name = styled(slug(label) or "thing", dice)
        chance = dice.random()
        if chance < 0.3:
            return name, ""
        return (nameless(dice), said) if chance < 0.42 else (name, said)
