"""Tables and sums of sheets in living documents, over HTTP."""

from __future__ import annotations

from tests.api.review.test_sheets import RESULTS, Pile, make_pile
from tests.support.org_api import OrgApi
from tests.support.product import Product
from tests.support.services.databases import on_each_database

pytestmark = on_each_database


async def edit(pile: Pile, name: str, path: str, value: object) -> None:
    answer = await pile.api.call(
        "PATCH",
        f"/llm/result/{pile.ids[name]}",
        params={"prompt_revid": pile.prompt["prompt_revid"]},
        json={"path": path, "value": value},
    )
    assert answer.status_code == 200, answer.text


async def markdown(pile: Pile, *columns: str, form: str = "rows") -> str:
    answer = await pile.api.call(
        "GET", f"{pile.path}/markdown", params=[("form", form), *(("column", one) for one in columns)]
    )
    assert answer.status_code == 200, answer.text
    text: str = answer.json()["markdown"]
    return text


async def test_a_table_and_a_sum_stay_bound_to_the_sheet(product: Product) -> None:
    pile = await make_pile(product, RESULTS)
    api, prompt_id = pile.api, pile.prompt["prompt_id"]
    await edit(pile, "b.txt", "number", "A|B *2*")
    table = await markdown(pile, "number", "total", "paid")
    assert table == (
        f"[Invoices](sheet:{prompt_id}/rows/number,total,paid)\n\n"
        "| Number | Total | Paid |\n"
        "| --- | ---: | --- |\n"
        "| =cmd() |  |  |\n"
        "| INV-1 | 1200.50 | no |\n"
        "| A\\|B \\*2\\* | 90.00 | yes |"
    )
    months = await markdown(pile, "date", "total", form="sum")
    assert months.endswith("| Date | Total |\n| --- | ---: |\n| 2026-01 | 1200.50 |\n| 2026-03 | 90.00 |")
    counted = await markdown(pile, "date", form="sum")
    assert counted.endswith("| Date | Documents |\n| --- | ---: |\n| 2026-01 | 1 |\n| 2026-03 | 2 |")

    project = f"/projects/{(await api.post('/projects', {'name': 'Costs'}))['id']}"
    padded = table.replace("| Number |", "|  Number  |")
    content = f"# Plan\r\n\r\n{padded}\r\n\r\nThen\r\n\r\n{months}\n\n`[x](sheet:{prompt_id}/rows/number)`\n"
    made = await api.post(f"{project}/documents", {"name": "Plan", "content": content})
    path = f"{project}/documents/{made['id']}"
    first, second = (await api.get(f"{path}/evidence"))["tables"]
    assert (first["state"], first["name"], first["line"]) == ("current", "Invoices", 3)
    assert (second["state"], second["suggested"]) == ("current", None)
    assert (await api.post(f"{path}/evidence/update", {}))["version"] == 1

    await edit(pile, "b.txt", "total", 91.255)
    first, second = (await api.get(f"{project}/evidence"))["documents"][0]["tables"]
    assert (first["state"], second["state"]) == ("stale", "stale")
    assert "| 91.255 |" in first["now"]
    updated = await api.post(f"{path}/evidence/update", {"base_version": 1})
    assert (updated["version"], updated["reason"]) == (2, "Updated from the sources")
    assert "| 2026-03 | 91.255 |" in updated["content"]
    assert updated["content"].startswith("# Plan\r\n\r\n[Invoices](sheet:")
    assert updated["content"].endswith(f"\n\n`[x](sheet:{prompt_id}/rows/number)`\n")
    states = [one["state"] for one in (await api.get(f"{path}/evidence"))["tables"]]
    assert states == ["current", "current"]

    await api.delete(f"/prompts/{prompt_id}")
    gone = (await api.get(f"{path}/evidence"))["tables"]
    assert [(one["state"], one["suggested"]) for one in gone] == [("gone", None)] * 2


async def test_what_is_no_column_or_holds_no_numbers_is_refused(product: Product) -> None:
    pile = await make_pile(product, {"a.txt": RESULTS["a.txt"]})
    address = f"{pile.path}/markdown"
    assert "no column nothing" in await pile.api.refused(400, "GET", address, column="nothing")
    refused = await pile.api.call(
        "GET", address, params=[("form", "sum"), ("column", "date"), ("column", "number")]
    )
    assert (refused.status_code, "no numbers" in refused.json()["detail"]) == (400, True)
    assert (
        await pile.api.refused(404, "GET", f"/sheets/{'0' * 24}/markdown", column="x") == "Prompt not found"
    )


async def test_a_sheet_of_another_organisation_is_gone_and_one_renamed_is_not(
    product: Product, api: OrgApi
) -> None:
    theirs = await make_pile(product, {"a.txt": RESULTS["a.txt"]})
    prompt_id, table = theirs.prompt["prompt_id"], await markdown(theirs, "number", "total")
    content = f"# Plan\n\n{table}\n"
    rest = {"content": "Read", "schema_id": theirs.prompt["schema_id"]}
    states = {}
    for which in (theirs.api, api):
        project = f"/projects/{(await which.post('/projects', {'name': 'Costs'}))['id']}"
        made = await which.post(f"{project}/documents", {"name": "Plan", "content": content})
        await theirs.api.put(
            f"/prompts/{prompt_id}", {**rest, "name": f"Renamed for {which.organization_id}"}
        )
        (found,) = (await which.get(f"{project}/documents/{made['id']}/evidence"))["tables"]
        updated = await which.post(f"{project}/documents/{made['id']}/evidence/update", {})
        states[which.organization_id] = (found["state"], found["now"] is None, updated["content"] == content)
    assert states == {
        theirs.api.organization_id: ("current", False, True),
        api.organization_id: ("gone", True, True),
    }
    refused = await api.call("GET", f"/sheets/{prompt_id}/markdown", params={"column": "number"})
    assert refused.status_code == 404


async def test_a_stale_value_is_updated_with_its_tables(product: Product, api: OrgApi) -> None:
    pile = await make_pile(product, {"a.txt": RESULTS["a.txt"]})
    source, prompt_id = pile.ids["a.txt"], pile.prompt["prompt_id"]
    project = f"/projects/{(await pile.api.post('/projects', {'name': 'Costs'}))['id']}"
    content = f'It is [EUR 99](doc:{source}/{prompt_id}/total "99").\n'
    made = await pile.api.post(f"{project}/documents", {"name": "Plan", "content": content})
    path = f"{project}/documents/{made['id']}"
    refused = await pile.api.call("POST", f"{path}/evidence/update", json={"base_version": 7})
    assert refused.status_code == 409
    updated = await pile.api.post(f"{path}/evidence/update", {"base_version": 1})
    assert updated["content"] == f'It is [EUR 1200.5](doc:{source}/{prompt_id}/total "1200.5").\n'
    assert (await api.call("POST", f"{path}/evidence/update", json={})).status_code == 404
