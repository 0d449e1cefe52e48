"""The API's answers. Written by `make client` from docs/openapi.json: change the API, not this file."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class Answer(BaseModel):
    """Base of all answers. What a newer server adds is kept as it came."""

    model_config = ConfigDict(extra="allow", frozen=True, defer_build=True, protected_namespaces=())


class AccuracyDraft(Answer):
    content: str | None
    json_schema: dict[str, Any] | None


class AccuracyFailure(Answer):
    document_id: str
    document_name: str
    failure: str


class AccuracyValueChange(Answer):
    after: Any
    before: Any
    change: Literal["better", "worse", "same"] | str
    document_id: str
    document_name: str
    expected: Any
    field: str
    path: str
    prompt_revid: str | None


Author = Literal["user", "agent"] | str


class Cell(Answer):
    confidence: float | None
    """How sure the value is, 0 to 1; of a list, its least sure one"""
    doubtful: bool
    """It breaks the schema, or is less sure than the prompt's policy asks for, and nobody has changed or
    verified it"""
    edited: bool
    """A person has changed it"""
    match: str | None
    """How the value was found on the page; null if there is none"""
    page: int | None
    path: str
    """Where the value stands in the result, for edits and verification"""
    problem: str | None
    remark: str | None
    """What does not add up: the same number twice, rows against a total, a date yet to come"""
    value: Any
    verified: bool


class Column(Answer):
    hidden: bool
    """Whether the sheet's template leaves it out"""
    kind: str
    """`text`, `number`, `boolean`, `date` or `list`"""
    path: str
    title: str
    unfolds: bool
    """Whether its rows can be unfolded"""
    within: str | None
    """The unfolded table that it belongs to"""


class CreatedThread(Answer):
    thread_id: str


class DataProblem(Answer):
    expected: Any = None
    """What the keyword asks for, such as types, choices or a limit"""
    keyword: str | None = None
    """The keyword of JSON Schema that is broken"""
    message: str
    path: str
    pointer: str


class DefaultModel(Answer):
    agent_model: str | None
    model: str | None


DocumentState = (
    Literal[
        "uploaded",
        "ocr_processing",
        "ocr_completed",
        "ocr_failed",
        "llm_processing",
        "llm_completed",
        "llm_failed",
    ]
    | str
)


class Doubt(Answer):
    confidence: float
    match: str | None
    path: str
    """Where the value stands in the result; empty for a problem of the whole"""
    problem: str | None


class Estimate(Answer):
    credits: int
    """About what it costs, rather too much than too little"""
    documents: int
    """Documents that would be run"""
    model: str
    pages: int
    unread: int
    """Chosen documents without text, which are left out"""


EvidenceState = Literal["proven", "verified", "unproven"] | str


class FieldScore(Answer):
    extra: int
    """Values that were given where there is none"""
    f1: float | None
    field: str
    """Names with dots, without positions in lists"""
    missed: int
    """Verified values that were not given"""
    near: int
    """Texts that are nearly the same. They do not count as right"""
    precision: float | None
    recall: float | None
    right: int
    wrong: int


FoundKind = Literal["document", "living_document", "schema", "prompt", "project", "tag", "conversation"] | str


JobKind = (
    Literal[
        "read_text", "extract", "set_up", "run_prompt", "deliver_webhook", "calibrate", "learn", "measure"
    ]
    | str
)


JobState = Literal["queued", "running", "done", "failed", "stopped"] | str


class LocalModel(Answer):
    calls_tools: bool | None
    default_for: list[Literal["agent", "extraction"] | str]
    for_agent: bool
    """On the list of models for the agent"""
    max_input_tokens: int
    name: str
    sees_images: bool | None
    server: str
    size_bytes: int | None


Mark = Literal["right", "near", "wrong", "missed", "extra"] | str


class MarkOut(Answer):
    end: int
    start: int


class McpServer(Answer):
    command: str | None
    created_at: datetime
    created_by: str
    enabled: bool
    header_names: list[str]
    id: str
    name: str
    updated_at: datetime
    url: str | None


class MeasureEstimate(Answer):
    credits: int
    """About what it costs, rather too much than too little"""
    documents: int
    """Verified documents that would be run"""
    model: str
    pages: int
    verified: int
    """Documents of the prompt with something verified"""


