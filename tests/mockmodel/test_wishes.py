"""The sets of wishes: right tool, right arguments, right number of calls, as shares."""

import pytest

from course.mockmodel import Improviser
from tests.mockmodel.wishes import judge, load, play, share

SETS = ["wishes.yaml", "wishes_fresh.yaml", "wishes_fresh_2.yaml", "wishes_fresh_3.yaml", "wishes_town.yaml"]
TOGETHER = ["wishes_fresh_4.yaml", "wishes_fresh_5.yaml"]  # offered with the tools of wishes_town.yaml besides
BARS = {"tool": 0.90, "arguments": 0.85, "count": 0.95}


@pytest.mark.parametrize("name", [*SETS, *TOGETHER])
def test_a_set_of_wishes_is_met_as_often_as_promised(name: str) -> None:
    given = load(name)
    tools = given.get("tools") or load(SETS[0])["tools"]
    tools += load("wishes_town.yaml")["tools"] if name in TOGETHER else []
    verdicts = [judge(wish, play(Improviser(), wish, tools)) for wish in given["wishes"]]
    failed = [(v.id, v.said) for v in verdicts if not (v.tool and v.arguments and v.count)]
    assert all(share(verdicts)[what] >= bar for what, bar in BARS.items()), failed
