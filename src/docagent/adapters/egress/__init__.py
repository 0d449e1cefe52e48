"""The one guarded way out to addresses that users chose."""
