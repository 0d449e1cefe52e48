"""Views of a document's text: stored form, Textract blocks, tables, markdown and HTML. Pure functions."""
