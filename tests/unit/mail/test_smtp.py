"""Mail is handed to a real SMTP server on this machine: in the open, over STARTTLS and over TLS."""

from __future__ import annotations

import socket
import ssl
from ipaddress import IPv4Address
from typing import Any

import pytest
from cryptography import x509

from docagent.adapters.mail.smtp import SmtpMailer, SmtpServer
from docagent.domain.errors import InvalidInput, Unavailable
from docagent.domain.ports import Mail
from tests.support.services.certificates import make_certificate
from tests.support.services.mail import running_mail_server, text_of

HERE = "127.0.0.1"
LETTER = Mail("grace@example.com", "Zoë lädt dich ein", "Grüße.\n\n.A line that begins with a dot\n")
LOGIN: dict[str, Any] = {"username": "sender", "password": "the password of the sender"}


def mailer(port: int, context: ssl.SSLContext | None = None, **changes: Any) -> SmtpMailer:
    server: dict[str, Any] = {"host": HERE, "port": port, "security": "none", "seconds": 20.0}
    return SmtpMailer(SmtpServer(**server | {"sender": "docagent@example.com"} | changes), context)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """For the server, and for a client that trusts it."""
    names = [x509.IPAddress(IPv4Address(HERE))]
    return make_certificate(tmp_path_factory.mktemp("certificate"), "mail.example", names)


async def test_a_letter_arrives_as_it_was_written() -> None:
    with running_mail_server() as server:
        await mailer(server.port).send(LETTER)
        letter = server.next_letter()
    assert (letter["From"], letter["To"]) == ("docagent@example.com", LETTER.to)
    assert letter["Subject"] == LETTER.subject
    assert letter["Message-ID"].endswith("@example.com>")
    assert letter["Auto-Submitted"] == "auto-generated"
    assert text_of(letter).replace("\r\n", "\n") == LETTER.text


@pytest.mark.parametrize("security", ["starttls", "tls"])
async def test_a_password_goes_over_an_encrypted_line_alone(
    certificate: tuple[ssl.SSLContext, ssl.SSLContext], security: str
) -> None:
    serves, trusts = certificate
    with running_mail_server(serves, wrapped=security == "tls") as server:
        await mailer(server.port, trusts, security=security, **LOGIN).send(LETTER)
        assert server.next_letter()["To"] == LETTER.to
    assert server.logins == ["\0sender\0the password of the sender"]
    assert [line for line in server.in_the_open if not line.startswith(("ehlo ", "STARTTLS"))] == []


@pytest.mark.parametrize("security", ["starttls", "tls"])
async def test_a_server_that_cannot_prove_who_it_is_gets_nothing(
    certificate: tuple[ssl.SSLContext, ssl.SSLContext], security: str
) -> None:
    with running_mail_server(certificate[0], wrapped=security == "tls") as server:
        with pytest.raises(Unavailable, match="did not take the mail"):
            await mailer(server.port, security=security, **LOGIN).send(LETTER)
        assert (server.logins, server.letters.empty()) == ([], True)


async def test_a_server_that_does_not_encrypt_gets_nothing() -> None:
    with running_mail_server() as server:
        with pytest.raises(Unavailable, match="did not take the mail"):
            await mailer(server.port, security="starttls", **LOGIN).send(LETTER)
        assert (server.logins, server.letters.empty()) == ([], True)


async def test_a_refused_address_is_told() -> None:
    with running_mail_server() as server:
        with pytest.raises(InvalidInput, match=r"does not take mail for nobody@example\.com"):
            await mailer(server.port).send(Mail("nobody@example.com", "Hello", "Hello"))
        assert server.letters.empty()


async def test_a_server_that_is_away_is_told() -> None:
    with socket.socket() as taken:
        taken.bind((HERE, 0))
        with pytest.raises(Unavailable, match="did not take the mail"):
            await mailer(taken.getsockname()[1]).send(LETTER)


def test_the_password_is_not_shown() -> None:
    assert "the password of the sender" not in repr(
        SmtpServer(HERE, 25, "none", "docagent@example.com", 1, **LOGIN)
    )
