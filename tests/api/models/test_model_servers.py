"""Model servers of the operator's own, named in the settings."""

from __future__ import annotations

from pathlib import Path

from docagent.bootstrap import running_services
from docagent.domain.accounts.accounts import Credential, Principal, Role
from docagent.services.models.providers import ProviderChange
from tests.conftest import make_settings, running_product
from tests.support.models.provider import Refusal, running_provider
from tests.support.org_api import OrgApi


async def test_a_server_from_the_settings(tmp_path: Path) -> None:
    async with running_provider() as server:
        endpoint = {"base_url": server.base_url, "models": ["qwen"]}
        settings = make_settings(tmp_path, models={"endpoints": {"vllm": endpoint}, "default": "vllm/qwen"})
        async with running_product(settings) as product:
            tenant = await product.new_tenant()
            api = OrgApi(product.client, tenant.organization_id, tenant.headers)
            assert (await api.get("/llm/models"))["models"] == ["docagent-offline", "vllm/qwen"]
            prompt = await api.post("/prompts", {"name": "p", "content": "c"})
            assert prompt["effective_model"] == "vllm/qwen"
            root = OrgApi(product.client, tenant.organization_id, await product.admin_headers())
            server.add("Fine.")
            body = {"model": "vllm/qwen", "messages": [{"role": "user", "content": "Hi"}]}
            answer = await root.post("/llm/run", body)
            assert answer["choices"][0]["message"]["content"] == "Fine."


async def test_keys_in_the_environment_are_picked_up(tmp_path: Path) -> None:
    key = "sk-proj-0123456789abcdefghijklmnopqrstuvwxyz0123456789"
    async with running_services(make_settings(tmp_path), {"OPENAI_API_KEY": key}) as services:
        user = await services.first_start.ensure_admin("root@example.com", None)
        root = Principal(user.id, user.name, user.email, Role.ADMIN, Credential.SESSION)
        views = {view.provider.name: view for view in await services.providers.list(root)}
        assert views["openai"].shown_key == "sk-proj-01234567******"
        assert views["openai"].provider.is_reachable
        assert views["anthropic"].shown_key is None
        assert key not in repr(views)
        await services.providers.update(root, "openai", ProviderChange(key="another key"))
        views = {view.provider.name: view for view in await services.providers.list(root)}
        assert views["openai"].shown_key == "ano******"


async def test_a_key_that_is_not_accepted_is_looked_for_where_it_is_kept(tmp_path: Path) -> None:
    async with running_provider() as server:
        endpoint = {"base_url": server.base_url, "models": ["qwen"]}
        settings = make_settings(tmp_path, models={"endpoints": {"vllm": endpoint}})
        async with running_product(settings, {"VLLM_API_KEY": "k"}) as product:
            tenant = await product.new_tenant()
            root = OrgApi(product.client, tenant.organization_id, await product.admin_headers())
            body = {"model": "qwen", "messages": [{"role": "user", "content": "Hi"}]}
            for place in (
                "the variable VLLM_API_KEY",
                "the settings page “Providers and keys” (the whole server)",
            ):
                server.add(Refusal(401))
                answer = await root.call("POST", "/llm/run", json=body)
                assert f"did not accept the API key, which is kept in {place}." in answer.json()["detail"]
                change = {"token": "a new key", "base_url": server.base_url}
                await root.client.put("/v0/account/llm/provider/vllm", json=change, headers=root.headers)