class Message(Answer):
    message: str


class ModelTick(Answer):
    ability: Literal["speaks", "calls_tools", "keeps_schema", "sees_pictures"] | str
    latency_ms: int
    ok: bool


class Ok(Answer):
    ok: bool | None = None


OrganizationType = Literal["individual", "team", "enterprise"] | str


class PageWords(Answer):
    height: float
    lines: list[list[list[Any]]]
    """Words of each line: text, left, top, right, bottom; 0 to 1 from the page's top left"""
    note: str | None
    """What a person should know of the text of this page"""
    number: int
    width: float
    """In PDF points, as shown"""


Pictures = Literal["never", "doubtful", "always"] | str


class PrivateRegion(Answer):
    box: list[float]
    page: int


class ProblemOut(Answer):
    expected: Any = None
    """What the keyword asks for, such as types, choices or a limit"""
    keyword: str | None = None
    """The keyword of JSON Schema that it breaks, or `sum`"""
    message: str
    path: str


class Project(Answer):
    created_at: datetime
    created_by: str
    description: str
    document_count: int
    id: str
    name: str
    standing_instruction: str
    updated_at: datetime


class ProofWord(Answer):
    box: list[Any]
    page: int
    text: str


ProposalStatus = Literal["running", "proposed", "accepted", "rejected", "failed"] | str


class ProposedPrompt(Answer):
    content: str
    model: str
    name: str
    prompt_id: str
    prompt_revid: str
    prompt_version: int
    schema_id: str | None
    schema_version: int | None
    tag_ids: list[str]


class ProposedSchema(Answer):
    name: str
    response_format: dict[str, Any]
    schema_id: str
    schema_revid: str
    schema_version: int


class RequestedCall(Answer):
    admin_required: bool
    """The organisation's policy wants a person to look at it"""
    arguments: str
    id: str
    name: str
    preview: dict[str, Any] | None
    """What would change; its `kind` says what else it has. Of a long text of kind `text` there are the lines
    around the changes, with the number of lines left out: `lines_above` and `lines_below`"""
    summary: str


ReviewMode = Literal["everything", "doubtful", "nothing"] | str


Role = Literal["admin", "user"] | str


class Run(Answer):
    job_id: str | None = None
    model: str | None = None
    result: dict[str, Any]
    result_id: str | None = None
    status: Literal["success", "queued"] | str


class RunInfo(Answer):
    match_document_ids: list[str] | None
    match_values: dict[str, str] | None
    model: str
    prompt: str
    repairs: int
    report: dict[str, Any]
    requested_model: str | None


RunState = Literal["running", "waiting", "done", "stopped", "failed"] | str


class Schema(Answer):
    created_at: datetime
    created_by: str
    name: str
    response_format: dict[str, Any]
    schema_id: str
    schema_revid: str
    schema_version: int


class Score(Answer):
    extra: int
    """Values that were given where there is none"""
    f1: float | None
    missed: int
    """Verified values that were not given"""
    near: int
    """Texts that are nearly the same. They do not count as right"""
    precision: float | None
    recall: float | None
    right: int
    wrong: int


class Share(Answer):
    precision: float | None
    """How right that part was, as measured"""
    share: float
    """The part that needs no review, 0 to 1"""
    threshold: float | None
    """From which confidence on; null if nothing may"""


class Stopped(Answer):
    streams: int
    """Streams, sockets and waiting requests that were open with them"""
    turns: int
    """Turns that ran with them. Turns that wait for a decision keep waiting"""


class Summary(Answer):
    fields: int
    """Fields of the schema"""
    proven: int
    """Values whose words were found on a page"""
    to_check: int
    """Values that a person should look at; missing ones count"""
    values: int
    """Values in the result"""


class Switched(Answer):
    at: datetime
    auto_verify: bool
    by: str
    precision: float


class Tag(Answer):
    color: str
    created_at: datetime
    created_by: str
    description: str | None
    id: str
    name: str


class Thread(Answer):
    created_at: datetime
    id: str
    title: str
    updated_at: datetime


class ThreadTurn(Answer):
    created_at: datetime
    id: str
    last_seq: int
    model: str
    state: str
    strategy: str


TokenScope = Literal["read", "ask", "write"] | str


