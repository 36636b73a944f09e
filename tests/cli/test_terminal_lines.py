"""The terminal: what is kept out, how lines are wrapped, what a pipe gets."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.cli.terminal import Terminal, clean, width_of


class Screen(io.StringIO):
    """Output that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


class Old(io.StringIO):
    """Output in a code page without boxes and arrows."""

    encoding = "cp437"


@pytest.mark.parametrize(
    "evil",
    [
        "\x1b[31mred\x1b[0m",
        "\x1b]0;title\x07red",
        "\x1b]8;;http://x\x1b\\red\x1b]8;;\x1b\\",
        "\x9b31mred",
        "r\x07e\x00d\x7f",
        "\u202ered\u202c",
        "\x1b[2J\x1b[Hred",
        "\x1bcred",
    ],
)
def test_escapes_controls_and_direction_marks_are_taken_out(evil):
    assert clean(evil) == "red"


@given(st.text())
def test_nothing_that_steers_a_terminal_gets_through(text):
    assert not set(clean(text)) & {chr(code) for code in (*range(10), *range(11, 32), *range(127, 160))}


@given(st.text(), st.integers(40, 100))
def test_written_lines_keep_to_the_width(text, width):
    out = io.StringIO()
    Terminal(out, io.StringIO(), {"COLUMNS": str(width)}).write(text, indent=" 1) ")
    assert all(width_of(line) <= width for line in out.getvalue().split("\n"))


@given(st.text(st.characters(categories=("L", "N", "P"))))
def test_wrapping_loses_no_letter(text):
    out = io.StringIO()
    Terminal(out, io.StringIO(), {"COLUMNS": "40"}).write(text, indent=" 1) ")
    assert "".join(out.getvalue().split()) == "".join(f"1){clean(text)}".split())


def test_options_hang_below_their_number():
    out = io.StringIO()
    Terminal(out, io.StringIO(), {"COLUMNS": "40"}).write("word " * 12, indent=" 1) ")
    first, second, *_ = out.getvalue().splitlines()
    assert first.startswith(" 1) word")
    assert second.startswith("    word")


def test_columns_inside_a_line_stay_where_they_are():
    out = io.StringIO()
    Terminal(out, io.StringIO(), {"COLUMNS": "40"}).write("1      (2)    (3)*", indent="  ")
    assert out.getvalue() == "  1      (2)    (3)*\n"


def test_code_keeps_its_spaces_and_long_lines_go_on_below():
    out = io.StringIO()
    Terminal(out, io.StringIO(), {"COLUMNS": "40"}).code("if x:\n    " + "y" * 50)
    assert out.getvalue().splitlines() == ["│ if x:", "│     " + "y" * 32, "│   " + "y" * 18]


def test_long_json_is_cut_between_words_and_keeps_every_one():
    out = io.StringIO()
    line = '  {"type": "tool_use", "id": "toolu_c", "name": "cancel_order", "input": {"order": "5521"}}'
    Terminal(out, io.StringIO(), {"COLUMNS": "40"}).code(line)
    rows = out.getvalue().splitlines()
    assert max(map(width_of, rows)) <= 40
    assert " ".join(row.removeprefix("│ ").strip() for row in rows) == line.strip()


def test_wide_characters_take_two_columns():
    assert width_of("도구") == 4
    out = io.StringIO()
    Terminal(out, io.StringIO(), {"COLUMNS": "40"}).write("도구 " * 20)
    assert max(width_of(line) for line in out.getvalue().splitlines()) == 39


@pytest.mark.parametrize(("environ", "colour"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_colour_is_off_where_it_is_unwanted(environ, colour):
    out = Screen()
    Terminal(out, io.StringIO(), environ).write("Correct.", style="good")
    assert ("\x1b[" in out.getvalue()) == colour


def test_a_pipe_gets_no_colour():
    out = io.StringIO()
    Terminal(out, io.StringIO(), {}).write("Correct.", style="good")
    assert out.getvalue() == "Correct.\n"


def test_an_old_code_page_gets_plain_signs():
    out = Old()
    terminal = Terminal(out, io.StringIO(), {})
    terminal.write("✓ Correct. → 도구 █", style="good")
    assert out.getvalue() == "+ Correct. > ?? #\n"


def test_piped_answers_are_echoed_so_that_a_transcript_reads_well():
    out = io.StringIO()
    terminal = Terminal(out, io.StringIO("2\n"), {})
    assert terminal.ask("Answer >") == "2"
    assert out.getvalue() == "Answer > 2\n"
    with pytest.raises(EOFError):
        terminal.ask("Answer >")


def test_several_lines_end_with_a_full_stop():
    terminal = Terminal(io.StringIO(), io.StringIO('{\n  "a": 1\n}\n.\nrest\n'), {})
    assert terminal.ask_lines("Paste:") == '{\n  "a": 1\n}'
    assert terminal.ask(">") == "rest"


def test_an_editor_gets_the_start_and_gives_back_what_was_saved(tmp_path):
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nprintf " and more" >> "$1"\n')
    editor.chmod(0o755)
    terminal = Terminal(io.StringIO(), io.StringIO(), {"EDITOR": str(editor)})
    assert terminal.edit("start", ".json") == "start and more"


def test_no_editor_or_a_failing_one_is_said_in_words():
    with pytest.raises(OSError, match="Set EDITOR"):
        Terminal(io.StringIO(), io.StringIO(), {}).edit("", ".json")
    with pytest.raises(OSError, match="ended with code 1"):
        Terminal(io.StringIO(), io.StringIO(), {"EDITOR": "false"}).edit("", ".json")
