"""Lengths of time in ten languages: what they are counted in, and the numbers that contracts spell out."""

UNITS = {
    "year": "year years yr yrs jahr jahre jahren an ans année années año años anno anni ano anos jaar jaren rok "
    "lata lat "
    "roku roky let år",
    "month": "month months mo monat monate monaten mois mes meses mese mesi mês maand maanden miesiąc miesiące "
    "miesięcy "
    "miesiąca měsíc měsíce měsíců månad månader",
    "week": "week weeks woche wochen semaine semaines semana semanas settimana settimane weken tydzień tygodnie "
    "tygodni "
    "týden týdny týdnů vecka veckor",
    "day": "day days tag tage tagen jour jours día días giorno giorni dia dias dag dagen dzień dni den dny dnů dagar",
}
"""What a length of time is counted in."""

NUMBERS = {
    1: "one ein eine einem einer einen un une uno una um uma één een jeden jedna jednoho jednego ett en",
    2: "two zwei deux dos due dois duas twee dwa dwie dwóch dva dvě dvou två",
    3: "three drei trois tres tre três drie trzy trzech tři tří",
    4: "four vier quatre cuatro quattro quatro cztery czterech čtyři čtyř fyra",
    5: "five fünf cinq cinco cinque vijf pięć pięciu pět pěti fem",
    6: "six sechs seis sei zes sześć sześciu šest šesti sex",
    7: "seven sieben sept siete sette sete zeven siedem sedm sju",
    8: "eight acht huit ocho otto oito osiem osm åtta",
    9: "nine neun neuf nueve nove negen dziewięć devět nio",
    10: "ten zehn dix diez dieci dez tien dziesięć deset tio",
    12: "twelve zwölf douze doce dodici doze twaalf dwanaście dvanáct tolv",
    14: "fourteen vierzehn quatorze catorce quattordici catorze veertien czternaście čtrnáct fjorton",
    15: "fifteen fünfzehn quinze quince quindici vijftien piętnaście patnáct femton",
    18: "eighteen achtzehn dix-huit dieciocho diciotto dezoito achttien osiemnaście osmnáct arton",
    20: "twenty zwanzig vingt veinte venti vinte twintig dwadzieścia dvacet tjugo",
    24: "twenty-four vierundzwanzig vingt-quatre veinticuatro ventiquattro vierentwintig tjugofyra",
    30: "thirty dreißig trente treinta trenta trinta dertig trzydzieści třicet trettio",
    36: "thirty-six sechsunddreißig trente-six trentasei zesendertig trettiosex",
    48: "forty-eight achtundvierzig quarante-huit quarantotto achtenveertig",
    60: "sixty sechzig soixante sesenta sessanta sessenta zestig sześćdziesiąt šedesát sextio",
    90: "ninety neunzig quatre-vingt-dix noventa novanta negentig dziewięćdziesiąt devadesát nittio",
}
"""Numbers as contracts spell them out before a length of time."""
