"""From a model's reply to a result that can be trusted: parsing, merging, checking, editing."""
