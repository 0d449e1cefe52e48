"""What a process does that handles one file. It is forked from `host.py`.

It takes one request from its standard input, binds itself to the request's limits, and only then opens the file.
Answers go out as frames; anything a library prints goes to the log.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import replace

from docagent.adapters.parse import parsers
from docagent.adapters.parse.frames import Finished, FrameWriter, PageStarted, Sent
from docagent.adapters.parse.limits import OUT_OF_MEMORY, allow_processor_time, bind_this_process
from docagent.adapters.parse.request import ReadRequest, Task
from docagent.adapters.parse.tokens import TokenPage
from docagent.domain.documents.formats import FORMATS
from docagent.domain.errors import ReadFailed, ReadFailure

_ALLOCATIONS_BETWEEN_COLLECTIONS = 200_000
"""Collections are rare because words are plain tuples without cycles, and the process does not live long."""


def main() -> None:
    gc.set_threshold(_ALLOCATIONS_BETWEEN_COLLECTIONS)
    answers = FrameWriter(os.fdopen(os.dup(sys.stdout.fileno()), "wb"))
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    request = ReadRequest.decoded(sys.stdin.buffer.readline())
    try:
        bind_this_process(request.limits, converter=FORMATS[request.extension].shown.is_converted)
        allow_processor_time(request.seconds_per_step)
        for message in _answers(request):
            if isinstance(message, PageStarted):
                message = replace(message, processor_seconds=time.process_time())
            answers.send(message)
            if isinstance(message, TokenPage):
                allow_processor_time(request.seconds_per_step)
        answers.send(Finished())
    except ReadFailed as failure:
        answers.send(failure)
    except MemoryError:
        answers.send(ReadFailed(ReadFailure.OUT_OF_MEMORY, OUT_OF_MEMORY))


def _answers(request: ReadRequest) -> Iterator[Sent]:
    if request.path.stat().st_size == 0:
        raise ReadFailed(ReadFailure.EMPTY, "This file is empty. Upload it again.")
    if request.task is Task.DRAW:
        parsers.module(parsers.PICTURES).draw(request)
    elif request.task is Task.REREAD:
        yield from parsers.module(parsers.PICTURES).reread(request)
    elif request.task is Task.MAKE_PDF:
        parsers.make_pdf(request)
    else:
        yield from parsers.read(request)
