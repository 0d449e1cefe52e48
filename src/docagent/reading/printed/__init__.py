"""What is printed, and what it means: dates, numbers, currencies, answers and the words of labels, each with its place.

One reader for all who read documents. A reading keeps every meaning, the likeliest first; a document's `Style`
chooses among them. The words of all languages are data (`docagent.words`).
"""

from docagent.reading.printed.answers import answer_of, answer_words, mark_of
from docagent.reading.printed.currencies import codes_of, currency_in, likely_currency, signs_of
from docagent.reading.printed.dates import Day, PrintedDate, find_dates, parse_date
from docagent.reading.printed.folding import fold, squeezed
from docagent.reading.printed.habits import likely_style, told_style
from docagent.reading.printed.kinship import families_of
from docagent.reading.printed.labels import Atom, atoms_of, meanings_of
from docagent.reading.printed.numbers import PrintedNumber, find_numbers, parse_number
from docagent.reading.printed.style import Style

__all__ = [
    "Atom",
    "Day",
    "PrintedDate",
    "PrintedNumber",
    "Style",
    "answer_of",
    "answer_words",
    "atoms_of",
    "codes_of",
    "currency_in",
    "families_of",
    "find_dates",
    "find_numbers",
    "fold",
    "likely_currency",
    "likely_style",
    "mark_of",
    "meanings_of",
    "parse_date",
    "parse_number",
    "signs_of",
    "squeezed",
    "told_style",
]
