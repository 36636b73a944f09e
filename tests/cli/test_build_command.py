import pytest

from course.cli import main

TINY = '# %% [markdown] id="t-title" tags=["title"]\n# # Tiny\n\n# %% id="t-sum"\n40 + 2\n'


@pytest.fixture
def root(tmp_path):
    (tmp_path / "lessons").mkdir()
    (tmp_path / "lessons" / "90_tiny.py").write_text(TINY)
    return tmp_path


def course(*args):
    return main([str(arg) for arg in args])


def test_building_writes_three_notebooks_and_tells_the_lint(root, capsys):
    assert course("build", "90", "--root", root) == 1
    told = capsys.readouterr()
    assert told.out.splitlines() == [
        "built    notebooks/90_tiny.ipynb",
        "built    notebooks/recall/90_tiny.ipynb",
        "built    solutions/90_tiny.ipynb",
    ]
    assert "90_tiny, cell –: no cell is tagged `goals`" in told.err


def test_the_check_runs_nothing_and_says_what_is_stale_and_what_to_do(root, capsys):
    assert course("build", "--check", "--root", root) == 1
    told = capsys.readouterr().err
    assert "solutions/90_tiny.ipynb: is missing. `course build 90` builds it." in told
    assert not (root / "solutions").exists()


def test_an_edited_notebook_stops_only_its_own_lesson(root, capsys):
    (root / "lessons" / "91_other.py").write_text(TINY)
    course("build", "--no-run", "--root", root)
    path = root / "notebooks" / "90_tiny.ipynb"
    path.write_text(path.read_text().replace("40 + 2", "my own"))
    (root / "lessons" / "90_tiny.py").write_text(TINY.replace("40", "41"))
    (root / "lessons" / "91_other.py").write_text(TINY.replace("40", "41"))
    capsys.readouterr()
    assert course("build", "--no-run", "--root", root) == 1
    told = capsys.readouterr()
    assert "notebooks/90_tiny.ipynb was changed by hand" in told.err
    assert "built    notebooks/91_other.ipynb" in told.out
    assert "my own" in path.read_text()


def test_a_lesson_that_does_not_exist_is_named(root, capsys):
    assert course("build", "42", "--root", root) == 1
    assert "There is no lesson 42; there are: 90_tiny." in capsys.readouterr().err


def test_an_empty_course_says_so(tmp_path, capsys):
    assert course("build", "--root", tmp_path) == 1
    assert "There are no lessons" in capsys.readouterr().err


def test_another_language_builds_beside_and_names_what_is_outdated(root, capsys):
    (root / "lessons" / "ko").mkdir()
    (root / "lessons" / "ko" / "90_tiny.toml").write_text('[cells.t-title]\nof = "00000000"\ntext = "# 작은 수업"\n')
    assert course("build", "--lang", "ko", "--no-run", "--root", root) == 1
    told = capsys.readouterr()
    assert "built    notebooks/ko/90_tiny.ipynb" in told.out
    assert "90_tiny, cell t-title: the English text changed" in told.err
    assert "작은 수업" in (root / "notebooks" / "ko" / "90_tiny.ipynb").read_text(encoding="utf-8")
