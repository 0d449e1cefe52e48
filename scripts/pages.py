"""Rewrites the pages that are made from the code, then builds the manual as a site: `make docs`."""

from __future__ import annotations

import sys

from scripts import api_page, commands_page, errors_page, formats_page, manual, tools_page
from scripts.events_page import events_page
from scripts.settings_page import settings_page


def main() -> int:
    docs = manual.ROOT / "docs"
    (docs / "settings.md").write_text(settings_page())
    (docs / "events.md").write_text(events_page())
    api_page.PAGE.write_text(api_page.api_page())
    commands_page.PAGE.write_text(commands_page.commands_page())
    errors_page.PAGE.write_text(errors_page.errors_page())
    formats_page.PAGE.write_text(formats_page.formats_page(formats_page.PAGE.read_text()))
    formats_page.CLIENT.write_text(formats_page.client_formats())
    tools_page.PAGE.write_text(tools_page.tools_page(tools_page.PAGE.read_text()))
    return manual.main()


if __name__ == "__main__":
    sys.exit(main())
