"""Servers that tests start, and stand-ins for programs that a machine may lack."""
