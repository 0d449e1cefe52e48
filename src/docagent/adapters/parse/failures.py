"""Texts for files whose reading process died or had to be killed."""

from __future__ import annotations

TIMED_OUT = (
    "Reading this file took too long and was stopped. Split it into smaller files, or try again later."
)
OUT_OF_MEMORY = "Reading this file needs more memory than one file may use. Split it or reduce its pictures."
CRASHED = "This file made the reader fail: it is damaged or unusual. Save it anew or as PDF, and upload that."
