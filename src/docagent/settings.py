"""Configuration, read once at the top.

Every setting has a default that works. A setting is changed by an environment variable
(`DOCAGENT_SERVER__PORT=9000`: two underscores between group and name) or in a TOML file (`docagent.toml`
in the working folder, or the file that `DOCAGENT_CONFIG` names). The environment wins.
"""

from __future__ import annotations

import ipaddress
import json
import os
from pathlib import Path
from typing import Annotated, Literal, TypeVar
from urllib.parse import SplitResult, urlsplit
from zoneinfo import available_timezones

from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    model_validator,
)
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

MEBIBYTE = 1024 * 1024


def _web_address(address: str) -> str:
    parts = _parts(address)
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("this is not a web address; write it like https://host/path")
    return address


def _time_zone(name: str) -> str:
    if name != "UTC" and name not in available_timezones():
        raise ValueError(
            "must be the IANA name of a time zone that this machine knows, such as Europe/Berlin"
        )
    return name


def _database_address(address: str) -> str:
    parts = _parts(address)
    kind = parts.scheme.partition("+")[0] if parts else ""
    if kind not in ("postgresql", "postgres", "sqlite"):
        raise ValueError("this is not a database address; write it like postgresql://user:password@host/name")
    return address


def _parts(address: str) -> SplitResult | None:
    """The parts of an address; None if it cannot be read, as with a port that is no number."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return None
    return parts


def _items(given: object) -> object:
    """The items of a list in a variable: separated by commas, or as JSON."""
    if not isinstance(given, str):
        return given
    if given.lstrip().startswith("["):
        return json.loads(given)
    return tuple(part.strip() for part in given.split(",") if part.strip())


def _networks(given: tuple[str, ...]) -> tuple[str, ...]:
    for part in given:
        if part != "*":
            ipaddress.ip_network(part)
    return given


Item = TypeVar("Item")
WebAddress = Annotated[str, AfterValidator(_web_address)]
Listed = Annotated[tuple[Item, ...], NoDecode, BeforeValidator(_items)]


class _Group(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ServerSettings(_Group):
    """Where the server listens."""

    host: str = Field("127.0.0.1", description="Address to listen on.")
    port: int = Field(8000, ge=0, le=65535, description="Port to listen on; 0 takes a free one.")
    public_url: WebAddress | None = Field(
        None, description="Address under which people reach the server, when a proxy stands before it."
    )
    request_limit_mb: int = Field(
        8, ge=1, description="Largest request body other than an upload, in megabytes."
    )
    trusted_proxies: Annotated[Listed[str], AfterValidator(_networks)] = Field(
        (),
        description="Addresses and networks of the proxies whose X-Forwarded-* headers are believed: "
        "`127.0.0.1, 10.0.0.0/8`. None by default; `*` believes everybody.",
    )
    authenticate_seconds: float = Field(
        10, gt=0, description="How long a WebSocket may be open before its client says who it is."
    )


class ConnectionSettings(_Group):
    """Connections that may be open, and how slow they may be. WebSockets and streams of events may last."""

    in_all: int = Field(2000, ge=1, description="Most connections at once.")
    per_address: int = Field(
        200,
        ge=1,
        description="Most connections at once from one address (IPv6: one /64 network), proxies left out. When there "
        "are more, the oldest one without a request ends.",
    )
    header_seconds: float = Field(10, gt=0, description="Longest time for the headers of a request.")
    idle_seconds: int = Field(
        75,
        ge=1,
        description="Longest time between two requests on a connection. Longer than a proxy in front keeps one.",
    )
    bytes_per_second: int = Field(
        500, ge=0, description="Least speed at which a client sends a body and takes an answer; 0 for any."
    )
    body_seconds: float = Field(20, gt=0, description="Time over which the speed of a body is measured.")
    answer_seconds: float = Field(
        60, gt=0, description="Time over which the taking of an answer is measured."
    )


class DatabaseSettings(_Group):
    """Where rows are kept."""

    url: Annotated[str, AfterValidator(_database_address)] | None = Field(
        None, description="PostgreSQL address (`postgresql://user:password@host/name`); none means SQLite."
    )
    pool_size: int = Field(10, ge=1, description="Connections kept open to PostgreSQL, per process.")
    all_through_sqlalchemy: bool = Field(
        False,
        description="Run every statement through SQLAlchemy, also those that skip it: slower, and to be tried when "
        "an answer of the database looks wrong.",
    )

    @property
    def is_postgresql(self) -> bool:
        return self.url is not None and not self.url.startswith("sqlite")


class BlobSettings(_Group):
    """Where files are kept."""

    bucket: str | None = Field(
        None, description="S3 bucket; none means the folder `blobs` in the data folder."
    )
    prefix: str = Field("", description="Prefix of every key in the bucket.")
    endpoint: WebAddress | None = Field(
        None, description="Address of an S3-compatible service other than AWS."
    )
    region: str = Field("us-east-1", description="Region of the bucket.")
    access_key_id: str | None = Field(
        None, description="Access key; none takes the usual AWS environment variables."
    )
    secret_access_key: SecretStr | None = Field(None, description="Secret of the access key.")


class AuthSettings(_Group):
    """Who may come in."""

    secret: SecretStr | None = Field(
        None,
        description="Signs sessions and seals stored secrets; none makes one in the data folder on first start. "
        "PostgreSQL and S3 want it to be set.",
    )
    access_minutes: int = Field(15, ge=1, description="Lifetime of a session's access token.")
    refresh_days: int = Field(30, ge=1, description="Days without use after which a session ends.")
    signed_token_hours: int = Field(
        24, ge=1, description="Lifetime of a token from the signed endpoint or from `/api/auth`."
    )
    login_attempts: int = Field(
        10, ge=1, description="Failed logins per five minutes for one address and e-mail."
    )
    login_attempts_per_address: int = Field(
        30,
        ge=1,
        description="Failed logins per five minutes for one address (IPv6: one /64 network), any e-mail.",
    )
    login_attempts_per_name: int = Field(
        100, ge=1, description="Failed logins per five minutes for one e-mail, from any address."
    )
    login_attempts_in_all: int = Field(1000, ge=1, description="Failed logins per five minutes in all.")
    logins_waiting: int = Field(
        24, ge=1, description="Logins that wait to be checked; those above are to come again in two seconds."
    )
    logins_waiting_per_address: int = Field(
        4, ge=1, description="Logins of one address that wait to be checked."
    )
    admin_email: str = Field("admin@example.com", description="E-mail of the first administrator.")
    admin_password: SecretStr | None = Field(
        None, description="Password of the first administrator; none means the printed login link."
    )
    password_memory_mb: int = Field(
        64,
        ge=19,
        description="MiB that hashing one password takes: the more, the slower to guess from a hash.",
    )
    login_link_hours: int = Field(24, ge=1, description="How long a one-time login link works.")
    invitation_days: int = Field(7, ge=1, le=365, description="How long an invitation can be accepted.")
    invite_newcomers: bool = Field(
        True,
        description="Whether people without an account get one when they accept an invitation of an organisation's "
        "administrator; if not, only invitations of system administrators make accounts.",
    )
    registration: bool | None = Field(
        None,
        description="Whether strangers make accounts of their own with `POST /api/auth/register`; if not, only system "
        "administrators do. Unset: only while the server is for this machine alone, on a loopback address and without "
        "`server.public_url`.",
    )


class MailSettings(_Group):
    """The SMTP server that sends invitations. Without one, their links are copied and handed over."""

    host: str | None = Field(None, description="Host name of the SMTP server; none sends no mail.")
    port: int = Field(587, ge=1, le=65535, description="Port of the SMTP server.")
    security: Literal["starttls", "tls", "none"] = Field(
        "starttls", description="`starttls` (usual on port 587), `tls` (usual on port 465) or `none`."
    )
    username: str | None = Field(None, description="User name at the SMTP server; none signs in to nothing.")
    password: SecretStr | None = Field(None, description="Password at the SMTP server.")
    sender: str | None = Field(None, description="From whom mail is, such as `docagent@example.com`.")
    seconds: float = Field(15, gt=0, description="Longest wait for the SMTP server.")


class DocumentSettings(_Group):
    """What may be uploaded, and how long deleted things are kept."""

    upload_limit_mb: int = Field(100, ge=1, description="Largest file, in megabytes.")
    purge_after_days: float = Field(
        7, ge=0, description="Days after which deleted things are removed permanently."
    )


class ReaderSettings(_Group):
    """How files are read, and the limits for one file."""

    careful: bool = Field(
        False,
        description="Two readers read all of every picture; words on which they disagree count as doubtful. "
        "Several times slower.",
    )
    seconds_per_file: float = Field(
        1800, gt=0, description="Most processor time for one file; on a busy machine it may take longer."
    )
    seconds_per_page: float = Field(120, gt=0, description="Most processor time without a finished page.")
    memory_mb: int = Field(2048, ge=256, description="Memory of the process that reads a file.")
    max_pages: int = Field(5000, ge=1, description="Most pages of one file.")
    max_megapixels: int = Field(40, ge=1, description="Largest page image, in millions of pixels.")


class ExtractionSettings(_Group):
    """How much of a long document goes into one model call, when its schema holds lists."""

    window_characters: int = Field(60_000, ge=1000, description="Most characters of one window.")
    window_pages: int = Field(20, ge=1, description="Most pages of one window.")


class WorkerSettings(_Group):
    """Background work."""

    embedded: bool = Field(True, description="Run jobs inside the server process.")
    concurrency: int = Field(2, ge=1, description="Jobs at once in one process.")
    lease_seconds: int = Field(60, ge=2, description="Silence after which a running job counts as lost.")
    max_attempts: int = Field(3, ge=1, description="Tries before a job is given up.")


class ModelEndpoint(_Group):
    """A model server that speaks OpenAI's format, such as vLLM or llama.cpp."""

    base_url: WebAddress = Field(description="Address of its API, such as `http://host:8000/v1`.")
    models: tuple[str, ...] = Field(description="Names of the models it serves.")
    seeing: tuple[str, ...] = Field((), description="Those of its models that take pictures.")


