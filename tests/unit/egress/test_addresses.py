"""What an administrator opens, and what stays shut."""

from __future__ import annotations

import pytest

from docagent.adapters.egress.addresses import AddressPolicy
from docagent.domain.egress import EgressRefused
from tests.support.tables import table

CASES = [
    # what is listed, host, its addresses, may it be called
    ([], "a.example", ["93.184.216.34"], True),
    ([], "a.example", ["93.184.216.34", "2606:2800:220:1::1"], True),
    ([], "a.example", ["93.184.216.34", "10.0.0.1"], False),
    ([], "a.example", ["10.0.0.1"], False),
    (["10.0.0.0/8"], "a.example", ["10.0.0.1"], True),
    (["10.0.0.0/8"], "a.example", ["10.0.0.1", "192.168.0.1"], False),
    (["10.0.0.1"], "a.example", ["10.0.0.1"], True),
    (["10.0.0.1"], "a.example", ["10.0.0.2"], False),
    (["10.0.0.1/8"], "a.example", ["10.9.9.9"], True),
    (["a.example"], "a.example", ["10.0.0.1"], True),
    (["A.Example."], "a.example", ["127.0.0.1", "::1"], True),
    (["bücher.example"], "xn--bcher-kva.example", ["10.0.0.1"], True),
    (["a.example"], "b.example", ["10.0.0.1"], False),
    (["a.example"], "x.a.example", ["10.0.0.1"], False),
    (["a.example"], "a.example", ["169.254.169.254"], False),
    (["a.example"], "a.example", ["168.63.129.16"], False),
    (["a.example"], "a.example", ["224.0.0.1"], False),
    (["169.254.169.254"], "a.example", ["169.254.169.254"], True),
    (["127.0.0.0/8"], "a.example", ["::ffff:127.0.0.1"], True),
    (["127.0.0.0/8"], "a.example", ["::1"], False),
    (["127.0.0.0/8"], "a.example", ["2002:7f00:1::"], False),
    (["[fd12::1]"], "a.example", ["fd12::1"], True),
    (["fd00::/8"], "a.example", ["fd12::1"], True),
]


@table(("listed", "host", "addresses", "may"), CASES)
def test_what_is_listed_opens_no_more_than_it_says(
    listed: list[str], host: str, addresses: list[str], may: bool
) -> None:
    policy = AddressPolicy(listed)
    if may:
        policy.check(host, addresses)
    else:
        with pytest.raises(EgressRefused) as refused:
            policy.check(host, addresses)
        assert not any(address in refused.value.detail for address in addresses), "tells inner addresses"


@table("entry", ["", "10.0.0.0/33", "http://10.0.0.1", "*.example", "a b"])
def test_a_wrong_entry_is_refused_at_the_start(entry: str) -> None:
    with pytest.raises(EgressRefused):
        AddressPolicy([entry])
