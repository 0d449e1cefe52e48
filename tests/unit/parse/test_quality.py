from __future__ import annotations

import random

from docagent.adapters.parse.pdf.quality import looks_garbled
from docagent.domain.documents.text import Box, Word
from tests.support.tables import table

ENGLISH = (
    "The supplier shall deliver the goods described in the schedule within thirty days after the order has "
    "been confirmed in writing. Risk passes to the buyer on delivery, while title remains with the supplier."
)
SOUND = {
    "english": ENGLISH,
    "english in capitals": ENGLISH.upper(),
    "german": (
        "Sehr geehrte Damen und Herren, für die gelieferten Waren erlauben wir uns, Ihnen den folgenden Betrag "
        "in Rechnung zu stellen. Die Zahlung ist innerhalb von vierzehn Tagen zu überweisen."
    ),
    "polish": (
        "Niniejsza umowa została zawarta w Warszawie dnia pierwszego stycznia pomiędzy stronami wymienionymi "
        "poniżej i wchodzi w życie z dniem podpisania przez obie strony. Zmiany wymagają formy pisemnej."
    ),
    "vietnamese": (
        "Hợp đồng này có hiệu lực kể từ ngày ký và được lập thành hai bản có giá trị pháp lý như nhau, mỗi bên "
        "giữ một bản để thực hiện theo quy định của pháp luật Việt Nam hiện hành"
    ),
    "greek": "Αυτή η παρούσα σύμβαση τίθεται σε ισχύ από την ημερομηνία υπογραφής της και από τα δύο μέρη "
    * 2,
    "cyrillic": "Договор вступает силу момента подписания обеими сторонами, действует течение года " * 2,
    "japanese": "本契約は、両当事者が署名した日から効力を生じるものとし、エービーシー株式会社が保管する。"
    * 3,
    "arabic": "يدخل هذا العقد حيز التنفيذ من تاريخ توقيعه من قبل الطرفين ويظل ساريا لمدة سنة واحدة " * 2,
    "figures": " ".join(f"{number * 7919 % 100000 / 100:,.2f}" for number in range(200)),
    "amounts with signs": "$ 1,200.00 (45.10) 12.5% - $ 900.00 (3.00) 7.1% - € 20 £ 31 +4 -2 #12",
    "code": (
        "def total(lines): return sum(line.amount * (1 - line.discount) for line in lines if line.is_valid()) "
        "class Ledger: def __init__(self, path): self.path = path; self.entries = {} # http://localhost:8080/x"
    ),
    "ticker symbols": (
        "AAPL MSFT GOOG AMZN NVDA META TSLA BRKB LLY JPM XOM UNH COST MRK ABBV CVX CRM BAC PEP WMT NFLX AMD "
        "ADBE TMO LIN MCD CSCO ABT QCOM INTU TXN CAT AMAT PFE IBM"
    ),
    "one word": "Hello",
    "dots that lead to numbers": "Contents ............ 3 Terms ............ 7 Annex ............ 12",
    "empty boxes": "[ ] [x] [ ] [ ]",
    "nothing": "",
}


def shifted(text: str, by: int) -> str:
    """What a font gives whose character codes are moved against ASCII."""
    return " ".join("".join(chr(ord(letter) + by) for letter in word) for word in text.split())


def scrambled_alphabet(text: str) -> str:
    letters = list("abcdefghijklmnopqrstuvwxyz")
    mixed = letters.copy()
    random.Random(11).shuffle(mixed)
    return text.lower().translate(str.maketrans("".join(letters), "".join(mixed)))


GARBLED = {
    "codes moved by 29": shifted(ENGLISH, -29),
    "codes moved by 3": shifted(ENGLISH, 3),
    "a mixed-up alphabet": scrambled_alphabet(ENGLISH),
    "control characters": "\x01\x02\x03 \x04\x05\x06\x07 \x08\x0e",
    "private use": " ".join(chr(0xF000 + number) * 3 for number in range(40)),
    "replacement characters": "\ufffd\ufffd\ufffd Total \ufffd\ufffd",
    "glyph numbers": "(cid:72)(cid:101)(cid:108) (cid:108)(cid:111)",
    "one word of symbols": '"7+%-',
    "letters of many scripts": "ȀɅ Ԁӝ ژڮ ሐሕ ᐁᐃ ꀀꀄ " * 20,
}


def words_of(text: str) -> list[Word]:
    return [Word(word, Box(0.1, 0.1, 0.2, 0.2)) for word in text.split(" ") if word]


@table("text", SOUND.values())
def test_real_writing_is_believed(text: str) -> None:
    assert not looks_garbled(words_of(text))


@table("text", GARBLED.values())
def test_unmapped_glyphs_are_noticed(text: str) -> None:
    assert looks_garbled(words_of(text))


def test_a_few_odd_characters_do_not_spoil_a_page() -> None:
    assert not looks_garbled(words_of(ENGLISH + " \uf0b7 \uf0b7 \ufffd"))
