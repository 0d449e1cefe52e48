"""Finding each value of a result on the pages: pure matching of values against words with places."""
