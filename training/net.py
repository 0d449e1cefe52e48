"""The network: a small language model that also sees where words stand, and points at values."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional

from docagent.reader_model.pieces import MOST_PIECES
from docagent.reader_model.questions import KINDS

SIZE, HEADS, LAYERS, WORDS, POSITIONS = 384, 12, 4, 30_522, 512
LOOKS = 2
"""Layers in which a question looks at the words."""
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

    def forward(self, x: Tensor, bias: Tensor, words: Tensor | None = None) -> Tensor:
        """Let vectors look at each other, or at the words'."""
        asking, seen = self.inputs.weight[:SIZE], self.inputs.weight[SIZE:]
        if words is None:
            query, key, value = self.inputs(x).chunk(3, -1)
        else:
            query = functional.linear(x, asking, self.inputs.bias[:SIZE])
            key, value = functional.linear(words, seen, self.inputs.bias[SIZE:]).chunk(2, -1)
        query, key, value = _heads(query), _heads(key), _heads(value)
        dropped = _DROPPED if self.training else 0.0
        if torch.onnx.is_in_onnx_export():
            weights = torch.softmax(query @ key.transpose(-1, -2) / math.sqrt(SIZE // HEADS) + bias, -1)
            taken = weights @ value
        else:
            taken = functional.scaled_dot_product_attention(
                query, key, value, attn_mask=bias, dropout_p=dropped
            )
        taken = taken.permute(0, 2, 1, 3).reshape(x.shape)
        x = self.norm_attention(x + functional.dropout(self.output(taken), dropped, self.training))
        grown = self.narrow(functional.gelu(self.wide(x)))
        return self.norm(x + functional.dropout(grown, dropped, self.training))


def _heads(x: Tensor) -> Tensor:
    return x.view(x.shape[0], x.shape[1], HEADS, SIZE // HEADS).permute(0, 2, 1, 3)


class Words(nn.Module):
    """Words, or a question, to vectors."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(WORDS, SIZE)
        self.order = nn.Parameter(torch.ones(MOST_PIECES, SIZE))
        """What a piece is worth at its place in the word."""
        self.positions = nn.Embedding(POSITIONS, SIZE)
        self.parts = nn.Embedding(2, SIZE)
        self.norm = nn.LayerNorm(SIZE, eps=1e-12)
        self.cases = nn.Embedding(CASES, SIZE)
        self.sides = nn.ModuleList([nn.Embedding(BINS, SIZE) for _ in range(4)])
        self.distances = nn.Linear(4 * BUCKETS, HEADS, bias=False)
        self.layers = nn.ModuleList([Layer() for _ in range(LAYERS)])
        for side in self.sides:
            nn.init.normal_(side.weight, std=0.01)
        nn.init.normal_(self.cases.weight, std=0.01)
        nn.init.zeros_(self.distances.weight)

    def forward(self, pieces: Tensor, cases: Tensor, places: Tensor) -> Tensor:
        """Return a vector for each word [B,L,S] of which there are pieces [B,L,P]."""
        left, top, right, bottom = places.unbind(-1)
        is_piece = (pieces > 0).to(self.order.dtype).unsqueeze(-1)
        counts = is_piece.sum(2).clamp(min=1)
        x = (self.words(pieces) * is_piece * self.order).sum(2) / counts
        in_words = (cases > 0).long()
        x = x + self.positions.weight[: pieces.shape[1]] + self.parts(in_words)
        seen = self.cases(cases)
        height = torch.clamp(bottom - top, 0, 0.0629) * 1000
        sides = (left * 63, (top - torch.floor(top)) * 63, right * 63, height)
        for table, side in zip(self.sides, sides, strict=True):
            seen = seen + table(torch.clamp(side, 0, BINS - 1).long())
        x = functional.dropout(
            self.norm(x + seen * in_words.unsqueeze(-1).to(x.dtype)), _DROPPED, self.training
        )
        bias = ((pieces[..., 0] == 0).to(x.dtype) * _NEVER)[:, None, None, :]
        bias = bias + self._bias(left, (top + bottom) / 2, right, in_words)
        if x.is_cuda:
            bias = bias.to(torch.bfloat16).contiguous()
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


class Answers(nn.Module):
    """Vectors of words and of questions in; for each question a score for every word to begin the value, and for none."""

    def __init__(self) -> None:
        super().__init__()
        self.looks = nn.ModuleList([Layer() for _ in range(LOOKS)])
        self.question = nn.Sequential(nn.Linear(SIZE, SIZE), nn.GELU(), nn.Linear(SIZE, 2 * SIZE + 1))
        self.start = nn.Linear(SIZE, SIZE)
        self.end = nn.Linear(SIZE, SIZE)
        self.end_of_start = nn.Linear(SIZE, SIZE)
        self.lengths = nn.Embedding(LONGEST_VALUE, 1)
        self.rows = nn.Linear(SIZE, ROW_SIZE)
        self.kinds = nn.Linear(SIZE, len(KINDS))
        nn.init.zeros_(self.lengths.weight)
        nn.init.normal_(self.rows.weight, std=0.01)

    def forward(self, words: Tensor, questions: Tensor, bias: Tensor) -> tuple[Tensor, ...]:
        """Return scores of no value [B,F,1] and of starts [B,F,W], what the scores of ends are made from, vectors
        that are near to each other within a row [B,W,R], and scores of the document's kinds [B,K].
        """
        for look in self.looks:
            questions = look(questions, bias, words)
        word = words[:, 1:]
        query = self.question(questions)
        to_start, to_end, nothing = query[..., :SIZE], query[..., SIZE : 2 * SIZE], query[..., 2 * SIZE :]
        starts = to_start @ self.start(word).transpose(1, 2) / math.sqrt(SIZE)
        return (
            nothing, starts, to_end, self.end(word), self.end_of_start(word), self.rows(word), self.kinds(words[:, 0])
        )  # fmt: skip


class Net(nn.Module):
    """The whole network, as it is taught."""

    def __init__(self) -> None:
        super().__init__()
        self.words = Words()
        self.answers = Answers()

    def forward(self, pieces: Tensor, cases: Tensor, places: Tensor, questions: Tensor) -> tuple[Tensor, ...]:
        """Answer questions [B,F,Q,P] about windows of words."""
        words = self.words(pieces, cases, places)
        batch, fields = questions.shape[:2]
        flat = questions.flatten(0, 1)
        none = torch.zeros(flat.shape[:2], dtype=torch.long, device=flat.device)
        asked = self.words(flat, none, none.unsqueeze(-1).expand(-1, -1, 4).to(places.dtype))
        bias = ((pieces[..., 0] == 0).to(words.dtype) * _NEVER)[:, None, None, :]
        return self.answers(words, asked[:, 0].view(batch, fields, SIZE), bias)


def _bucket(distance: Tensor) -> Tensor:
    """Return 1 to 23, by the logarithm of the distance and its sign. 0 is for pairs without places."""
    grown = torch.sign(distance) * torch.log2(1 + distance.abs() * 200) * 1.4375
    return torch.clamp(torch.round(grown), -11, 11) + 12
