"""Teaches the network in slices: `python -m training.train --help`.

Documents are made on the processor's cores while the GPU learns. Every process has a queue of its own, and they take
turns, so that the same seed gives the same batches in the same order.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import time
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from docagent.reader_model.pieces import Pieces
from training.eight_bits import load
from training.net import LONGEST_VALUE, ROW_REACH, ROW_SIZE, SIZE, Net
from training.samples import Batch, batches

_WARM_UP = 150
_NEVER = -1e9
_AVERAGED = 0.999
_WORTH_OF_KIND = 0.1
_KNOWN = ("words.",)
"""What begins with the weights of the language model. The rest is new and learns twice as fast."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder for weights")
    parser.add_argument(
        "--resume", type=Path, help="state of an earlier slice, or weights alone (resume.npz)"
    )
    parser.add_argument(
        "--steps", type=int, default=6000, help="steps of the whole training, all slices together"
    )
    parser.add_argument("--from-step", type=int, default=0)
    parser.add_argument("--until", type=float, default=540.0, help="seconds of this slice")
    parser.add_argument("--tokens", type=int, default=40_000)
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--workers", type=int, default=15)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--designs", type=float, default=1.0, help="share of the designs, to see what variety brings"
    )
    _learn(parser.parse_args())


def _make(seed: int, tokens: int, designs: float, queue: Any) -> None:
    torch.set_num_threads(1)
    for batch in batches(seed, Pieces(), tokens, designs):
        queue.put(batch)


def _learn(options: argparse.Namespace) -> None:  # noqa: C901, PLR0915 - one loop, read from the top down
    began = time.monotonic()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(options.seed)
    context = multiprocessing.get_context("fork")
    queues = [context.Queue(6) for _ in range(options.workers)]
    makers = [
        context.Process(
            target=_make,
            args=(
                options.seed * 10_000 + options.from_step * 100 + number,
                options.tokens,
                options.designs,
                queue,
            ),
            daemon=True,
        )
        for number, queue in enumerate(queues)
    ]
    for maker in makers:
        maker.start()
    net = Net().to(device)
    known = [weight for name, weight in net.named_parameters() if name.startswith(_KNOWN)]
    new = [weight for name, weight in net.named_parameters() if not name.startswith(_KNOWN)]
    optimizer = torch.optim.AdamW(
        [{"params": known, "factor": 1.0}, {"params": new, "factor": 2.0}], lr=options.rate, betas=(0.9, 0.98),
        weight_decay=0.01, fused=device == "cuda",
    )  # fmt: skip
    step = options.from_step
    if options.resume:
        state = _state(options.resume, device)
        missing, unknown = net.load_state_dict(state["net"], strict=False)
        print(f"learnt from chance: {missing}; not used: {unknown}", flush=True)
        if "optimizer" in state:
            optimizer.load_state_dict(state["optimizer"])
        step = state.get("step", step)
    averaged = [weight.detach().clone() for weight in net.parameters()]
    if options.resume and "averaged" in state:
        averaged = [weight.detach().to(device) for weight in state["averaged"]]
    net.train()
    waited = shown = 0.0
    sums = {"start": 0.0, "list": 0.0, "end": 0.0, "row": 0.0, "kind": 0.0, "count": 0}
    seen = 0
    options.out.mkdir(parents=True, exist_ok=True)
    while step < options.steps and time.monotonic() - began < options.until:
        rate = _rate(options.rate, step, options.steps)
        for group in optimizer.param_groups:
            group["lr"] = rate * group["factor"]
        asked = time.monotonic()
        batch = _on(queues[step % len(queues)].get(), device)
        waited += time.monotonic() - asked
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            loss, parts = losses(net, batch)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        step += 1
        seen += len(batch["pieces"])
        _average(averaged, net, step)
        if step % 50 == 0:
            for name, part in parts.items():
                sums[name] += part.item()
            sums["count"] += 1
        if time.monotonic() - shown > 15:
            shown = time.monotonic()
            count = max(1, sums["count"])
            told = " ".join(
                f"{name} {sums[name] / count:.3f}" for name in ("start", "list", "end", "row", "kind")
            )
            sums = dict.fromkeys(sums, 0.0)
            print(
                f"step {step} of {options.steps}, {seen} samples, {shown - began:.0f} s, waited {waited:.0f} s: {told}",
                flush=True,
            )
    for maker in makers:
        maker.terminate()
    torch.save(
        {"net": net.state_dict(), "optimizer": optimizer.state_dict(), "averaged": averaged, "step": step},
        options.out / "state.pt",
    )
    for weight, mean in zip(net.parameters(), averaged, strict=True):
        weight.data.copy_(mean)
    torch.save(
        {"net": {name: weight.half() for name, weight in net.state_dict().items()}},
        options.out / "weights.pt",
    )
    print(f"ended at step {step}", flush=True)


