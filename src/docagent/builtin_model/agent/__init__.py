"""The built-in model as an agent: what the user said becomes wishes, a wish becomes a plan of tool calls.

`reply.respond` is the way in. Nothing here remembers anything: where a plan stands is read anew from the messages.
"""
