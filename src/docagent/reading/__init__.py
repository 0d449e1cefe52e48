"""What stands on a page: printed values, layout, and the form in which a page is stored."""
