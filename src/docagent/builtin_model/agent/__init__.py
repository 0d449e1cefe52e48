"""The built-in model as an agent: turns a message into wishes, and each wish into a plan of tool calls.

The entry point is `control.respond`. Nothing is remembered between requests: the state of a plan is read from
the messages each time.
"""
