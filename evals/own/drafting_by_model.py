"""Questions drafted from a passage by a language model, for a person to edit."""

from dataclasses import dataclass

from evals.measures.answers import holds
from evals.own import drafting
from evals.own.questions_file import QuestionLine
from prompts import fenced, render
from prompts.forms import Form, Text
from retrieval.errors import ModelOutputInvalid
from retrieval.ports import ChatModel
from retrieval.text import language
from retrieval.types import Passage

_TEMPERATURE = 0.7
_MAX_TOKENS = 400
_TASK = "Draft the two questions on the passage, as the JSON object."


class DraftForm(Form):
    """What the model is asked for."""

    question: Text
    answer: Text
    unanswered: Text


@dataclass(frozen=True)
class ModelDrafter:
    """Drafts by a language model, and by rules where its answer is no use."""

    chat: ChatModel

    def with_answer(self, passage: Passage) -> QuestionLine | None:
        """Raises ServiceUnavailable."""
        form = self._form(passage)
        if form is None or not form.question or not form.answer or not holds(passage.text, form.answer):
            return drafting.with_answer(passage)
        return drafting.line_of(passage, form.question, language(form.question), form.answer)

    def without_answer(self, passage: Passage) -> QuestionLine | None:
        """Raises ServiceUnavailable."""
        form = self._form(passage)
        if form is None or not form.unanswered:
            return drafting.without_answer(passage)
        return drafting.unanswered_line(passage, form.unanswered, language(form.unanswered))

    def _form(self, passage: Passage) -> DraftForm | None:
        message = fenced([("passage", f"{passage.heading}\n{passage.text}")], then=_TASK)
        system = render("draft_questions")
        try:
            return self.chat.generate(system, message, DraftForm, temperature=_TEMPERATURE, max_tokens=_MAX_TOKENS)
        except ModelOutputInvalid:
            return None
