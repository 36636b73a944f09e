import pytest

from course.authoring.cut import CutError, has_solution, opened, solved

BLOCK = """def f(x):
    # BEGIN SOLUTION
    return x + 1
    # END SOLUTION


f(1)"""

WITH_OPEN = """message = {
    # BEGIN SOLUTION
    "content": [1],
    # OPEN
    # "content": ...,
    # # think of the order
    # END SOLUTION
}"""


def test_the_solved_cell_keeps_the_solution_and_loses_the_marks():
    assert solved(BLOCK) == "def f(x):\n    return x + 1\n\n\nf(1)"


def test_the_open_cell_gets_dots_at_the_indent_of_the_block():
    assert opened(BLOCK) == "def f(x):\n    ...  # your code here\n\n\nf(1)"


def test_an_open_part_takes_the_place_of_the_dots():
    assert opened(WITH_OPEN) == 'message = {\n    "content": ...,\n    # think of the order\n}'
    assert solved(WITH_OPEN) == 'message = {\n    "content": [1],\n}'


def test_an_open_part_may_be_empty():
    assert opened("a = 1\n# BEGIN SOLUTION\na = 2\n# OPEN\n# END SOLUTION") == "a = 1"


def test_indented_code_of_an_open_part_keeps_its_indent():
    source = "# BEGIN SOLUTION\nx = 1\n# OPEN\n# if True:\n#     x = ...\n# END SOLUTION"
    assert opened(source) == "if True:\n    x = ..."


def test_several_blocks_in_one_cell_are_cut_each():
    source = "# BEGIN SOLUTION\na = 1\n# END SOLUTION\nb = 2\n# BEGIN SOLUTION\nc = 3\n# END SOLUTION"
    assert opened(source).count("your code here") == 2
    assert solved(source) == "a = 1\nb = 2\nc = 3"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("# BEGIN SOLUTION\na = 1", "BEGIN SOLUTION without END"),
        ("# END SOLUTION", "END SOLUTION without BEGIN"),
        ("# BEGIN SOLUTION\n# BEGIN SOLUTION\n# END SOLUTION", "second BEGIN"),
    ],
)
def test_marks_that_do_not_match_are_named(source, said):
    with pytest.raises(CutError, match=said):
        opened(source)


def test_a_mark_in_a_string_is_no_mark():
    assert not has_solution('print("# BEGIN SOLUTION")')