class ModelSettings(_Group):
    """Language models. Keys are read from `OPENAI_API_KEY`, `ANTHROPIC_API_KEY` and so on, or set in the product."""

    default: str | None = Field(
        None, description="Model for prompts and chats that name none; none means the built-in one."
    )
    endpoints: dict[str, ModelEndpoint] = Field(
        default_factory=dict,
        description="Model servers of your own by name: `{'vllm': {'base_url': ..., 'models': [...]}}`, "
        "and `seeing` names those that take pictures. "
        "The key of a server `vllm` is read from `VLLM_API_KEY`.",
    )
    find_local: bool = Field(
        True,
        validation_alias=AliasChoices("find_local", "find_ollama"),
        description="Look for Ollama, llama.cpp's server, LM Studio and vLLM on this machine. Its former name, "
        "`find_ollama`, still works.",
    )
    local_ports: dict[
        Literal["ollama", "llamacpp", "lmstudio", "vllm"], Annotated[int, Field(gt=0, lt=65536)]
    ] = Field(
        default_factory=dict,
        description="Ports of these servers where they are not the usual ones: `{'llamacpp': 8081}`.",
    )
    local_file: Path | None = Field(
        None, description="A GGUF file that a process of docagent's own runs; needs `docagent[local]`."
    )
    local_context: int = Field(8192, ge=512, description="Context of the model in that file, in tokens.")
    local_threads: int = Field(2, ge=1, description="Threads of its process.")
    local_memory_mb: int = Field(
        8192, ge=0, description="Most memory of its process, in megabytes; 0 for no limit, as GPUs need it."
    )
    local_seconds: float = Field(
        600,
        gt=0,
        description="Longest time for loading the file and for an answer; then the process is killed.",
    )
    calls_per_provider: int = Field(16, ge=1, description="Calls to one provider at once, per process.")
    calls_per_organization: int = Field(
        8, ge=1, description="Calls of one organisation at once, per process."
    )
    connect_seconds: float = Field(10, gt=0, description="Longest wait for a connection.")
    first_byte_seconds: float = Field(120, gt=0, description="Longest wait for the beginning of an answer.")
    silence_seconds: float = Field(60, gt=0, description="Longest pause inside an answer.")
    answer_seconds: float = Field(900, gt=0, description="Longest time for a whole answer.")
    price_per_credit: float = Field(
        0, ge=0, description="US dollars that one credit stands for; 0 charges every call the least."
    )


