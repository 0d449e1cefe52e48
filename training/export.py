"""Writes trained weights into the package: ONNX, 8 bits a weight. `python -m training.export WEIGHTS`."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic

from training.net import CASES, LONGEST_VALUE, MOST_PIECES, SIZE, WORDS, Answers, Net

TARGET = Path(__file__).parent.parent / "src" / "docagent" / "reader_model" / "data"
WORD_INPUTS = ("pieces", "cases", "places")
ANSWERS = ("nothing", "starts", "to_end", "ends", "of_start", "rows", "kinds", "lengths")


class Exported(torch.nn.Module):
    """The answers with the worth of each length as one more output, so that the file holds all that is needed."""

    def __init__(self, answers: Answers) -> None:
        super().__init__()
        self.answers = answers

    def forward(self, words: torch.Tensor, questions: torch.Tensor) -> tuple[torch.Tensor, ...]:
        # An output must hang on an input, and no word of one document is to be left out.
        every = torch.arange(LONGEST_VALUE) + words[0, 0, :1].long() * 0
        return (*self.answers(words, questions, torch.zeros(1)), self.answers.lengths(every)[:, 0])


def example(words: int = 40) -> tuple[torch.Tensor, ...]:
    chance = torch.Generator().manual_seed(1)
    return (
        torch.randint(1000, WORDS, (1, words, MOST_PIECES), generator=chance),
        torch.randint(0, CASES, (1, words), generator=chance), torch.rand(1, words, 4, generator=chance),
    )  # fmt: skip


def export(net: Net, folder: Path) -> None:
    """Write the network's two parts. Sums of words and layers have 8 bits; what is small and delicate stays as it is."""
    net = net.float().cpu().eval()
    vectors = torch.rand(1, 40, SIZE, generator=torch.Generator().manual_seed(2))
    axes = {name: {1: "length"} for name in (*WORD_INPUTS, "vectors")}
    _write(net.words, example(), folder / "words.onnx", WORD_INPUTS, ("vectors",), axes)
    axes = {"words": {1: "length"}, "questions": {1: "fields"}, "nothing": {1: "fields"}}
    axes |= {"starts": {1: "fields", 2: "words"}, "to_end": {1: "fields"}}
    axes |= {name: {1: "words"} for name in ("ends", "of_start", "rows")}
    asked = (vectors, vectors[:, :3])
    _write(Exported(net.answers), asked, folder / "answers.onnx", ("words", "questions"), ANSWERS, axes)


def _write(
    part: torch.nn.Module,
    inputs: tuple[torch.Tensor, ...],
    target: Path,
    names: Sequence[str],
    outputs: Sequence[str],
    axes: Mapping[str, Mapping[int, str]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.onnx"
        torch.onnx.export(
            part, inputs, str(whole), input_names=list(names), output_names=list(outputs), dynamic_axes=axes,
            opset_version=17, dynamo=False,
        )  # fmt: skip
        kept = [
            node.name
            for node in onnx.load(whole).graph.node
            if node.op_type in ("MatMul", "Gemm", "Gather")
            and not any(name in node.name for name in ("/layers.", "/looks.", "/words/"))
        ]
        quantize_dynamic(
            whole, target, weight_type=QuantType.QInt8, per_channel=True, op_types_to_quantize=["MatMul", "Gemm", "Gather"],
            nodes_to_exclude=kept,
        )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path)
    parser.add_argument("--target", type=Path, default=TARGET)
    options = parser.parse_args()
    net = Net()
    known = torch.load(options.weights, map_location="cpu", weights_only=True)["net"]
    net.load_state_dict({name: weight.float() for name, weight in known.items()})
    export(net, options.target)
    print(f"{options.target}: differs by {difference(net, options.target):.4f}")


def difference(net: Net, folder: Path) -> float:
    """Return the most by which a word's vector in the file differs from the network's, as a share of their spread."""
    import onnxruntime  # noqa: PLC0415 - only to look at what was written

    inputs = example()
    with torch.no_grad():
        expected = net.words.eval()(*inputs).numpy()
    session = onnxruntime.InferenceSession(str(folder / "words.onnx"), providers=["CPUExecutionProvider"])
    given = session.run(None, {name: value.numpy() for name, value in zip(WORD_INPUTS, inputs, strict=True)})[
        0
    ]
    return float(np.abs(expected - given).max() / (expected.std() + 1e-6))


if __name__ == "__main__":
    main()