ToolState = Literal["offered", "changed", "off"] | str


class Turn(Answer):
    created_at: datetime
    document_id: str | None
    id: str
    last_seq: int
    model: str
    project_id: str | None
    state: str
    strategy: str
    thread_id: str | None
    updated_at: datetime


class Undo(Answer):
    call_id: str
    summary: str


class AccuracyError(Answer):
    document_id: str
    document_name: str
    expected: Any
    field: str
    given_path: str | None
    got: Any
    mark: Mark
    path: str
    prompt_revid: str | None
    """Of the verified result, in which `path` has its place on the page; null if it is deleted"""
    suspicion: str | None
    """Why the verified value may be the wrong one, in a sentence"""


class AccuracyFieldChange(Answer):
    after: Score
    before: Score
    change: Literal["better", "worse", "same"] | str
    field: str


class AccuracyRun(Answer):
    created_at: datetime
    created_by: str
    credits: int
    documents_right: int
    """Documents without any error"""
    done: int
    failed: int
    finished_at: datetime | None
    id: str
    is_draft: bool
    model: str
    prompt_id: str
    prompt_name: str
    prompt_revid: str
    prompt_version: int
    """Of a draft, the version that it would change"""
    reason: str | None
    """Why it waits or failed, or why the last document failed"""
    requested_model: str | None
    score: Score
    """Over all values that are measured so far"""
    seconds: float
    """The sum over the documents, of which some are read at the same time"""
    state: RunState
    """`waiting` continues by itself once there are credits"""
    total: int
    """How many documents it was about when it began"""


class Document(Answer):
    auto_create: bool
    """Once the text is read, the agent prepares a proposal: a schema, a prompt and their result"""
    auto_create_done_at: datetime | None = None
    auto_create_error: str | None = None
    auto_create_prompt_revid: str | None = None
    auto_create_schema_revid: str | None = None
    auto_create_status: ProposalStatus | None = None
    document_name: str
    id: str
    metadata: dict[str, str]
    page_count: int | None
    pages_read: int
    """Pages whose text is read so far"""
    pdf_id: str
    private_regions: list[PrivateRegion] | None
    """Parts of pages that no model gets, in pictures or as words"""
    size: int
    state: DocumentState
    state_reason: str | None
    """Why the state is a failure, or which pages have no text"""
    state_reason_code: str | None
    tag_ids: list[str]
    type: str | None
    upload_date: datetime
    uploaded_by: str


class DocumentContent(Answer):
    auto_create: bool
    """Once the text is read, the agent prepares a proposal: a schema, a prompt and their result"""
    auto_create_agent_log: list[dict[str, Any]] | None
    """Every event of the turn that prepared the proposal"""
    auto_create_done_at: datetime | None = None
    auto_create_error: str | None = None
    auto_create_prompt_revid: str | None = None
    auto_create_schema_revid: str | None = None
    auto_create_status: ProposalStatus | None = None
    content: str | None
    """Base64; null when it was not asked for"""
    document_name: str
    id: str
    metadata: dict[str, str]
    page_count: int | None
    pages_read: int
    """Pages whose text is read so far"""
    pdf_id: str
    private_regions: list[PrivateRegion] | None
    """Parts of pages that no model gets, in pictures or as words"""
    size: int
    state: DocumentState
    state_reason: str | None
    """Why the state is a failure, or which pages have no text"""
    state_reason_code: str | None
    tag_ids: list[str]
    type: str | None
    upload_date: datetime
    uploaded_by: str


class Found(Answer):
    field: str | None
    """The first value of that result that holds one of the words"""
    hits: list[MarkOut]
    """Where the words stand, in characters (code points): first, and one after the last in `passage`"""
    id: str
    """Of a schema or prompt the id of all its versions"""
    kind: FoundKind
    line: int | None
    """The line of a living document that the passage is from"""
    name: str
    name_hits: list[MarkOut]
    """Where the words stand, in characters (code points): first, and one after the last in `name`"""
    page: int | None
    """The page of the document that the passage is from"""
    passage: str
    """A piece of the text, or the values, that hold the words; may be empty"""
    project_id: str | None
    """Where a living document or a conversation belongs"""
    project_name: str | None
    prompt_id: str | None
    """The prompt whose result holds the words"""


