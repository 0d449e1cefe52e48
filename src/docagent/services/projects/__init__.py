"""Living documents, their files, passages and citations."""
