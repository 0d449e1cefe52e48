"""The network: a small language model that also sees where words stand, and points at values."""

from __future__ import annotations

import math
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from docagent.reader_model.questions import KINDS
from training.eight_bits import load

SIZE, HEADS, LAYERS, WORDS, POSITIONS = 384, 12, 6, 30_522, 512
CASES, BINS, BUCKETS = 12, 64, 24
LONGEST_VALUE = 32
"""Words of a value."""
ROW_SIZE, ROW_REACH = 32, 4.0
"""Words whose vectors are nearer to each other than the root of the reach stand in one row."""
_NEVER = -1e4
_DROPPED = 0.1


class Layer(nn.Module):
    """One layer of the language model, with a bias on its attention."""

    def __init__(self) -> None:
        super().__init__()
        self.inputs = nn.Linear(SIZE, 3 * SIZE)
        self.output = nn.Linear(SIZE, SIZE)
        self.norm_attention = nn.LayerNorm(SIZE, eps=1e-12)
        self.wide = nn.Linear(SIZE, 4 * SIZE)
        self.narrow = nn.Linear(4 * SIZE, SIZE)
        self.norm = nn.LayerNorm(SIZE, eps=1e-12)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        batch, length, _ = x.shape
        parts = self.inputs(x).view(batch, length, 3, HEADS, SIZE // HEADS).permute(2, 0, 3, 1, 4)
        query, key, value = parts[0], parts[1], parts[2]
        dropped = _DROPPED if self.training else 0.0
        if torch.onnx.is_in_onnx_export():
            weights = torch.softmax(query @ key.transpose(-1, -2) / math.sqrt(SIZE // HEADS) + bias, -1)
            seen = weights @ value
        else:
            seen = functional.scaled_dot_product_attention(
                query, key, value, attn_mask=bias, dropout_p=dropped
            )
        seen = seen.permute(0, 2, 1, 3).reshape(batch, length, SIZE)
        x = self.norm_attention(x + functional.dropout(self.output(seen), dropped, self.training))
        grown = self.narrow(functional.gelu(self.wide(x)))
        return self.norm(x + functional.dropout(grown, dropped, self.training))


class Net(nn.Module):
    """Questions and words in; for each question a score for every word to begin the value, and for none."""

    def __init__(self, *, with_places: bool = True) -> None:
        super().__init__()
        self.with_places = with_places
        self.words = nn.Embedding(WORDS, SIZE)
        self.positions = nn.Embedding(POSITIONS, SIZE)
        self.parts = nn.Embedding(2, SIZE)
        self.norm = nn.LayerNorm(SIZE, eps=1e-12)
        self.cases = nn.Embedding(CASES, SIZE)
        self.sides = nn.ModuleList([nn.Embedding(BINS, SIZE) for _ in range(4)])
        self.distances = nn.Linear(4 * BUCKETS, HEADS, bias=False)
        self.layers = nn.ModuleList([Layer() for _ in range(LAYERS)])
        self.question = nn.Sequential(nn.Linear(SIZE, SIZE), nn.GELU(), nn.Linear(SIZE, 2 * SIZE + 1))
        self.start = nn.Linear(SIZE, SIZE)
        self.end = nn.Linear(SIZE, SIZE)
        self.end_of_start = nn.Linear(SIZE, SIZE)
        self.lengths = nn.Embedding(LONGEST_VALUE, 1)
        self.rows = nn.Linear(SIZE, ROW_SIZE)
        self.kinds = nn.Linear(SIZE, len(KINDS))
        for side in self.sides:
            nn.init.normal_(side.weight, std=0.01)
        nn.init.normal_(self.cases.weight, std=0.01)
        nn.init.zeros_(self.distances.weight)
        nn.init.zeros_(self.lengths.weight)
        nn.init.normal_(self.rows.weight, std=0.01)

    def forward(
        self,
        pieces: Tensor,
        cases: Tensor,
        places: Tensor,
        in_words: Tensor,
        positions: Tensor,
        mask: Tensor,
        marks: Tensor,
        firsts: Tensor,
    ) -> tuple[Tensor, ...]:
        """Return scores of no value [B,F,1] and of starts [B,F,W], what the scores of ends are made from, vectors
        that are near to each other within a row [B,W,R], and scores of the document's kinds [B,K].
        """
        x = self._encoded(pieces, cases, places, in_words, positions, mask)
        asked = x.gather(1, marks.unsqueeze(-1).expand(-1, -1, SIZE))
        word = x.gather(1, firsts.unsqueeze(-1).expand(-1, -1, SIZE))
        query = self.question(asked)
        to_start, to_end, nothing = query[..., :SIZE], query[..., SIZE : 2 * SIZE], query[..., 2 * SIZE :]
        starts = to_start @ self.start(word).transpose(1, 2) / math.sqrt(SIZE)
        return (
            nothing, starts, to_end, self.end(word), self.end_of_start(word), self.rows(word), self.kinds(x[:, 0])
        )  # fmt: skip

    def _encoded(
        self,
        pieces: Tensor,
        cases: Tensor,
        places: Tensor,
        in_words: Tensor,
        positions: Tensor,
        mask: Tensor,
    ) -> Tensor:
        left, top, right, bottom = places.unbind(-1)
        x = self.words(pieces) + self.positions(positions) + self.parts(in_words)
        written = in_words.unsqueeze(-1).to(x.dtype)
        seen = self.cases(cases)
        if self.with_places:
            height = torch.clamp(bottom - top, 0, 0.0629) * 1000
            sides = (left * 63, (top - torch.floor(top)) * 63, right * 63, height)
            for table, side in zip(self.sides, sides, strict=True):
                seen = seen + table(torch.clamp(side, 0, BINS - 1).long())
        x = functional.dropout(self.norm(x + seen * written), _DROPPED, self.training)
        bias = ((1 - mask.to(x.dtype)) * _NEVER)[:, None, None, :]
        if self.with_places:
            bias = bias + self._bias(left, (top + bottom) / 2, right, in_words)
        if x.is_cuda:
            bias = bias.to(torch.bfloat16).expand(-1, HEADS, x.shape[1], -1).contiguous()
        for layer in self.layers:
            x = layer(x, bias)
        return x

    def _bias(self, left: Tensor, middle: Tensor, right: Tensor, in_words: Tensor) -> Tensor:
        """Return [B,heads,query,key]: what the four distances between two words are worth."""
        both = in_words.unsqueeze(2) * in_words.unsqueeze(1)
        pairs = ((left, left), (left, right), (right, right), (middle, middle))
        buckets = [_bucket(key.unsqueeze(1) - query.unsqueeze(2)).long() * both for key, query in pairs]
        if torch.onnx.is_in_onnx_export():
            tables = self.distances.weight.t().reshape(4, BUCKETS, HEADS)
            worth = sum(functional.embedding(bucket, tables[at]) for at, bucket in enumerate(buckets))
        else:
            every = torch.arange(BUCKETS, device=left.device, dtype=torch.uint8)
            kind = torch.bfloat16 if left.is_cuda else left.dtype
            hot = torch.cat(
                [(bucket.to(torch.uint8).unsqueeze(-1) == every).to(kind) for bucket in buckets], -1
            )
            worth = functional.linear(hot, self.distances.weight.to(kind))
        return worth.permute(0, 3, 1, 2)

    def load_start(self, path: Path) -> None:
        """Begin with the weights of all-MiniLM-L6-v2."""
        known = {name: torch.from_numpy(weight) for name, weight in load(path).items()}
        with torch.no_grad():
            for table, name in (
                (self.words, "word"),
                (self.positions, "position"),
                (self.parts, "token_type"),
            ):
                table.weight.copy_(known[f"embeddings.{name}_embeddings.weight"])
            _copy(self.norm, known, "embeddings.LayerNorm")
            for number, layer in enumerate(self.layers):
                of_layer = f"encoder.layer.{number}"
                own = [f"{of_layer}.attention.self.{name}" for name in ("query", "key", "value")]
                layer.inputs.weight.copy_(torch.cat([known[f"{name}.weight"] for name in own]))
                layer.inputs.bias.copy_(torch.cat([known[f"{name}.bias"] for name in own]))
                _copy(layer.output, known, f"{of_layer}.attention.output.dense")
                _copy(layer.norm_attention, known, f"{of_layer}.attention.output.LayerNorm")
                _copy(layer.wide, known, f"{of_layer}.intermediate.dense")
                _copy(layer.narrow, known, f"{of_layer}.output.dense")
                _copy(layer.norm, known, f"{of_layer}.output.LayerNorm")


def _copy(module: nn.Module, known: dict[str, Tensor], name: str) -> None:
    module.weight.copy_(known[f"{name}.weight"])
    module.bias.copy_(known[f"{name}.bias"])


def _bucket(distance: Tensor) -> Tensor:
    """Return 1 to 23, by the logarithm of the distance and its sign. 0 is for pairs without places."""
    grown = torch.sign(distance) * torch.log2(1 + distance.abs() * 200) * 1.4375
    return torch.clamp(torch.round(grown), -11, 11) + 12