class LoopSettings(_Group):
    """How the agent goes about a message, and how far it may go."""

    strategy: str = Field("tools", description="Strategy of turns that name none.")
    max_steps: int = Field(
        10, ge=1, le=1000, description="Step limit of a turn; a request may ask for fewer."
    )
    seconds: float = Field(
        600, gt=0, description="Longest time from a message or a verdict to the next pause."
    )
    tokens: int = Field(2_000_000, ge=1, description="Most tokens of one turn.")
    credits: int = Field(0, ge=0, description="Most credits of one turn; 0 for no limit of its own.")
    calls_per_step: int = Field(
        20, ge=1, description="Most model calls of one step, whatever the strategy asks for."
    )
    calls_per_turn: int = Field(
        200, ge=1, description="Most model calls of one turn; to be raised with `max_steps`."
    )


class AgentSettings(_Group):
    """The agent: its loop, its context, and how long it waits for people."""

    loop: LoopSettings = LoopSettings()
    excerpt_characters: int = Field(
        8000, ge=0, description="How much of the document's text the model sees without asking."
    )
    time_zone: Annotated[str, AfterValidator(_time_zone)] = Field(
        "UTC", description="IANA name of the time zone in which organisations live that have chosen none."
    )
    approval_minutes: float = Field(
        0, ge=0, description="Minutes after which a pending approval expires; 0 for never."
    )
    answer_minutes: float = Field(
        10, ge=0, description="Minutes that the agent waits for an answer to its question; 0 for ever."
    )
    proposal_seconds: float = Field(
        120,
        gt=0,
        description="Seconds that the agent may take to prepare a proposal for an uploaded document.",
    )
    lease_seconds: float = Field(
        15, ge=0.5, description="Silence after which another process continues a turn."
    )
    prompts: Path | None = Field(
        None, description="Folder with prompt files that replace those of the package, such as `system.md`."
    )


