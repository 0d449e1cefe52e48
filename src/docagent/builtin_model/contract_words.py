"""What fields about a contract mean, told by single words of their names and descriptions, however they are put.

Whole phrases are in `asked_words`. These stems tell what no phrase there tells.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from docagent.builtin_model.concepts import Kind

Kinds = frozenset[Kind]

_STEMS = {
    "agreement": "agreement contract deal nda covenant vertrag vereinbarung abkommen contrat accord contrato "
    "acuerdo convenio contratto contratti accordo acordo overeenkomst contracts umow smlouv smlouve "
    "dohod avtal",
    "law": "jurisdi giurisdi juridic jurysdyk law laws legislation recht rechts rechtsordnung gesetz gesetze "
    "droit loi lois legislati ley leyes derecho legislacion legge leggi diritto lei leis direito "
    "legislacao wet wetten wetgeving prawo prawa prawem pravo prava pravem zakon lag lagar lagen ratt",
    "govern": "govern jurisdi giurisdi juridic jurysdyk controls controlling constru interpret appli apply "
    "subject regit regir regissent rige rigen rija rege regem regol regula anwend anzuwend gilt "
    "gelten massgeb unterlieg geldt gelden toepass beheers stosow stosuje wlasciw podleg rozhodn ridi "
    "tillamp regleras",
    "place": "state country nation province territory staat staates land bundesstaat pays etat estado pais "
    "stato paese kraj panstw zeme stat landet",
    "force": "executed execution entered effective effect effects force operative binding bound wirksam "
    "inkraft kraft gultig gueltig vigueur vigor effet efecto efectiv efeito efficac decorr vigenc "
    "ingaan ingaat ingang inwerking obowiaz wejsc zycie ucinn platnost platny ikraft galler validity "
    "valid valide valable",
    "start": "begin begins beginning start starts commenc beginn anfang debut commence empieza inicio inicia "
    "inizio inizia comeca begint aanvang poczat zacat zacin borjar",
    "made": "made dated signed concluded conclude closed geschlossen unterzeichnet signe conclu firmad celebr "
    "suscri stipula gesloten ondertekend zawart podpis uzavr ingick tecknad underteckn",
    "party": "party parties contracting signator signer signers undersigned participant participants entities "
    "partei vertragspartner vertragschliess beteiligt signataire contractant cocontractant parte "
    "partes parti contraent contratant firmante partij partijen contractpart contractpartijen stron "
    "strona stran strany smluvni part parter avtalspart",
    "people": "who whom those people persons companies firms members names everyone wer wen qui ceux quienes "
    "chi coloro quem wie kto kdo vem",
    "long": "long length last lasts lasting duration lifetime runtime period term years months time dauer "
    "laufzeit lange duree temps combien duracion dura plazo tiempo durata tempo prazo duracao duur "
    "duurt looptijd okres czas trwa dlugo doba dobu trvani trva dlouho tid lange loptid giltighetstid",
    "secrecy": "secre confiden geheim vertraulich riservat sigilo vertrouwelijk poufn mlcenliv sekret duties "
    "obligations",
    "end": "notice terminat cancel expir renew kundig resili preavis preaviso preavviso opzeg wypowiedz "
    "vypoved uppsag deadline maturity amend",
    "other": "firm number court school degree office case tax fee price amount payment delivery policy "
    "signature",
}
_SHORTEST_STEM = 4


def contract_meaning(name: Iterable[str], described: Iterable[str], kinds: Kinds) -> str | None:
    """Return the key of the concept that the words of a name and description ask for, if it is one of a contract."""
    named = _roles(name)
    said = named | _roles(described)
    if "other" in said or "end" in said:
        return None
    if kinds == {Kind.DATE}:
        return "effective_date" if _asks_for_start(named, said) else None
    if kinds <= {Kind.AMOUNT, Kind.NUMBER, Kind.PERCENT, Kind.CODE, Kind.BOOLEAN}:
        return None
    if "law" in said and (said & {"govern", "place", "agreement"} or named == {"law"}):
        return "governing_law"
    if {"govern", "place"} <= named or {"govern", "place", "agreement"} <= said:
        return "governing_law"
    if "long" in said and said & {"agreement", "secrecy", "force"}:
        return "duration"
    if named == {"party"} and said <= {"party", "people", "agreement"}:
        return "parties"
    if "agreement" in said and ("party" in said or ("people" in said and said & {"made", "force"})):
        return "parties"
    return None


def _asks_for_start(named: frozenset[str], said: frozenset[str]) -> bool:
    if "agreement" in said:
        return bool(said & {"force", "start", "made"})
    return "force" in named or ("force" in said and bool(said & {"start", "party"}))


def _roles(words: Iterable[str]) -> frozenset[str]:
    return frozenset(role for word in words for role in _roles_of(word))


@cache
def _roles_of(word: str) -> frozenset[str]:
    return frozenset(
        role
        for role, stems in _STEMS.items()
        if any(
            word == stem or (len(stem) >= _SHORTEST_STEM and word.startswith(stem)) for stem in stems.split()
        )
    )
