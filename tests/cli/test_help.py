"""`sudokulab help` describes every command and the topics that concern several of them."""

from __future__ import annotations

from pathlib import Path

from sudokulab.cli import COMMANDS, GROUPS
from sudokulab.cli.help import TOPICS
from sudokulab.formats import FORMATS
from tests.cases import for_each
from tests.commands import run, run_in_terminal


def test_without_a_topic_it_lists_commands_and_topics() -> None:
    done = run("help")
    assert done.returncode == 0
    assert all(name in done.stdout for name in COMMANDS)
    assert all(f"- `{name}`: {topic.summary}" in done.stdout.splitlines() for name, topic in TOPICS.items())


def test_the_help_lists_every_command_in_its_group() -> None:
    sections = run("--help").stdout.split("\n\n")
    for group, names in GROUPS.items():
        (section,) = (section for section in sections if section.startswith(f"{group}:"))
        assert [line.split()[0] for line in section.splitlines()[1:]] == list(names)
    assert all(f" {group} " in run_in_terminal("--help") for group in GROUPS)


def test_no_summary_in_a_list_of_commands_is_cut_off() -> None:
    for command in ([], ["instances"], ["dataset"]):
        assert "..." not in run(*command, "--help").stdout.partition("Commands:" if command else "Puzzles:")[2]


def test_help_of_a_command_is_that_of_its_option() -> None:
    assert run("help", "convert").stdout == run("convert", "--help").stdout


def test_a_command_may_have_several_words() -> None:
    assert run("help", "instances", "add").stdout == run("instances", "add", "--help").stdout
    assert "did you mean 'add'" in run("help", "instances", "ad").stderr.replace("Did", "did")


@for_each("topic", TOPICS)
def test_every_topic_has_a_page(topic: str) -> None:
    done = run("help", topic)
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) >= 3
    assert "@" not in done.stdout


def test_the_page_on_formats_lists_all_of_them() -> None:
    assert all(f"`{name}`" in run("help", "formats").stdout for name in FORMATS)


def test_the_manual_lists_all_formats_with_their_extensions() -> None:
    page = Path(__file__).parents[2] / "docs" / "reference" / "formats.md"
    rows = [line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    for format in FORMATS.values():
        found = [row for row in rows if f"`{format.name}`" in row.split("|")[1]]
        assert len(found) == 1
        assert all(f"`{extension}`" in found[0].split("|")[-2] for extension in format.extensions)


def test_a_mistyped_topic_gets_a_suggestion() -> None:
    done = run("help", "formts")
    assert done.returncode == 2
    assert "unknown command or topic 'formts'; did you mean 'formats'?" in done.stderr
