"""The corpus of addresses: what is read, what is refused, and that nothing is read in two ways."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docagent.adapters.egress.client import GuardedHttp
from docagent.adapters.egress.urls import parse_url, redirected
from docagent.domain.egress import EgressRefused
from tests.support.tables import table

READ = {
    "https://example.com": "https://example.com/",
    "HTTPS://EXAMPLE.com/A?b=c#d": "https://example.com/A?b=c",
    "http://example.com:80/": "http://example.com/",
    "http://example.com:8080/x": "http://example.com:8080/x",
    "https://example.com./": "https://example.com/",
    "https://bücher.example/ä": "https://xn--bcher-kva.example/%C3%A4",
    "https://faß.example/": "https://xn--fa-hia.example/",
    "https://a_b.example/": "https://a_b.example/",
    "http://93.184.216.34/": "http://93.184.216.34/",
    "http://[2606:2800:220:1::1]:8080/": "http://[2606:2800:220:1::1]:8080/",
    "https://example.com?x=1": "https://example.com/?x=1",
    "https://example.com/%2e%2e/%00": "https://example.com/%2e%2e/%00",
    "https://example.com/@home": "https://example.com/@home",
    "https://\uff11.example/": "https://1.example/",
}

MISREAD = [
    "",
    "example.com",
    "//example.com/",
    "http:example.com",
    "http:/example.com",
    "http:///example.com",
    "http://",
    "file:///etc/passwd",
    "gopher://127.0.0.1:25/x",
    "ftp://example.com/",
    "javascript:alert(1)",
    "data:text/plain,x",
    "unix:///run/x.sock",
    "http://user@example.com/",
    "http://user:password@example.com/",
    "http://example.com@127.0.0.1/",
    "http://@example.com/",
    "http://example.com\\@127.0.0.1/",
    "http:\\\\example.com/",
    "http://example.com\\.evil.example/",
    "http://exam\tple.com/",
    "http://example.com\r\nHost: x/",
    "http://example.com/a b",
    " http://example.com/",
    "http://example.com/\n",
    "http://example.com\x00/",
    "http://example.com\u00a0/",
    "http://exam\u200bple.com/",
    "http://example.com/\u202e",
    "http://example.com/\ud800",
    "http://example.com:/",
    "http://example.com:0/",
    "http://example.com:65536/",
    "http://example.com:80:80/",
    "http://example.com:\uff18\uff10/",
    "http://example.com:-1/",
    "http://exa%6dple.com/",
    "http://127.0.0.1%2f@example.com/",
    "http://-example.com/",
    "http://exa..mple.com/",
    "http://.example.com/",
    "http://" + "a" * 64 + ".example/",
    "http://" + "a." * 130 + "example/",
    "http://example.com/" + "a" * 2048,
    "http://[::1",
    "http://::1/",
    "http://[fe80::1%25eth0]/",
    "http://[::1]x/",
    "http://[v1.x]/",
    "http://[]/",
    # Hosts that some libraries read as 127.0.0.1.
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0x7f.0.0.1/",
    "http://0x7F.1/",
    "http://017700000001/",
    "http://0177.0.0.1/",
    "http://127.1/",
    "http://127.0.1/",
    "http://127.0.0.01/",
    "http://127.0.0.1.1/",
    "http://256.256.256.256/",
    "http://a.b.0x7f/",
]

FORBIDDEN = [
    "http://127.0.0.1/",
    "http://127.0.0.1./",
    "http://127.255.255.254:8080/",
    "http://①②⑦.⓪.⓪.①/",
    "http://\uff11\uff12\uff17.0.0.1/",
    "http://127。0。0。1/",
    "http://0.0.0.0/",
    "http://10.1.2.3/",
    "http://100.64.0.1/",
    "http://100.100.100.200/latest/meta-data",
    "http://168.63.129.16/",
    "http://169.254.169.254/latest/meta-data",
    "http://172.16.0.1/",
    "http://172.31.255.255/",
    "http://192.0.0.192/",
    "http://192.0.2.1/",
    "http://192.168.1.1/",
    "http://198.18.0.1/",
    "http://198.51.100.1/",
    "http://203.0.113.1/",
    "http://224.0.0.1/",
    "http://240.0.0.1/",
    "http://255.255.255.255/",
    "http://[::]/",
    "http://[::1]/",
    "http://[::127.0.0.1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[::ffff:169.254.169.254]/",
    "http://[0:0:0:0:0:ffff:10.0.0.1]/",
    "http://[64:ff9b::127.0.0.1]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://[64:ff9b:1::1]/",
    "http://[2002:7f00:1::]/",
    "http://[2002:a9fe:a9fe::1]/",
    "http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
    "http://[2001:db8::1]/",
    "http://[fc00::1]/",
    "http://[fd00:ec2::254]/",
    "http://[fe80::1]/",
    "http://[fec0::1]/",
    "http://[ff02::1]/",
    "http://[100::1]/",
    "http://[4000::1]/",
]

OPEN = [
    "http://93.184.216.34/",
    "http://172.32.0.1/",
    "http://100.128.0.1/",
    "http://[2606:2800:220:1::1]/",
    "http://[64:ff9b::8.8.8.8]/",
    "http://[2002:808:808::1]/",
    "http://[::ffff:8.8.8.8]/",
    "https://localhost.example/",
]


@table(("url", "means"), READ.items())
def test_an_address_is_read(url: str, means: str) -> None:
    assert parse_url(url).url == means
    assert parse_url(means).url == means


@table("url", MISREAD)
def test_what_could_be_read_in_two_ways_is_refused(url: str) -> None:
    with pytest.raises(EgressRefused):
        parse_url(url)


@table("url", FORBIDDEN)
def test_numeric_hosts_that_lead_inside_are_refused(url: str) -> None:
    with pytest.raises(EgressRefused, match=r"egress\.allow_private"):
        GuardedHttp().check(url)


@table("url", OPEN)
def test_hosts_of_the_open_internet_pass(url: str) -> None:
    GuardedHttp().check(url)


@table(
    ("location", "leads_to"),
    [
        ("/b", "https://example.com/b"),
        ("b?c", "https://example.com/a/b?c"),
        ("//other.example/b", "https://other.example/b"),
        ("http://other.example", "http://other.example/"),
        ("HTTPS://OTHER.example", "https://other.example/"),
    ],
)
def test_a_redirect_leads_on(location: str, leads_to: str) -> None:
    assert redirected(parse_url("https://example.com/a/x"), location).url == leads_to


@table(
    "location",
    [
        "/\\127.0.0.1/",
        "\t//127.0.0.1/",
        "http:\n//127.0.0.1/",
        "file:///etc/passwd",
        "https:127.0.0.1",
        "http:///127.0.0.1",
        "//user@other.example/",
        "//0x7f.1/",
        "mailto:x@example.com",
    ],
)
def test_a_redirect_is_read_as_strictly(location: str) -> None:
    with pytest.raises(EgressRefused):
        redirected(parse_url("https://example.com/a/x"), location)


@given(st.text(alphabet="htp:/\\@#?%[].0x127a\t \uff11。ﬀ", max_size=40))
def test_what_is_read_once_is_read_the_same_again(tail: str) -> None:
    """So that no later reader finds another host in it."""
    try:
        target = parse_url(f"http://{tail}")
    except EgressRefused:
        return
    again = parse_url(target.url)
    assert again == target
    assert target.host.isascii()
    assert not set(target.host) & set("@/\\?#% ")