class Include(Answer):
    metadata_keys: list[str] | None = None
    ocr_text: bool | None = None
    pdf: bool | None = None
    """False sends neither pictures nor the PDF"""
    pictures: Pictures | None = None
    """When pages go as pictures; left out, as the organisation says"""


class Job(Answer):
    attempts: int
    created_at: datetime
    document_id: str | None
    error: str | None
    error_code: str | None = None
    finished_at: datetime | None
    id: str
    kind: JobKind
    progress: int
    progress_total: int | None
    run_at: datetime
    state: JobState


class LivingDocument(Answer):
    author: Author
    content: str
    created_at: datetime
    created_by: str
    id: str
    name: str
    project_id: str
    reason: str
    standing_instruction: str
    turn_id: str | None
    version: int


class LoadedThread(Answer):
    created_at: datetime
    extraction: Any
    has_earlier: bool
    """Whether turns come before these; ask for them with `before`"""
    id: str
    messages: list[dict[str, Any]]
    title: str
    turns: list[ThreadTurn]
    updated_at: datetime
    working_state: dict[str, Any]


class LocalModels(Answer):
    looks: bool
    """Whether the settings allow to look for servers on this machine"""
    models: list[LocalModel]


class McpServers(Answer):
    commands: list[str]
    enabled: bool
    servers: list[McpServer]


class McpTool(Answer):
    annotations: dict[str, Any]
    confirmed_at: datetime | None
    confirmed_by: str | None
    description: str
    digest: str
    id: str
    name: str
    parameters: dict[str, Any]
    read_only: bool
    state: ToolState


class MemberModel(Answer):
    role: Role
    user_id: str


class ModelCheck(Answer):
    error: str | None
    latency_ms: int
    model: str
    ticks: list[ModelTick]


class NamedResult(Answer):
    auto_verified: bool
    """It skipped review, because it is sure enough"""
    created_at: datetime
    document_id: str
    grounding: Any
    """A tree like the data: where each value stands on the pages"""
    is_edited: bool
    is_verified: bool
    json_schema: dict[str, Any] | None
    """What the prompt asks for; null without a schema"""
    llm_result: dict[str, Any]
    problems: list[ProblemOut]
    """What breaks the schema, is missing or does not add up"""
    prompt_display_name: str | None
    prompt_id: str
    prompt_name: str
    prompt_revid: str
    prompt_version: int
    result_id: str
    revision: int
    run: RunInfo
    updated_at: datetime
    updated_llm_result: dict[str, Any]
    verified_paths: list[str]


class Projects(Answer):
    projects: list[Project]
    skip: int
    total_count: int


class PromptRun(Answer):
    created_at: datetime
    created_by: str
    done: int
    failed: int
    finished_at: datetime | None
    id: str
    prompt_id: str
    prompt_revid: str
    reason: str | None
    """Why it waits or failed, or why the last document failed"""
    state: RunState
    """`waiting` continues by itself once there are credits"""
    total: int
    """How many documents it was about when it began"""


class Proposal(Answer):
    changes: list[dict[str, Any]]
    """What accepting brings about, as previews of approval cards"""
    document_id: str
    document_name: str
    documents_waiting: int
    done_at: datetime | None
    error: str | None
    is_new: bool
    """False when an existing schema and prompt are used"""
    prompt: ProposedPrompt | None
    proposal_id: str
    """Shared by documents for which the same is proposed"""
    reason: str | None
    """Why a schema fits"""
    schema_: ProposedSchema | None = Field(alias="schema")
    status: ProposalStatus
    summary: Summary
    thread_id: str | None
    turn_id: str | None
    """The turn that prepared it; null if something fitted already"""


class Queue(Answer):
    mode: ReviewMode
    name: str
    prompt_id: str
    sample_percent: int
    taken: int
    """Of these, those that somebody else looks at now"""
    threshold: float
    to_check: int
    """Values of these that a person should look at"""
    waiting: int
    """Documents in the queue"""


class Result(Answer):
    auto_verified: bool
    """It skipped review, because it is sure enough"""
    created_at: datetime
    document_id: str
    grounding: Any
    """A tree like the data: where each value stands on the pages"""
    is_edited: bool
    is_verified: bool
    llm_result: dict[str, Any]
    problems: list[ProblemOut]
    """What breaks the schema, is missing or does not add up"""
    prompt_display_name: str | None
    prompt_id: str
    prompt_revid: str
    prompt_version: int
    result_id: str
    revision: int
    run: RunInfo
    updated_at: datetime
    updated_llm_result: dict[str, Any]
    verified_paths: list[str]