class EgressSettings(_Group):
    """Calls to addresses that users chose, such as webhooks, and to the search engine. Model servers and the collector
    of telemetry are set by the operator and are not held to this."""

    allow_private: Listed[str] = Field(
        (),
        description="Host names, addresses and networks that may be called although they are not of the open "
        "internet. A name opens private and loopback addresses; others need their network.",
    )
    seconds: float = Field(15, gt=0, description="Longest time for one call, redirects included.")
    answer_mb: int = Field(5, ge=1, description="Largest answer, in megabytes.")


class SearchSettings(_Group):
    """Search on the web for the agent. It is off until a provider is named."""

    provider: Literal["searxng", "tavily", "brave"] | None = Field(
        None, description="`searxng`, `tavily` or `brave`; none switches the search off."
    )
    url: WebAddress | None = Field(
        None,
        description="Address of SearXNG; of the others only where a gateway stands before them. An address that is not "
        "of the open internet must be listed in `egress.allow_private`.",
    )
    key: SecretStr | None = Field(
        None,
        description="Key for Tavily or Brave; for SearXNG only where a proxy before it wants a bearer token.",
    )

    @model_validator(mode="after")
    def _is_complete(self) -> SearchSettings:
        if self.provider == "searxng" and self.url is None:
            raise ValueError("SearXNG needs search.url, the address at which it runs.")
        if self.provider in ("tavily", "brave") and not (self.key and self.key.get_secret_value()):
            raise ValueError(f"{self.provider} needs search.key; set it as DOCAGENT_SEARCH__KEY.")
        return self


