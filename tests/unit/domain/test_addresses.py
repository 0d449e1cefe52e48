"""Where callers come from, and which networks are trusted."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from docagent.domain.accounts.addresses import Networks, place_of
from docagent.settings import ServerSettings
from tests.support.tables import table


@table(
    ("address", "place"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:aaaa::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:bbbb::2", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("unknown", "unknown"),
    ],
)
def test_everybody_who_has_an_address_has_those_beside_it(address: str, place: str) -> None:
    assert place_of(address) == place


@table(
    ("networks", "address", "is_in"),
    [
        ("", "127.0.0.1", False),
        ("127.0.0.1", "127.0.0.1", True),
        ("127.0.0.1", "127.0.0.2", False),
        ("10.0.0.0/8, 2001:db8::/32", "10.1.2.3", True),
        ("10.0.0.0/8, 2001:db8::/32", "2001:db8:5::1", True),
        ("10.0.0.0/8", "unknown", False),
        ("*", "198.51.100.1", True),
    ],
)
def test_networks(networks: str, address: str, is_in: bool) -> None:
    assert (address in Networks(proxies(networks))) is is_in


def proxies(given: object) -> tuple[str, ...]:
    return ServerSettings.model_validate({"trusted_proxies": given}).trusted_proxies


@table("text", ["10.0.0.0/8, ::1,192.0.2.7", '["10.0.0.0/8", "::1", "192.0.2.7"]'])
def test_proxies_are_a_list_in_either_form(text: str) -> None:
    assert proxies(text) == proxies(["10.0.0.0/8", "::1", "192.0.2.7"]) == ("10.0.0.0/8", "::1", "192.0.2.7")


@table("text", ["proxy.example.com", "10.0.0.1/8", "127.0.0.1;10.0.0.0/8"])
def test_proxies_that_are_none_are_refused_at_the_start(text: str) -> None:
    with pytest.raises(ValidationError):
        proxies(text)


def test_no_proxy_is_trusted_unless_it_is_named() -> None:
    assert ServerSettings().trusted_proxies == proxies("") == ()