class Revoked(Answer):
    message: str
    stopped: Stopped | None = None
    """Left out where nothing ran"""


class Schemas(Answer):
    schemas: list[Schema]
    skip: int
    total_count: int


class SheetRow(Answer):
    cells: list[Cell]
    """In the order of the columns"""
    document_id: str
    document_name: str
    doubts: int
    item: int | None
    """The position in the unfolded table"""
    prompt_revid: str
    prompt_version: int
    result_id: str
    revision: int
    state: str
    """`verified`, `rejected`, `auto_verified`, `inconsistent`, `doubtful` or `proven`"""
    updated_at: datetime
    upload_date: datetime


class StraightThrough(Answer):
    auto_verified: int
    """Documents that skipped review and nobody has looked at since"""
    auto_verify: bool
    documents: Share | None
    """Documents whose least sure value is sure enough; the precision is that of all their values"""
    history: list[Switched]
    """Who decided what, the newest first"""
    name: str
    needed_values: int
    """How many verified values it takes at this precision"""
    precision: float
    """The target precision"""
    prompt_id: str
    remark: str
    """What the figures say, or that too few values are verified"""
    values: Share | None
    """Null while too few values are verified"""
    verified_documents: int
    """Documents of which a person verified everything"""
    verified_values: int


class Tags(Answer):
    skip: int
    tags: list[Tag]
    total_count: int


class Token(Answer):
    created_at: datetime
    id: str
    last_used_at: datetime | None
    lifetime: int
    name: str
    organization_id: str | None
    scope: TokenScope
    token: str
    user_id: str


class TokenOrganization(Answer):
    organization_id: str | None
    organization_name: str | None
    organization_type: OrganizationType | None


class Uploaded(Answer):
    document_id: str
    document_name: str
    duplicate_of: list[str]
    """Documents that were there before with the same bytes"""
    metadata: dict[str, str]
    state: DocumentState
    tag_ids: list[str]
    type: str
    upload_date: datetime
    uploaded_by: str


class User(Answer):
    created_at: datetime
    email: str
    email_verified: bool
    has_password: bool
    has_seen_tour: bool
    id: str
    name: str
    role: Role


class Validation(Answer):
    errors: list[DataProblem] | None = None
    valid: bool


class ValueEvidence(Answer):
    box: list[Any] | None
    """Left, top, right, bottom as fractions of the page, around the words"""
    confidence: float | None
    """How sure the value is, 0 to 1"""
    page: int | None
    path: str
    state: EvidenceState
    """`proven` by words on a page, `verified` by a person, or `unproven`"""
    value: Any
    words: list[ProofWord]


class Version(Answer):
    author: Author
    characters: int
    created_at: datetime
    created_by: str
    id: str
    name: str
    project_id: str
    reason: str
    standing_instruction: str
    turn_id: str | None
    version: int


class Waiting(Answer):
    calls: list[RequestedCall]
    choices: list[str]
    document_id: str | None
    document_name: str | None
    expires_at: datetime | None
    last_seq: int
    """Number of the turn's last event: `seen` of an answer or a verdict"""
    message: str
    plan: list[str] | None
    project_id: str | None
    project_name: str | None
    question: str | None
    since: datetime
    state: str
    thread_id: str | None
    turn_id: str


class Words(Answer):
    page_count: int
    pages: list[PageWords]


class AccuracyComparison(Answer):
    after: AccuracyRun
    before: AccuracyRun
    documents: int
    """Documents that both measured against the same verified revision"""
    fields: list[AccuracyFieldChange]
    left_out: int
    """Documents of either run that cannot be compared"""
    score_after: Score
    score_before: Score
    values: list[AccuracyValueChange]
    """Values that only one of the runs got right, the worse ones first; at most 1000"""
    values_total: int


class AccuracyErrors(Answer):
    errors: list[AccuracyError]
    skip: int
    total_count: int


