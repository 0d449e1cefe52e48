"""Writes trained weights into the package: ONNX, 8 bits a weight. `python -m training.export WEIGHTS`."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np
import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic

from training.net import CASES, LONGEST_VALUE, WORDS, Net

TARGET = Path(__file__).parent.parent / "src" / "docagent" / "reader_model" / "data" / "reader.onnx"
INPUTS = ("pieces", "cases", "places", "in_words", "positions", "mask", "marks", "firsts")
OUTPUTS = ("nothing", "starts", "to_end", "ends", "of_start", "rows", "kinds", "lengths")


class Exported(torch.nn.Module):
    """The network with the worth of each length as one more output, so that the file holds all that is needed."""

    def __init__(self, net: Net) -> None:
        super().__init__()
        self.net = net

    def forward(self, *inputs: torch.Tensor) -> tuple[torch.Tensor, ...]:
        every = torch.arange(LONGEST_VALUE) + inputs[-1][0, :1] * 0  # an output must hang on an input
        return (*self.net(*inputs), self.net.lengths(every)[:, 0])


def example(length: int = 64, fields: int = 3, words: int = 20) -> tuple[torch.Tensor, ...]:
    chance = torch.Generator().manual_seed(1)
    lead = length - words
    places = torch.rand(1, length, 4, generator=chance)
    return (
        torch.randint(1000, WORDS, (1, length), generator=chance), torch.randint(0, CASES, (1, length), generator=chance), places,
        (torch.arange(length) >= lead).long()[None], torch.arange(length)[None], torch.ones(1, length, dtype=torch.long),
        torch.arange(fields)[None] * 3 + 1, torch.arange(lead, length)[None],
    )  # fmt: skip


def export(net: Net, target: Path) -> None:
    """Write the network to a file. Sums of words and layers have 8 bits; what is small and delicate stays as it is."""
    net = net.float().cpu().eval()
    axes = {name: {1: "length"} for name in INPUTS[:6]} | {"marks": {1: "fields"}, "firsts": {1: "words"}}
    axes |= {"nothing": {1: "fields"}, "starts": {1: "fields", 2: "words"}, "to_end": {1: "fields"}}
    axes |= {"ends": {1: "words"}, "of_start": {1: "words"}, "rows": {1: "words"}}
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.onnx"
        torch.onnx.export(
            Exported(net), example(), str(whole), input_names=list(INPUTS), output_names=list(OUTPUTS), dynamic_axes=axes,
            opset_version=17, dynamo=False,
        )  # fmt: skip
        kept = [
            node.name
            for node in onnx.load(whole).graph.node
            if node.op_type in ("MatMul", "Gemm", "Gather")
            and "/layers." not in node.name
            and "/words/" not in node.name
        ]
        quantize_dynamic(
            whole, target, weight_type=QuantType.QInt8, per_channel=True, op_types_to_quantize=["MatMul", "Gemm", "Gather"],
            nodes_to_exclude=kept,
        )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path)
    parser.add_argument("--without-places", action="store_true", help="for weights that were taught so")
    parser.add_argument("--target", type=Path, default=TARGET)
    options = parser.parse_args()
    net = Net(with_places=not options.without_places)
    known = torch.load(options.weights, map_location="cpu", weights_only=True)["net"]
    net.load_state_dict({name: weight.float() for name, weight in known.items()})
    export(net, options.target)
    print(
        f"{options.target}: {options.target.stat().st_size / 1e6:.1f} MB, differs by {difference(net, options.target):.4f}"
    )


def difference(net: Net, target: Path) -> float:
    """Return the most by which a score of the file differs from the network's, as a share of the scores' spread."""
    import onnxruntime  # noqa: PLC0415 - only to look at what was written

    inputs = example()
    with torch.no_grad():
        expected = net.eval()(*inputs)[1].numpy()
    session = onnxruntime.InferenceSession(str(target), providers=["CPUExecutionProvider"])
    given = session.run(
        ["starts"], {name: value.numpy() for name, value in zip(INPUTS, inputs, strict=True)}
    )[0]
    return float(np.abs(expected - given).max() / (expected.std() + 1e-6))


if __name__ == "__main__":
    main()
