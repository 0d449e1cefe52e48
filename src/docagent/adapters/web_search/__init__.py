"""Search engines, each asked through the guarded way out."""
