"""A file of questions, put to one's own knowledge base: DATA_DIR and all else come from the environment."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from evals import public_questions
from evals.knowledge_base import knowledge_base
from evals.own.ablation import ablation
from evals.own.calibration import Calibration, calibrate
from evals.own.drafting import drafted, with_answer, without_answer
from evals.own.drafting_by_model import ModelDrafter
from evals.own.measuring import measure
from evals.own.question import Question
from evals.own.questions_file import QuestionLine, check_against, check_not_empty, read
from evals.report import Report, joined
from retrieval.build import Footnote, build
from retrieval.build.models import Clients
from retrieval.settings import RetrievalSettings, load
from retrieval.types import Passage, Viewer


def measured(name: str, file: Path) -> Report:
    """`name`: one of measuring.KINDS, or ablation, which `all` has, too. Raises ConfigurationError for a bad file."""
    settings, questions = load(RetrievalSettings), read(file)
    with closing(build(settings)) as footnote:
        check_against(footnote.pipeline.passages, questions, file)
        if name == "ablation":
            return ablation(footnote, settings, questions)
        report = measure(name, footnote, questions)
        return joined(name, [report, ablation(footnote, settings, questions)]) if name == "all" else report


def public_ablation(data: Path) -> Report:
    """On ClapNQ and the conversations of CAsT 2021, in one knowledge base, with the models of the environment."""
    (passages, alone), (others, turns) = public_questions.of_clapnq(data), public_questions.of_cast(data)
    with knowledge_base({**passages, **others}) as footnote:
        return ablation(footnote, load(RetrievalSettings, {"_env_file": None}), [*alone, *turns])


def calibrated(questions: Path, most_false: float) -> Calibration:
    """The floor for the reranker of the environment, kept in DATA_DIR. `questions`: a file of one's own, or the folder
    of public data, of which ClapNQ is used in a knowledge base of its own."""
    settings = load(RetrievalSettings)
    with closing(build(settings)) as footnote:
        with _to_calibrate_by(questions, footnote) as (asking, asked):
            found = calibrate(asking.pipeline, asked, most_false)
        footnote.floors.set(found.reranker, found.chosen.floor, found.questions)
    if settings.relevance_floor is not None:
        found.report.notes.append(f"RELEVANCE_FLOOR={settings.relevance_floor:g} is set and wins over it: take it out.")
    return found


@contextmanager
def _to_calibrate_by(questions: Path, footnote: Footnote) -> Iterator[tuple[Footnote, Sequence[Question]]]:
    if questions.is_dir():
        documents, asked = public_questions.of_clapnq(questions)
        with knowledge_base(documents, _env_file=".env") as public:
            yield public, asked
    else:
        own = read(questions)
        check_against(footnote.pipeline.passages, own, questions)
        yield footnote, own


def drafts(count: int, seed: int) -> list[QuestionLine]:
    """Questions on the current documents of DATA_DIR: by the chat model where there is one, else by rules."""
    settings = load(RetrievalSettings)
    with closing(build(settings)) as footnote:
        check_not_empty(footnote.pipeline.passages)
        passages = footnote.pipeline.passages.current_passages(Viewer.admin())
    return _drafted(settings, passages, count, seed)


def _drafted(settings: RetrievalSettings, passages: Sequence[Passage], count: int, seed: int) -> list[QuestionLine]:
    if not settings.chat_server:
        return drafted(passages, count, seed, with_answer, without_answer)
    clients = Clients(settings)
    with closing(clients.open):
        model = ModelDrafter(clients.chat(settings.chat_server))
        return drafted(passages, count, seed, model.with_answer, model.without_answer)
