import pytest

from course.lesson.desk import desk


@pytest.fixture(autouse=True)
def own_desk(tmp_path, monkeypatch):
    """A desk and a store of its own for every test, offline."""
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "COURSE_LIVE", "COURSE_LANG", "JPY_SESSION_NAME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COURSE_HOME", str(tmp_path / "home"))
    desk.cache_clear()
    yield
    desk.cache_clear()
