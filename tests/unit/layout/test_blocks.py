from __future__ import annotations

from uuid import UUID

import orjson

from docagent.domain.documents.text import Box, Line, Page, Word, WordSource
from docagent.reading.layout.blocks import Block, textract_blocks
from tests.unit.layout.made_pages import PageMaker, right_aligned


def _table_page(number: int = 1) -> Page:
    maker = PageMaker(number).write(72, 60, "Fruit of the year")
    for index, (name, amount) in enumerate(
        [("Fruit", "Tonnes"), ("Apples", "12"), ("Pears", "1,030"), ("Plums", "7")]
    ):
        maker.row(100 + 15 * index, {72: name, right_aligned(300, amount): amount})
    return maker.page()


def _of_kind(blocks: list[Block], kind: str) -> list[Block]:
    return [block for block in blocks if block["BlockType"] == kind]


def _children(block: Block) -> list[str]:
    return [child for relation in block["Relationships"] for child in relation["Ids"]]


def test_a_word_block_has_the_fields_that_clients_read() -> None:
    word = Word("Total", Box(0.1, 0.2, 0.35, 0.25), 0.9312, WordSource.OCR)
    page = Page(3, 100, 100, (Line((word,)),))

    blocks = list(textract_blocks([page]))

    assert [block["BlockType"] for block in blocks] == ["PAGE", "LINE", "WORD"]
    assert blocks[2] == {
        "BlockType": "WORD",
        "Id": "00000003-0003-8000-8000-000000000000",
        "Page": 3,
        "Geometry": {
            "BoundingBox": {"Width": 0.25, "Height": 0.05, "Left": 0.1, "Top": 0.2},
            "Polygon": [
                {"X": 0.1, "Y": 0.2},
                {"X": 0.35, "Y": 0.2},
                {"X": 0.35, "Y": 0.25},
                {"X": 0.1, "Y": 0.25},
            ],
        },
        "Confidence": 93.12,
        "Text": "Total",
        "TextType": "PRINTED",
    }


def test_a_line_has_its_text_its_words_and_their_mean_confidence() -> None:
    words = (Word("two", Box(0, 0, 0.1, 0.1), 1.0), Word("words", Box(0.2, 0, 0.4, 0.1), 0.5))

    blocks = list(textract_blocks([Page(1, 100, 100, (Line(words),))]))

    [line] = _of_kind(blocks, "LINE")
    assert line["Text"] == "two words"
    assert line["Confidence"] == 75.0
    assert line["Geometry"]["BoundingBox"] == {"Width": 0.4, "Height": 0.1, "Left": 0.0, "Top": 0.0}
    assert _children(line) == [block["Id"] for block in _of_kind(blocks, "WORD")]


def test_every_child_exists_and_every_id_is_a_uuid_of_its_own() -> None:
    blocks = list(textract_blocks([_table_page(1), _table_page(2)]))

    ids = [block["Id"] for block in blocks]
    assert len(set(ids)) == len(ids)
    assert {UUID(block_id).version for block_id in ids} == {8}
    assert {child for block in blocks if "Relationships" in block for child in _children(block)} <= set(ids)
    assert list(textract_blocks([_table_page(1), _table_page(2)])) == blocks


def test_a_table_has_cells_with_places_that_lead_to_words() -> None:
    blocks = list(textract_blocks([_table_page()]))
    by_id = {block["Id"]: block for block in blocks}

    [table] = _of_kind(blocks, "TABLE")
    cells = [by_id[child] for child in _children(table)]
    texts = {
        (cell["RowIndex"], cell["ColumnIndex"]): " ".join(by_id[child]["Text"] for child in _children(cell))
        for cell in cells
    }
    assert texts == {
        (1, 1): "Fruit",
        (1, 2): "Tonnes",
        (2, 1): "Apples",
        (2, 2): "12",
        (3, 1): "Pears",
        (3, 2): "1,030",
        (4, 1): "Plums",
        (4, 2): "7",
    }
    assert {(cell["RowSpan"], cell["ColumnSpan"]) for cell in cells} == {(1, 1)}
    assert table["Id"] in _children(_of_kind(blocks, "PAGE")[0])


def test_a_page_without_words_is_one_block_without_children() -> None:
    blocks = list(textract_blocks([Page(1, 100, 100, ()), Page(2, 100, 100, ())]))

    assert [block["BlockType"] for block in blocks] == ["PAGE", "PAGE"]
    assert "Relationships" not in blocks[0]


def test_blocks_are_plain_json() -> None:
    blocks = list(textract_blocks([_table_page()]))

    assert orjson.loads(orjson.dumps(blocks)) == blocks
