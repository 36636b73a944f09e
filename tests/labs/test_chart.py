"""A chart can be looked at and read."""

from course.labs.chart import bars, lines


def test_a_chart_carries_a_text_alternative_and_its_numbers():
    chart = lines("T", [1, 2], {"a": [0.5, 0.25]}, x_label="n", y_label="share", alt="a falls from 0.50 to 0.25")
    shown = chart._repr_html_()
    assert 'alt="a falls from 0.50 to 0.25"' in shown
    assert "<td>0.25</td>" in shown
    assert chart.rows == (("1", "0.50"), ("2", "0.25"))


def test_a_band_is_written_beside_the_number():
    chart = lines("T", [1], {"a": [0.5]}, x_label="n", y_label="y", alt="x", bands={"a": ([0.4], [0.6])})
    assert chart.rows == (("1", "0.50 [0.40, 0.60]"),)


def test_text_from_a_learner_cannot_break_out_of_the_page():
    chart = bars("<b>", {"<script>": 1.0}, label="s", alt='"><script>')
    assert "<script>" not in chart._repr_html_()


def test_hangul_is_drawn_without_missing_glyphs():
    assert bars("도구 수", {"설명이 좋음": 0.9, "한 낱말": 0.2}, label="정확도", alt="막대 둘").png.startswith(
        b"\x89PNG"
    )


def test_the_same_numbers_give_the_same_picture():
    assert bars("T", {"a": 1}, label="s", alt="x").png == bars("T", {"a": 1}, label="s", alt="x").png
