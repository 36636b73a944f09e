"""Pictures and PDF files: what they are, how large they may be, and how many there may be."""

from base64 import b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rule_examples import pages, png
from rule_helpers import HAIKU, OPUS, TOOL, assistant, body, call, pdf, picture, result, text, told, user

from course.api.media import dimensions, sniff


def jpeg(width: int, height: int, before: int = 0) -> bytes:
    filler = b"\xff\xe0" + (2 + before).to_bytes(2, "big") + bytes(before)
    frame = b"\xff\xc0\x00\x11\x08" + height.to_bytes(2, "big") + width.to_bytes(2, "big") + bytes(10)
    return b"\xff\xd8" + filler + frame


def gif(width: int, height: int) -> bytes:
    return b"GIF89a" + width.to_bytes(2, "little") + height.to_bytes(2, "little") + bytes(3)


def webp(width: int, height: int) -> bytes:
    size = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return b"RIFF\0\0\0\0WEBPVP8X\n\0\0\0\0\0\0\0" + size


def raw(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + width.to_bytes(4, "big") + height.to_bytes(4, "big")


FORMATS = [("image/png", raw), ("image/jpeg", jpeg), ("image/gif", gif), ("image/webp", webp)]


@pytest.mark.parametrize(("kind", "make"), FORMATS)
def test_a_picture_is_known_by_its_first_bytes_and_its_size_is_read(kind, make):
    assert sniff(make(640, 480)) == kind
    assert dimensions(make(640, 480)) == (640, 480)


def test_the_frame_of_a_jpeg_is_found_behind_other_segments():
    assert dimensions(jpeg(1, 9, before=500)) == (1, 9)


@given(
    st.binary(max_size=80), st.sampled_from([b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF8", b"RIFF\0\0\0\0WEBP"])
)
def test_no_bytes_stop_the_reading_of_a_size(rest, start):
    size = dimensions(start + rest)
    assert size is None or len(size) == 2


@pytest.mark.parametrize(("declared", "_"), FORMATS)
@pytest.mark.parametrize(("actual", "make"), FORMATS)
def test_a_picture_is_of_the_type_it_says(declared, _, actual, make):
    said = told(body(user(picture(b64encode(make(2, 2)).decode(), declared))))
    expected = (
        "messages.0.content.0.image.source.base64: The image was specified using the "
        f"{declared} media type, but the image appears to be a {actual} image"
    )
    assert said == (None if declared == actual else expected)


@pytest.mark.parametrize("data", ["not base64!", "https://example.com/cat.png", "data:image/png;base64,AAAA"])
def test_what_is_no_base64_is_told_with_its_place(data):
    assert told(body(user(picture(data)))) == "messages.0.content.0.image.source.base64: invalid base64 data"


@pytest.mark.parametrize("data", ["AAAA", b64encode(b"plain text").decode()])
def test_what_is_no_picture_can_not_be_processed(data):
    assert told(body(user(picture(data)))) == "Could not process image"


def test_a_picture_in_a_result_is_named_with_its_place_there():
    sent = body("q", assistant(call()), user(result(content=[text(), picture("")])), tools=[TOOL])
    assert told(sent) == ("messages.2.content.0.tool_result.content.1.image.source.base64: image cannot be empty")


@pytest.mark.parametrize(("model", "limit"), [(HAIKU, 5), (OPUS, 10)])
def test_the_most_bytes_of_a_picture_depend_on_the_model_and_are_counted_as_base64(model, limit):
    size = limit * 1024 * 1024
    fits = png(padding=size // 4 * 3 - 40)
    assert len(fits) <= size
    assert told(body(user(picture(fits)), model=model)) is None
    larger = png(padding=size // 4 * 3 + 3)
    assert told(body(user(picture(larger)), model=model)) == (
        "messages.0.content.0.image.source.base64: "
        f"image exceeds {limit} MB maximum: {len(larger)} bytes > {size} bytes"
    )


@pytest.mark.parametrize(("width", "height"), [(8000, 1), (1, 8000)])
def test_an_edge_of_8000_pixels_is_the_longest(width, height):
    assert told(body(user(picture(png(width, height))))) is None
    assert (told(body(user(picture(png(width + 1, height + 1))))) or "").endswith("max allowed size: 8000 pixels")


def test_edges_are_shorter_where_there_are_more_than_twenty_pictures():
    large = picture(png(2001))
    assert told(body(user(*[large] * 20))) is None
    said = told(body(user(*[picture(png())] * 20, large)))
    assert said is not None
    assert said.startswith("messages.0.content.20.image.source.base64.data: ")
    assert said.endswith("for many-image requests: 2000 pixels")


def test_pictures_and_pages_count_together():
    small, paper = picture(png()), pdf(pages(50))
    assert told(body(user(*[small] * 50, paper))) is None
    assert told(body(user(*[small] * 51, paper))) == "Too much media: 50 document pages + 51 images > 100"
    assert told(body(user(*[small] * 51, paper), model=OPUS)) is None


def test_a_picture_by_url_counts_and_is_not_read():
    linked = {"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}}
    assert told(body(user(*[linked] * 100))) is None
    assert told(body(user(*[linked] * 101))) == "Too much media: 0 document pages + 101 images > 100"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("", "document.source.base64: PDF cannot be empty"),
        ("AAAA", "pdf.source.base64.data: The PDF specified was not valid."),
        ("no base64", "pdf.source.base64.data: The PDF specified was not valid."),
        (pages(601), "pdf.source.base64.data: A maximum of 600 PDF pages may be provided"),
    ],
)
def test_a_pdf_file_that_is_none_or_too_long_is_refused(data, words):
    assert told(body(user(pdf(data), text()), model=OPUS)) == f"messages.0.content.0.{words}"
