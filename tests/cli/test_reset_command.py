import pytest

from course.cli import main


@pytest.fixture
def root(tmp_path):
    (tmp_path / "lessons").mkdir()
    (tmp_path / "lessons" / "90_tiny.py").write_text('# %% id="t-sum"\n40 + 2\n')
    main(["build", "--no-run", "--root", str(tmp_path)])
    return tmp_path


def test_a_changed_notebook_is_restored_and_kept(root, capsys):
    path = root / "notebooks" / "90_tiny.ipynb"
    built = path.read_text()
    path.write_text(built.replace("40 + 2", "my own"))
    capsys.readouterr()
    assert main(["reset", "90", "--root", str(root)]) == 0
    restored, kept = capsys.readouterr().out.splitlines()
    assert restored == "Restored notebooks/90_tiny.ipynb."
    assert path.read_text() == built
    assert "my own" in (root / kept.removeprefix("Your version is kept as ").removesuffix(".")).read_text()


def test_an_untouched_notebook_leaves_no_copy(root, capsys):
    capsys.readouterr()
    assert main(["reset", "90", "--root", str(root)]) == 0
    assert capsys.readouterr().out == "Restored notebooks/90_tiny.ipynb.\n"
    assert len(list((root / "notebooks").glob("*.ipynb"))) == 1


def test_a_lesson_must_be_named_and_exist(root, capsys):
    assert main(["reset", "--root", str(root)]) == 2
    assert main(["reset", "77", "--root", str(root)]) == 1
    assert "There is no lesson 77; there are: 90_tiny." in capsys.readouterr().err
