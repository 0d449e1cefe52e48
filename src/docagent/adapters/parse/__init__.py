"""Files to pages of words and to PDFs, each file in a child process with limits."""