class McpSettings(_Group):
    """MCP: our own server, and those of others, whose tools the agent may use once an administrator confirmed them."""

    tools: Listed[Literal["extract", "review", "agent", "all"]] = Field(
        ("extract",),
        min_length=1,
        description="Sets of tools that clients are shown unless they name others.",
    )
    sign_seconds: float = Field(
        10, gt=0, description="How often a client hears that its call is still at work."
    )
    answer_seconds: float = Field(
        50,
        gt=0,
        description="When a client that asked for no progress gets an answer, while the turn runs on.",
    )
    enabled: bool = Field(
        False, description="Whether organisations may add MCP servers and agents use their tools."
    )
    commands: dict[str, tuple[str, ...]] = Field(
        default_factory=dict,
        description="Servers that may be started on this machine, by name: the program and its arguments. They run as "
        "this server does, for every organisation whose administrator names one.",
    )
    seconds: float = Field(30, gt=0, description="Longest time for one call of a tool, connecting included.")
    answer_mb: int = Field(1, ge=1, description="Largest answer of a server, in megabytes.")
    keep_seconds: float = Field(
        300,
        ge=0,
        description="How long the process of a command is kept for its conversation; 0: for one call.",
    )


class WebhookSettings(_Group):
    """Webhooks of organisations."""

    attempts: int = Field(
        6, ge=1, le=10, description="Tries before a delivery is given up; pauses grow from 5 seconds by four."
    )
    keep_days: float = Field(30, gt=0, description="Days for which finished deliveries are listed.")


class TelemetrySettings(_Group):
    """OpenTelemetry, which is on when one of its own `OTEL_` variables names an exporter."""

    content: bool = Field(
        False, description="Put messages, arguments and results, and so the text of documents, into spans."
    )


class LogSettings(_Group):
    """What is written about the running server."""

    level: Literal["debug", "info", "warning", "error"] = Field("info", description="Least level written.")
    format: Literal["auto", "json", "text"] = Field(
        "auto", description="`json` for machines, `text` for people; `auto` looks at the terminal."
    )


class Settings(BaseSettings):
    """Everything that can be configured."""

    model_config = SettingsConfigDict(
        env_prefix="DOCAGENT_", env_nested_delimiter="__", extra="ignore", frozen=True
    )

    data: Path = Field(Path("data"), description="Folder for the database, the files and the secret key.")
    server: ServerSettings = ServerSettings()
    connections: ConnectionSettings = ConnectionSettings()
    database: DatabaseSettings = DatabaseSettings()
    blobs: BlobSettings = BlobSettings()
    auth: AuthSettings = AuthSettings()
    mail: MailSettings = MailSettings()
    documents: DocumentSettings = DocumentSettings()
    reader: ReaderSettings = ReaderSettings()
    extraction: ExtractionSettings = ExtractionSettings()
    worker: WorkerSettings = WorkerSettings()
    models: ModelSettings = ModelSettings()
    agent: AgentSettings = AgentSettings()
    egress: EgressSettings = EgressSettings()
    search: SearchSettings = SearchSettings()
    mcp: McpSettings = McpSettings()
    webhooks: WebhookSettings = WebhookSettings()
    telemetry: TelemetrySettings = TelemetrySettings()
    log: LogSettings = LogSettings()

    @model_validator(mode="after")
    def _mail_is_complete(self) -> Settings:
        if self.mail.host is not None and (self.mail.sender is None or self.server.public_url is None):
            raise ValueError(
                "Mail needs mail.sender, and server.public_url, on which the links in it are built."
            )
        return self

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        file = Path(os.environ.get("DOCAGENT_CONFIG", "docagent.toml"))
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, toml_file=file)
