"""Strong emphasis is seen in Chinese and Japanese too."""

import pytest
from markdown_it import MarkdownIt

from bot.emphasis import with_room


@pytest.mark.parametrize(
    "text",
    [
        "含**「重点」**内容",
        "マークダウン**（Markdown）**の文法",
        "**注意：**请勿入内",
        "这是**重要**内容",
        "**Porto（北）**线",
        "运行**`make`**即可",
        "```a``` 含**「重点」**内容",
    ],
)
def test_a_renderer_of_markdown_sees_the_emphasis(text: str) -> None:
    rendered = MarkdownIt().render(with_room(text))

    assert "<strong>" in rendered
    assert "*" not in rendered


@pytest.mark.parametrize(
    "text",
    [
        "这是**重要**内容",
        "`含**「重点」**内容`",
        "```\n含**「重点」**内容\n```",
        "f(**kwargs)**2",
        "a **(b)** c",
        "2 ** 3",
        "```a```\n~~~\n含**「重点」**内容\n~~~",
    ],
)
def test_what_needs_no_help_and_code_stay_as_they_are(text: str) -> None:
    assert with_room(text) == text
