"""The built-in model: rules over the words and boxes of a document. Offline, deterministic, no weights."""
