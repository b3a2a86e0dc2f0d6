"""Served chat and embedding models: any server that speaks OpenAI's HTTP API (ms-swift, vLLM, llama.cpp, Ollama, …)."""

from retrieval.adapters.openai_models.chat import OpenAIChat
from retrieval.adapters.openai_models.embeddings import OpenAIEmbeddings

__all__ = ["OpenAIChat", "OpenAIEmbeddings"]
