"""The bus, webhooks and the changes feed."""
