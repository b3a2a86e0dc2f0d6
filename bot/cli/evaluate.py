"""`footnote eval`: measurements, on public data or on one's own documents by one's own questions."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from bot.cli import evaluate_stress
from bot.cli.evaluation_options import Folder, Json, Out, Seed, end, waiting
from bot.cli.evaluation_output import print_calibration
from bot.cli.output import json_line, print_json, to_stderr
from evals.own.question import FIELDS
from retrieval.errors import ConfigurationError

_OWN = {
    "retrieval": "Does search find what answers a question: Recall, Accuracy, MRR, nDCG.",
    "answers": "Do answers hold what they should, and does what they cite bear them out.",
    "refusal": "Are questions without an answer refused, and those with one not.",
    "ablation": "What rewriting, recall, reranking and the check are worth, each set otherwise in turn.",
    "all": "All of these in one report.",
}
_PUBLIC = {
    "claims": "Are errors in answers found, and right statements left alone.",
    "rewriting": "Are follow-ups found as well as if their askers had spelt them out.",
    "fusion": "What meaning and keywords are worth, by FUSION_ALPHA.",
    "reranker": "Where the coefficients of the embedded reranker come from.",
    "documents": "Are files of all kinds read as they should be.",
    "reports": "Are questions on quarterly reports answered from the right page.",
    "hostile": "Do files that break parsers end in a clear refusal, beside good ones.",
    "parse_speed": "What reading a long PDF costs beside MinerU by itself.",
}
_FORM = "\n\n".join(
    [
        "A file of your own questions holds one JSON object a line, of these fields:",
        *(f"{name}: {what}" for name, what in FIELDS.items()),
        "They are put to the documents in DATA_DIR, by the models and settings of the environment.",
    ]
)


_Data = Annotated[
    Path,
    typer.Option("--data", help="A file of your own questions, or the folder with the public data sets."),
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(
        help="Measure search, answers and refusals on your own documents or on public data. Exit code 1 when a bar is "
        "missed.",
        no_args_is_help=True,
    )
    for name, about in _OWN.items():
        group.command(name, help=f"{about}\n\n{_FORM}")(_on_own_or_public(name))
    group.command()(questions)
    group.command()(calibrate)
    for name, about in _PUBLIC.items():
        group.command(name, help=f"{about} On public data.")(_on_public(name))
    evaluate_stress.register(group)
    app.add_typer(group, name="eval")


def _on_own_or_public(name: str) -> Callable[..., None]:
    def evaluate(data: _Data, out: Out = None, as_json: Json = False) -> None:
        if not data.exists():
            raise ConfigurationError(f"--data: there is no {data}")
        _evaluate(name, data, out, as_json)

    return evaluate


def _on_public(name: str) -> Callable[..., None]:
    def evaluate(data: Folder, out: Out = None, as_json: Json = False) -> None:
        if not data.is_dir():
            raise ConfigurationError(f"--data: {data} is not a folder")
        _evaluate(name, data, out, as_json)

    return evaluate


def _evaluate(name: str, data: Path, out: Path | None, as_json: bool) -> None:
    from evals.run import run_eval  # loads the models, which --help does not need

    with waiting(f"Measuring: {name}"):
        report = run_eval(name, data, out)
    end(report, as_json)


def questions(
    out: Annotated[Path, typer.Option(help="The file to write, which must not be there yet.", show_default=False)],
    from_documents: Annotated[
        bool, typer.Option("--from-documents", help="From the current documents: the only way there is.")
    ] = False,
    count: Annotated[int, typer.Option(min=1, max=10_000, help="How many questions.")] = 40,
    seed: Seed = 1,
) -> None:
    """Draft questions on your documents, for a person to edit: by the chat model where there is one, else by rules.

    Every fourth is one that the documents most likely do not answer. Each names what it was drafted from; take
    `draft` out of a line once you have looked at it.
    """
    from evals.own.runs import drafts  # loads the models, which --help does not need

    if not from_documents:
        raise typer.BadParameter("say what to draft from: --from-documents")
    if out.exists():
        raise ConfigurationError(f"--out: {out} is there already, perhaps edited by someone; name another file")
    if not out.parent.is_dir():
        raise ConfigurationError(f"--out: there is no folder {out.parent}")
    with waiting("Drafting questions"):
        lines = [draft.model_dump(exclude_defaults=True) for draft in drafts(count, seed)]
    out.write_text("".join(json_line({"question": "", "answerable": True, **line}) for line in lines), "utf-8")
    to_stderr(f"{len(lines)} drafts are in {out}: edit them, then run footnote eval all --data {out}")


def calibrate(
    questions: Annotated[
        Path,
        typer.Option(help="A file of your own questions, with and without an answer, or the folder of public data."),
    ],
    max_false_refusals: Annotated[
        float, typer.Option(min=0, max=1, help="Share of the answerable questions that may be refused.")
    ] = 0.05,
    out: Out = None,
    as_json: Json = False,
) -> None:
    """Find the relevance floor for the reranker in use, and keep it in DATA_DIR: of all floors that refuse at most
    that share of the answerable questions, the one that refuses most of those without an answer.
    """
    from evals.own.runs import calibrated  # loads the models, which --help does not need
    from evals.run import kept

    if not questions.exists():
        raise ConfigurationError(f"--questions: there is no {questions}")
    with waiting("Calibrating"):
        found = calibrated(questions, max_false_refusals)
        kept(found.report, out)
    if as_json:
        print_json({"reranker": found.reranker, "floor": found.chosen.floor, **found.report.as_json()})
    else:
        print_calibration(found)
