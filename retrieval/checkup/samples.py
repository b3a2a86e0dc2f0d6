"""What models are tried with: questions with the passage that answers each, and long passages of running text."""

from typing import NamedTuple


class Sample(NamedTuple):
    """A question, the passage that answers it, and none of the words of the other sample."""

    question: str
    passage: str


CAPITAL = Sample("What is the capital of China?", "Beijing is the capital of China.")
GRAVITY = Sample("How does gravity act on bodies?", "Gravity pulls bodies towards each other, the heavier the harder.")
UNRELATED = "Bring the butter to room temperature before you whisk it with sugar."

_ENGLISH = (
    "Employees who travel on business book the cheapest ticket that gets them there in time. Hotels are paid up to the"
    " limit of the country; what lies above it needs the consent of the head of department beforehand. Receipts are"
    " handed in within four weeks after the journey, together with the form that the accounts department provides. "
)
_CHINESE = (
    "员工因公出差应当选择能够按时到达的最经济的交通方式。住宿费用在规定的标准以内据实报销，超出标准的部分须事先征得部门负责人同意。"
    "出差结束后四周之内，应当将全部票据连同财务部门提供的报销单一并提交，逾期不予受理。"
)


def long_english(chars: int) -> str:
    """Running text of exactly so many characters, about four or five of them a token."""
    return _filled(_ENGLISH, chars)


def long_chinese(chars: int) -> str:
    """Running text of exactly so many characters, about one or two of them a token: the most that a page holds."""
    return _filled(_CHINESE, chars)


def _filled(paragraph: str, chars: int) -> str:
    """Numbered, so that no model meets endless repetition."""
    times = chars // len(paragraph) + 1
    return "".join(f"{number}. {paragraph}" for number in range(1, times + 1))[:chars]