@torch.no_grad()
def _average(averaged: list[Tensor], net: Net, step: int) -> None:
    share = 1 - min(_AVERAGED, (step + 1) / (step + 10))
    for mean, weight in zip(averaged, net.parameters(), strict=True):
        mean.lerp_(weight, share)


def _state(path: Path, device: str) -> dict[str, Any]:
    """Return the state of an earlier slice, or its weights alone, as they travelled."""
    if path.suffix == ".npz":
        return {"net": {name: torch.from_numpy(weight) for name, weight in load(path).items()}}
    state: dict[str, Any] = torch.load(path, map_location=device, weights_only=True)
    return state


def _rate(rate: float, step: int, steps: int) -> float:
    return (
        rate
        * min(1.0, (step + 1) / _WARM_UP)
        * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * min(1.0, step / steps))))
    )


def _on(batch: Batch, device: str) -> dict[str, Tensor]:
    moved = {name: torch.from_numpy(array).to(device, non_blocking=True) for name, array in batch.items()}
    return {name: array.long() if array.dtype == torch.int32 else array for name, array in moved.items()}


def losses(net: Net, batch: dict[str, Tensor]) -> tuple[Tensor, dict[str, Tensor]]:
    """Return the loss and its parts: where values begin, where those of lists begin, where values end, what stands in
    one row, and what kind of document it is.
    """
    nothing, starts, to_end, ends, of_start, rows, kinds = net(
        *(batch[name] for name in ("pieces", "cases", "places", "questions"))
    )
    right, is_word = batch["right"], batch["is_word"].unsqueeze(1)
    nothing, starts = nothing.float(), starts.float().masked_fill(~is_word, _NEVER)
    single = batch["is_field"] & ~batch["is_list"]
    several = batch["is_field"] & batch["is_list"]
    scores = torch.log_softmax(torch.cat([nothing, starts], -1), -1)
    wanted = torch.cat([~right.any(-1, keepdim=True), right], -1)
    of_single = -torch.logsumexp(scores.masked_fill(~wanted, _NEVER), -1)
    over = starts - nothing
    zero = torch.zeros_like(nothing)
    found = torch.cat([zero, (-over).masked_fill(~right, _NEVER)], -1).logsumexp(-1)
    other = torch.cat([zero, over.masked_fill(right | ~is_word, _NEVER)], -1).logsumexp(-1)
    start = (of_single * single).sum() / single.sum().clamp(min=1)
    lists = ((found + other) * several).sum() / several.sum().clamp(min=1)
    end = _end_loss(net, batch["ends"], to_end, ends, of_start, batch["is_word"])
    share = several.sum() / batch["is_field"].sum()
    row = _row_loss(rows, batch["cells"], batch["cell_rows"])
    kind = functional.cross_entropy(kinds.float(), batch["kinds"], ignore_index=-1, reduction="sum")
    kind = kind / (batch["kinds"] >= 0).sum().clamp(min=1)
    parts = {"start": start, "list": lists, "end": end, "row": row, "kind": kind}
    return start * (1 - share) + lists * share + end + row + _WORTH_OF_KIND * kind, parts


def _row_loss(rows: Tensor, cells: Tensor, cell_rows: Tensor) -> Tensor:
    """Return how badly pairs of cells tell whether they stand in one row. Rows beside each other count most."""
    vectors = rows.float().gather(1, cells.unsqueeze(-1).expand(-1, -1, ROW_SIZE))
    apart = (vectors.unsqueeze(1) - vectors.unsqueeze(2)).square().sum(-1)
    both = (cell_rows.unsqueeze(1) >= 0) & (cell_rows.unsqueeze(2) >= 0)
    away = (cell_rows.unsqueeze(1) - cell_rows.unsqueeze(2)).abs()
    same = (both & (away == 0)).float() * (1 - torch.eye(cells.shape[1], device=rows.device))
    other = (both & (away > 0)).float() / away.clamp(min=1)
    wrong = functional.softplus(apart - ROW_REACH) * same / same.sum().clamp(min=1)
    return (wrong + functional.softplus(ROW_REACH - apart) * other / other.sum().clamp(min=1)).sum()


def _end_loss(
    net: Net, spans: Tensor, to_end: Tensor, ends: Tensor, of_start: Tensor, is_word: Tensor
) -> Tensor:
    row, field, first, last = spans.unbind(1)
    at = first[:, None] + torch.arange(LONGEST_VALUE, device=spans.device)[None]
    inside = at < is_word.shape[1]
    at = at.clamp(max=is_word.shape[1] - 1)
    inside = inside & is_word[row[:, None], at]
    query = (to_end[row, field] + of_start[row, first]).float()
    scores = (query[:, None, :] * ends[row[:, None], at].float()).sum(-1) / math.sqrt(SIZE)
    scores = (scores + net.answers.lengths.weight[:, 0][None].float()).masked_fill(~inside, _NEVER)
    return functional.cross_entropy(scores, last - first)


if __name__ == "__main__":
    main()
