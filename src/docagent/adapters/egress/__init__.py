"""The one guarded way to call addresses that users have chosen."""