class AccuracyReport(Answer):
    draft: AccuracyDraft | None
    failures: list[AccuracyFailure]
    """Documents that could not be measured"""
    fields: list[FieldScore]
    run: AccuracyRun
    suspicious: list[AccuracyError]
    """Verified values that everything else contradicts: look at them again"""


class AccuracyRuns(Answer):
    runs: list[AccuracyRun]
    skip: int
    total_count: int


class Approvals(Answer):
    approvals: list[Waiting]
    skip: int
    total_count: int


class Assignment(Answer):
    document_id: str
    document_name: str
    doubts: list[Doubt]
    """What a person should look at, in the order of the result"""
    json_schema: dict[str, Any] | None
    kept_until: datetime
    """Until then nobody else gets the document"""
    result: Result
    waiting: int
    """Documents in the queue, this one included"""


class Documents(Answer):
    documents: list[Document]
    skip: int
    total_count: int


class Extracted(Answer):
    callback_secret: str | None = None
    data: dict[str, Any] | None = None
    document_id: str
    evidence: list[ValueEvidence] | None = None
    job_id: str | None
    """Ask for the result with it; null if the result was there before"""
    model: str | None = None
    page_count: int | None
    problems: list[ProblemOut] | None = None
    """What breaks the schema, is missing or does not add up"""
    prompt_id: str
    prompt_name: str
    prompt_revid: str
    schema_id: str | None
    schema_version: int | None
    status: Literal["done", "running"] | str
    unproven: list[str] | None = None
    """The values that neither a page nor a person proves"""


class FoundAnything(Answer):
    results: list[Found]


class Jobs(Answer):
    jobs: list[Job]
    skip: int
    total_count: int


class LivingDocuments(Answer):
    documents: list[Version]
    total_count: int


class McpTools(Answer):
    tools: list[McpTool]


class Organization(Answer):
    auto_create_default: bool
    """Whether uploads that do not say have the agent prepare a proposal"""
    created_at: datetime
    default_prompt_enabled: bool
    experimental_features: bool
    flow_log_level: str
    id: str
    members: list[MemberModel]
    name: str
    ocr_catalog: dict[str, Any]
    ocr_config: dict[str, Any]
    pictures: Pictures | None
    """When models that see get pictures of pages; null for the usual, `doubtful`. A prompt may say
    otherwise."""
    remote_pictures: bool
    """Whether pictures and PDFs may go to models outside of the own network"""
    time_zone: str | None
    """IANA name of the time zone in which the agent says what day it is; null for that of the server"""
    type: OrganizationType
    updated_at: datetime


class Prompt(Answer):
    content: str
    created_at: datetime
    created_by: str
    effective_model: str
    """The model that runs: `model` when it can be called."""
    include: Include
    kb_id: str | None
    model: str
    name: str
    peer_match_keys: list[str]
    prompt_id: str
    prompt_revid: str
    prompt_version: int
    schema_id: str | None
    schema_version: int | None
    tag_ids: list[str]


class PromptRuns(Answer):
    runs: list[PromptRun]
    skip: int
    total_count: int


class Queues(Answer):
    queues: list[Queue]


class Results(Answer):
    results: list[NamedResult]


class Sheet(Answer):
    columns: list[Column]
    decimal: str
    """The decimal mark that the template has for CSV files; empty without one"""
    name: str
    prompt_id: str
    prompt_revid: str
    rows: list[SheetRow]
    settled: int
    """Of all documents of the sheet, those that are verified, or sure and without a problem or remark"""
    skip: int
    tables: list[Column]
    """The columns whose rows can be unfolded"""
    to_check: int
    """Values of these that a person should look at; missing ones count"""
    to_review: int
    """Of all documents of the sheet, those that a person should look at"""
    total_count: int
    """How many documents there are, of which each may have several rows"""


class Tokens(Answer):
    access_tokens: list[Token]


class Upload(Answer):
    document: Uploaded


class Users(Answer):
    skip: int
    total_count: int
    users: list[User]


class Versions(Answer):
    total_count: int
    versions: list[Version]


class Next(Answer):
    assignment: Assignment | None
    """None when nothing waits that is free"""


class Organizations(Answer):
    organizations: list[Organization]
    skip: int
    total_count: int


class Prompts(Answer):
    prompts: list[Prompt]
    skip: int
    total_count: int
