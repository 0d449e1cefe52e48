"""What Ollama, llama.cpp's server, LM Studio and vLLM answer when they are asked for their models."""

from __future__ import annotations

import json
from typing import Any

from tests.support.models.provider import ScriptedProvider


def as_ollama(server: ScriptedProvider, **models: tuple[int, list[str]]) -> None:
    """Each model with its size and its abilities."""
    details = {"format": "gguf", "family": "llama", "parameter_size": "3.2B", "quantization_level": "Q4_K_M"}
    server.told["/api/tags"] = {
        "models": [
            {"name": name, "model": name, "size": size, "digest": "a80c4f17acd5", "details": details}
            for name, (size, _) in models.items()
        ]
    }

    def show(asked: dict[str, Any]) -> dict[str, Any]:
        return {"details": details, "model_info": {}, "capabilities": models[asked["model"]][1]}

    server.told["/api/show"] = show


def as_llamacpp(server: ScriptedProvider, *, sees: bool = True, tools: bool = True) -> None:
    meta = {"n_vocab": 49152, "n_ctx": 8192, "n_ctx_train": 32768, "n_params": 3_000_000, "size": 2_000_000}
    model = {"id": "qwen.gguf", "object": "model", "owned_by": "llamacpp", "meta": meta}
    server.told["/v1/models"] = {"object": "list", "data": [model]}
    server.told["/props"] = {
        "default_generation_settings": {"n_ctx": 8192},
        "total_slots": 1,
        "modalities": {"vision": sees, "audio": False},
        "chat_template_caps": {"supports_tools": tools, "supports_tool_calls": tools},
    }


def as_lmstudio(server: ScriptedProvider) -> None:
    server.told["/api/v1/models"] = {
        "models": [
            {
                "type": "llm",
                "publisher": "google",
                "key": "google/gemma-3-4b",
                "display_name": "Gemma 3 4B",
                "size_bytes": 3_034_755_901,
                "max_context_length": 131_072,
                "capabilities": {"vision": True, "trained_for_tool_use": False},
            },
            {"type": "embedding", "key": "nomic-embed", "size_bytes": 84_000_000},
        ]
    }


def as_former_lmstudio(server: ScriptedProvider) -> None:
    """Before version 0.4."""
    server.told["/api/v0/models"] = {
        "object": "list",
        "data": [
            {
                "id": "qwen2.5-7b",
                "object": "model",
                "type": "llm",
                "state": "loaded",
                "max_context_length": 32_768,
                "loaded_context_length": 4096,
                "capabilities": ["tool_use"],
            },
            {"id": "nomic-embed", "object": "model", "type": "embeddings", "state": "not-loaded"},
        ],
    }


def as_vllm(server: ScriptedProvider) -> None:
    model = {"id": "Qwen/Qwen2.5-7B", "object": "model", "owned_by": "vllm", "max_model_len": 32_768}
    server.told["/v1/models"] = {"object": "list", "data": [model]}


def port_of(server: ScriptedProvider) -> int:
    return int(server.base_url.removesuffix("/v1").rpartition(":")[2])


def beside(**servers: ScriptedProvider) -> dict[str, str]:
    """The variables of a server process that finds these servers on its machine and no others."""
    ports = dict.fromkeys(("ollama", "llamacpp", "lmstudio", "vllm"), 1)
    ports |= {name: port_of(server) for name, server in servers.items()}
    return {"DOCAGENT_MODELS__FIND_LOCAL": "true", "DOCAGENT_MODELS__LOCAL_PORTS": json.dumps(ports)}
