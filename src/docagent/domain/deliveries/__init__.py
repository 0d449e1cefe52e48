"""Notices, webhooks, and messages between processes."""
