"""The seams, in the words of those who use them. Each has a second real implementation."""

from retrieval.ports.indexes import ChangeLog, DenseIndex, LexicalIndex
from retrieval.ports.memory import Audit, AuditDesk, AuditLog, BotMemory, Deliveries, FeedbackLog, Outbox
from retrieval.ports.models import Answerer, ChatModel, EmbeddingModel, Form, QueryExtractor, Reranker, Verifier
from retrieval.ports.parsing import DocumentParser, TextRecognizer
from retrieval.ports.store import Documents, Floors, Passages, VectorCatalogue, VectorStore

__all__ = [
    "Answerer",
    "Audit",
    "AuditDesk",
    "AuditLog",
    "BotMemory",
    "ChangeLog",
    "ChatModel",
    "Deliveries",
    "DenseIndex",
    "DocumentParser",
    "Documents",
    "EmbeddingModel",
    "FeedbackLog",
    "Floors",
    "Form",
    "LexicalIndex",
    "Outbox",
    "Passages",
    "QueryExtractor",
    "Reranker",
    "TextRecognizer",
    "VectorCatalogue",
    "VectorStore",
    "Verifier",
]
