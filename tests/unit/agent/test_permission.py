"""Whether a call runs, asks or is refused: the order of the rules, as a table, and what holds for all of them."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from docagent.domain.turns.events import GrantKind
from docagent.domain.turns.permission import ANY_TOOL, Effect, Mode, Rule, Verdict, evaluate
from docagent.domain.turns.tools import Access, Tool
from docagent.domain.turns.turns import Subject
from tests.support.models.agent_fakes import LOOK, SEARCH, SEND, TOOLS, WRITE, tool
from tests.support.tables import table

ALLOW, ASK, DENY = Effect.ALLOW, Effect.ASK, Effect.DENY
ME, SOMEONE = "me", "someone"
HERE, ELSEWHERE = Subject.document("d"), Subject.document("e")
SAME_ID = Subject.project("d")
AUTO = Mode(auto_approve=True)
LISTED = Mode(auto_approved_tools=("write", "send"))
PLAIN = Mode()
PROPOSES = Mode(auto_approve=True, auto_approved_tools=("write", "send"), proposes=True)
MEASURE = replace(tool("measure", Access.READ_ONLY), calls_model=True)
CREATE = tool("create_schema", Access.READ_WRITE)


def policy(effect: Effect, tool: str = "write", **more: object) -> Rule:
    return Rule("p", effect, tool, **more)  # type: ignore[arg-type]  # fields of Rule


def mine(tool: str = "write", **more: object) -> Rule:
    return Rule("m", ALLOW, tool, **{"user_id": ME, **more})  # type: ignore[arg-type]  # fields of Rule


def judge(
    tool: Tool | None,
    *rules: Rule,
    mode: Mode = PLAIN,
    tainted: bool = True,
    subject: Subject | None = HERE,
    x: int = 1,
    **more: object,
) -> Verdict:
    return evaluate(
        tool, {"x": x, **more}, rules=rules, mode=mode, user_id=ME, subject=subject, tainted=tainted
    )


@table(
    ("verdict", "effect", "kind"),
    [
        # an unknown tool is refused, whatever is said
        (judge(None, policy(ALLOW, ANY_TOOL), mode=AUTO), DENY, None),
        # by its class
        (judge(LOOK), ALLOW, GrantKind.READ_ONLY),
        (judge(WRITE), ASK, None),
        # a tool that has a model read other documents, which may be a model that the conversation named
        (judge(MEASURE, tainted=False), ASK, None),
        (judge(MEASURE, mode=AUTO), ALLOW, GrantKind.REQUEST),
        (judge(MEASURE, mode=AUTO, model="another"), ASK, None),
        (judge(MEASURE, mine("measure"), mode=AUTO, model="another"), ASK, None),
        (judge(MEASURE, mode=AUTO, model="another", tainted=False), ALLOW, GrantKind.REQUEST),
        (judge(MEASURE, policy(ALLOW, "measure"), model="another"), ALLOW, GrantKind.ORGANIZATION),
        (judge(MEASURE, mode=PROPOSES), ALLOW, GrantKind.READ_ONLY),
        (judge(MEASURE, mode=PROPOSES, model="another"), DENY, None),
        # what the request says
        (judge(WRITE, mode=AUTO), ALLOW, GrantKind.REQUEST),
        (judge(WRITE, mode=LISTED), ALLOW, GrantKind.REQUEST),
        (judge(LOOK, mode=AUTO), ALLOW, GrantKind.REQUEST),
        (judge(WRITE, mode=Mode(auto_approved_tools=("look", ANY_TOOL))), ASK, None),
        # what the user had remembered goes before the request
        (judge(WRITE, mine(), mode=AUTO), ALLOW, GrantKind.REMEMBERED),
        (judge(WRITE, mine(ANY_TOOL)), ALLOW, GrantKind.REMEMBERED),
        (judge(WRITE, mine("look")), ASK, None),
        (judge(WRITE, mine(user_id=SOMEONE)), ASK, None),
        (judge(WRITE, mine(subject=HERE)), ALLOW, GrantKind.REMEMBERED),
        (judge(WRITE, mine(subject=ELSEWHERE)), ASK, None),
        (judge(WRITE, mine(subject=SAME_ID)), ASK, None),
        (judge(WRITE, mine(subject=HERE), subject=None), ASK, None),
        (judge(WRITE, mine(arguments={"x": 1})), ALLOW, GrantKind.REMEMBERED),
        (judge(WRITE, mine(arguments={"x": 2})), ASK, None),
        (judge(WRITE, mine(arguments={"y": None})), ASK, None),
        # a rule of one's own cannot ask or deny
        (judge(LOOK, Rule("m", DENY, "look", user_id=ME)), ALLOW, GrantKind.READ_ONLY),
        # the organisation goes before the user
        (judge(WRITE, policy(ALLOW)), ALLOW, GrantKind.ORGANIZATION),
        (judge(WRITE, policy(ALLOW), mine(), mode=AUTO), ALLOW, GrantKind.ORGANIZATION),
        (judge(WRITE, policy(ASK), mine(), mode=AUTO), ASK, None),
        (judge(LOOK, policy(ASK, "look"), mode=AUTO), ASK, None),
        (judge(WRITE, policy(DENY), mine(), mode=AUTO), DENY, None),
        (judge(LOOK, policy(DENY, ANY_TOOL)), DENY, None),
        (judge(WRITE, policy(DENY, arguments={"x": 2}), x=2), DENY, None),
        (judge(WRITE, policy(DENY, arguments={"x": 2})), ASK, None),
        (judge(WRITE, policy(DENY, subject=ELSEWHERE)), ASK, None),
        # deny > ask > allow, in whatever order they are stored
        (judge(WRITE, policy(ALLOW), policy(ASK), policy(DENY)), DENY, None),
        (judge(WRITE, policy(ALLOW), policy(ASK)), ASK, None),
        # what sends data out asks while text from outside is there, unless that very tool is allowed
        (judge(SEARCH), ASK, None),
        (judge(SEARCH, tainted=False), ALLOW, GrantKind.READ_ONLY),
        (judge(SEARCH, mine("search"), mode=AUTO), ASK, None),
        (judge(SEND, mode=LISTED), ASK, None),
        (judge(SEND, mode=LISTED, tainted=False), ALLOW, GrantKind.REQUEST),
        (judge(SEARCH, policy(ALLOW, ANY_TOOL)), ASK, None),
        (judge(SEARCH, policy(ALLOW, "search")), ALLOW, GrantKind.ORGANIZATION),
        (judge(SEARCH, policy(ALLOW, "search"), policy(ASK, ANY_TOOL)), ASK, None),
        (judge(SEARCH, policy(ALLOW, "search"), policy(DENY, "search")), DENY, None),
        # while a proposal is prepared nobody is asked, and only what can be a part of it is written
        (judge(LOOK, mode=PROPOSES), ALLOW, GrantKind.READ_ONLY),
        (judge(CREATE, mode=PROPOSES), ALLOW, GrantKind.PROPOSAL),
        (judge(WRITE, mode=PROPOSES), DENY, None),
        (judge(WRITE, policy(ALLOW), mine(), mode=PROPOSES), DENY, None),
        (judge(SEARCH, mode=PROPOSES, tainted=False), DENY, None),
        (judge(SEND, policy(ALLOW, "send"), mode=PROPOSES, tainted=False), DENY, None),
        (judge(CREATE, policy(ASK, ANY_TOOL), mode=PROPOSES), DENY, None),
        (judge(CREATE, policy(DENY, "create_schema"), policy(ALLOW, ANY_TOOL), mode=PROPOSES), DENY, None),
        (judge(LOOK, policy(DENY, "look"), mode=PROPOSES), DENY, None),
    ],
)
def test_the_first_that_says_something_decides(
    verdict: Verdict, effect: Effect, kind: GrantKind | None
) -> None:
    assert verdict.effect is effect
    assert (verdict.grant.kind if verdict.grant else None) is kind
    assert verdict.reason.endswith(".")


@table(("rule", "rule_id"), [(policy(ALLOW), "p"), (mine(), "m")])
def test_a_grant_names_the_rule_that_gave_it(rule: Rule, rule_id: str) -> None:
    grant = judge(WRITE, rule).grant
    assert grant is not None
    assert grant.rule_id == rule_id


rules = st.builds(
    Rule,
    st.just("r"),
    st.sampled_from(Effect),
    st.sampled_from([*(tool.name for tool in TOOLS), ANY_TOOL]),
    st.sampled_from([{}, {"x": 1}, {"x": 2}]),
    st.sampled_from([None, HERE, ELSEWHERE, SAME_ID]),
    st.sampled_from([None, ME, SOMEONE]),
)
modes = st.builds(Mode, st.booleans(), st.sampled_from([(), ("write",), ("look", "send"), (ANY_TOOL,)]))


@given(st.sampled_from(TOOLS), st.lists(rules, max_size=6), modes, st.booleans())
def test_nothing_that_a_client_says_widens_what_the_organisation_wants(
    tool: Tool, given_rules: list[Rule], mode: Mode, tainted: bool
) -> None:
    verdict = judge(tool, *given_rules, mode=mode, tainted=tainted)
    policy_only = [rule for rule in given_rules if rule.user_id is None]
    without = judge(tool, *policy_only, tainted=tainted)
    matching = {rule.effect for rule in policy_only if rule.matches(tool.name, {"x": 1}, HERE)}
    assert (verdict.grant is not None) is (verdict.effect is ALLOW)
    assert (verdict.effect is DENY) is (DENY in matching)
    if ASK in matching:
        assert verdict.effect is not ALLOW
    if tool.access is Access.READ_WRITE and verdict.effect is ALLOW and ALLOW not in matching:
        assert without.effect is ASK
        own = [rule for rule in given_rules if rule.user_id == ME and rule.matches(tool.name, {"x": 1}, HERE)]
        listed = mode.auto_approve or tool.name in mode.auto_approved_tools
        assert listed or ALLOW in {rule.effect for rule in own}
