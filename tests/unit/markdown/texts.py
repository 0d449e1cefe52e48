"""Markdown for tests: one plain text, and all that is hard to read."""

from __future__ import annotations

from hypothesis import strategies as st

PLAN = """# Plan

Intro.

## Goals

- one
- two

### Later

three

## Risks
none

```sh
# not a heading
## Goals
```

Notes
=====

end
"""

LINES = [
    *("# A", "## B", "### C", "  ## D ##", "#hashtag", "\\# escaped", "# `A` *b* \\#", "#", "####### seven"),
    *(
        "#\tA",
        "\t# tab",
        "    # code",
        " - # in a list",
        "> # in a quote",
        "> ## B",
        "# A #",
        "# A#",
        "## B ## ",
    ),
    *("Under", "ä “x”", "text", "  text", "---", "===", "  ===", "- - -", "***", "--"),
    *("```", "~~~", "````", "   ```", "    ```", "  ~~~ py", "``` a`b", "- ```", "> ```", "  ```", "\t```"),
    *("- item", "  - nested", "1. one", "10) ten", "*", "> quote", ">", "", "", "", "  "),
    *(
        "<!--",
        "-->",
        "<div>",
        "</div>",
        "<pre>",
        "</pre>",
        "<b>x</b>",
        "<script>",
        "<?",
        "[a]: /b",
        "[a]: /b 'c",
    ),
]
BREAKS = st.sampled_from(["\n", "\r\n", "\r"])
texts = st.one_of(
    st.builds(lambda lines, end: end.join(lines), st.lists(st.sampled_from(LINES), max_size=14), BREAKS),
    st.lists(st.tuples(st.sampled_from(LINES), BREAKS), max_size=14).map(
        lambda lines: "".join(line + end for line, end in lines)
    ),
)
