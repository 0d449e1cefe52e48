"""The queue for the checking of passwords is short and fair, and the limits are for strangers."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest

from docagent.domain.errors import RateLimited, Unauthenticated
from docagent.services.accounts.sign_in_limits import CHECKED_AT_ONCE, FairQueue, SignInGate, SignInLimits


class Visitors:
    """People in a queue, each of whom stays until told to go."""

    def __init__(self, queue: FairQueue) -> None:
        self._queue = queue
        self.inside: list[str] = []
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._leave: dict[str, asyncio.Event] = {}

    async def come(self, *names: str) -> None:
        """The place of a visitor is their first letter, and their name what follows the last digit."""
        for name in names:
            self._leave[name] = asyncio.Event()
            self._tasks[name] = asyncio.create_task(self._stay(name))
        await _settled()

    async def go(self, name: str) -> None:
        self._leave[name].set()
        await self._tasks[name]
        await _settled()

    async def give_up(self, name: str) -> None:
        self._tasks[name].cancel()
        await _settled()

    def was_refused(self, name: str) -> bool:
        task = self._tasks[name]
        return task.done() and isinstance(task.exception(), RateLimited)

    async def _stay(self, name: str) -> None:
        async with self._queue.turn(
            (name[0],), name.lstrip("abcdefgzABCDEFGZ0123456789"), goes_first=name[0].isupper()
        ):
            self.inside.append(name)
            await self._leave[name].wait()


async def _settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_who_comes_from_elsewhere_need_not_wait_for_all_of_one_place() -> None:
    people = Visitors(FairQueue(2, waiting=10, waiting_of_key=5))
    await people.come("a1", "a2", "a3", "a4", "a5", "b1", "c1", "b2")
    assert people.inside == ["a1", "a2"]
    for name in ("a1", "a2", "a3", "b1", "c1"):
        await people.go(name)
    assert people.inside == ["a1", "a2", "a3", "b1", "c1", "a4", "b2"]


async def test_some_go_first_but_only_one_of_them_from_a_place() -> None:
    people = Visitors(FairQueue(1, waiting=10, waiting_of_key=5))
    await people.come("z1", "a1", "a2", "b1", "C1", "C2", "D1")
    for name in ("z1", "C1", "D1", "a1", "b1"):
        await people.go(name)
    assert people.inside == ["z1", "C1", "D1", "a1", "b1", "C2"]


async def test_one_place_cannot_fill_the_queue() -> None:
    people = Visitors(FairQueue(1, waiting=10, waiting_of_key=2))
    await people.come("a1", "a2", "a3", "a4", "b1")
    assert people.was_refused("a4")
    await people.go("a1")
    await people.go("a2")
    assert people.inside == ["a1", "a2", "b1"]


async def test_places_with_many_give_way_to_one_with_few() -> None:
    people = Visitors(FairQueue(1, waiting=4, waiting_of_key=3))
    await people.come("z1", "a1", "a2", "b1", "b2", "c1")
    assert [name for name in ("a1", "a2", "b1", "b2", "c1") if people.was_refused(name)] == ["a2"]
    await people.come("c2")
    assert people.was_refused("c2")
    await people.come("d1", "e1")
    assert [name for name in ("a1", "b1", "b2", "c1", "d1", "e1") if people.was_refused(name)] == ["b2", "e1"]


async def test_one_name_cannot_fill_the_lane_of_its_place() -> None:
    people = Visitors(FairQueue(1, waiting=10, waiting_of_key=3))
    await people.come("z1", "a1-mallory", "a2-mallory", "a3-mallory", "a4-mallory", "a5-ada", "a6-ada")
    refused = [name for name in ("a3-mallory", "a4-mallory", "a5-ada", "a6-ada") if people.was_refused(name)]
    assert refused == ["a3-mallory", "a4-mallory", "a6-ada"]
    for name in ("z1", "a1-mallory", "a2-mallory"):
        await people.go(name)
    assert people.inside[-1] == "a5-ada"


async def test_who_goes_first_finds_room_while_others_wait() -> None:
    people = Visitors(FairQueue(1, waiting=2, waiting_of_key=2))
    await people.come("a1", "b1", "c1", "d1", "E1", "F1", "G1")
    others = ("b1", "c1", "d1", "E1", "F1", "G1")
    assert [name for name in others if people.was_refused(name)] == ["b1", "c1", "d1", "G1"]
    for name in ("a1", "E1"):
        await people.go(name)
    assert people.inside == ["a1", "E1", "F1"]


async def test_who_gives_up_leaves_no_gap() -> None:
    people = Visitors(FairQueue(1, waiting=9, waiting_of_key=9))
    await people.come("a1", "a2", "b1")
    await people.give_up("a2")
    await people.go("a1")
    assert people.inside == ["a1", "b1"]
    await people.give_up("b1")
    await people.come("c1")
    assert people.inside == ["a1", "b1", "c1"]


def gate_with(**limits: int) -> SignInGate:
    """A gate that sends away at once."""
    return SignInGate(SignInLimits(**limits, refusal_seconds=0))


async def fail(gate: SignInGate, name: str, place: str, device: str | None = None) -> type[Exception]:
    with pytest.raises((Unauthenticated, RateLimited)) as caught:
        async with gate.attempt(name, place, device):
            raise Unauthenticated("wrong")
    return caught.type


async def succeed(gate: SignInGate, name: str, place: str, device: str | None = None) -> None:
    async with gate.attempt(name, place, device):
        pass


async def test_names_sprayed_from_one_place_are_limited_and_other_places_are_not() -> None:
    gate = gate_with()
    outcomes = [await fail(gate, f"name {number}", "here") for number in range(40)]
    assert outcomes == [Unauthenticated] * 30 + [RateLimited] * 10
    assert await fail(gate, "another", "here") is RateLimited
    await succeed(gate, "name 0", "there")


async def test_one_name_from_many_places_is_limited_and_other_names_are_not() -> None:
    gate = gate_with(by_name=5)
    outcomes = [await fail(gate, "victim", f"place {number}") for number in range(8)]
    assert outcomes == [Unauthenticated] * 5 + [RateLimited] * 3
    await succeed(gate, "another", "place 1")


async def test_all_together_are_limited() -> None:
    gate = gate_with(in_all=4)
    outcomes = [await fail(gate, f"name {number}", f"place {number}") for number in range(6)]
    assert outcomes == [Unauthenticated] * 4 + [RateLimited] * 2


async def test_a_known_device_is_not_locked_out_by_strangers() -> None:
    gate = gate_with(by_name_and_place=2, by_place=3, by_name=3, in_all=5)
    for number in range(9):
        await fail(gate, "victim", f"place {number}")
        await fail(gate, f"name {number}", "home")
    assert await fail(gate, "victim", "home") is RateLimited
    await succeed(gate, "victim", "home", device="its own")


async def test_whoever_has_signed_in_from_a_place_is_not_locked_out_by_others_there() -> None:
    gate = gate_with(by_name_and_place=2, by_place=3, by_name=3, in_all=5)
    await succeed(gate, "ada", "office")
    for number in range(9):
        await fail(gate, f"name {number}", "office")
        await fail(gate, "ada", f"place {number}")
    assert await fail(gate, "grace", "office") is RateLimited
    await succeed(gate, "ada", "office")
    assert [await fail(gate, "ada", "office") for _ in range(3)] == [Unauthenticated] * 2 + [RateLimited]


async def test_a_known_device_has_its_own_limit_and_harms_nobody() -> None:
    gate = gate_with(by_name_and_place=2, by_place=2, by_name=2, in_all=2)
    outcomes = [await fail(gate, "victim", "home", device="stolen") for _ in range(3)]
    assert outcomes == [Unauthenticated, Unauthenticated, RateLimited]
    await succeed(gate, "victim", "home")


async def test_who_comes_from_where_nobody_failed_goes_before_a_flood() -> None:
    gate = gate_with()
    served: list[str] = []

    async def attempt(place: str) -> None:
        async with gate.attempt(f"name at {place}", place, None):
            served.append(place)

    for number in range(5):
        await fail(gate, f"name {number}", f"flooding {number}")
    async with AsyncExitStack() as checked:
        for number in range(CHECKED_AT_ONCE):
            await checked.enter_async_context(gate.attempt(f"name {number}", f"elsewhere {number}", None))
        waiting = [asyncio.create_task(attempt(f"flooding {number}")) for number in range(5)]
        await _settled()
        waiting.append(asyncio.create_task(attempt("home")))
        await _settled()
    await asyncio.gather(*waiting)
    assert served[0] == "home"


async def test_successes_of_a_crowded_place_count_for_nothing() -> None:
    gate = gate_with(by_place=3)
    for number in range(10):
        await succeed(gate, f"colleague {number}", "office")
    assert await fail(gate, "colleague 1", "office") is Unauthenticated


async def test_who_is_told_to_come_again_has_lost_no_try() -> None:
    gate = gate_with(by_name_and_place=1, waiting=1, waiting_of_place=1)
    async with AsyncExitStack() as others:
        for number in range(CHECKED_AT_ONCE):
            await others.enter_async_context(gate.attempt(f"name {number}", "here", None))
        waiting = asyncio.create_task(succeed(gate, "another", "elsewhere"))
        await _settled()
        with pytest.raises(RateLimited) as caught:
            await succeed(gate, "person", "there")
        assert caught.value.retry_after_seconds == 2
    await waiting
    assert await fail(gate, "person", "there") is Unauthenticated
