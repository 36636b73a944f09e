"""What a wish does not want: "not Bergen", "instead of the express one", "부산 말고", "don't call him"."""

import re
from collections.abc import Sequence

from course.mockmodel.span import Span
from course.mockmodel.words import BLANK

__all__ = ["forbids", "without_refused"]

REFUSED = re.compile(
    r"(?:(?:^|[,;(–-]\s*|\bbut\s+|\band\s+)not\s+(?:the\s+|an?\s+|in\s+|for\s+|to\s+|at\s+|by\s+|with\s+)*"
    r"|\b(?:instead of|rather than|other than|except(?: for)?)\s+(?:the\s+|an?\s+|in\s+|for\s+)*)"
    r"(?P<it>[\w.@-]+(?:\s+one\b)?)",
    re.IGNORECASE,
)
REFUSED_KO = re.compile(r"(?P<it>[\w.@-]+?)(?:[이가은는을를]\s*)?\s*(?:말고|아니라|아니고|빼고|제외하고)")
FORBIDS = re.compile(
    r"^\W*(?:please\s+|and\s+|but\s+)*(?:do not|don['’]t|never)\s+"
    r"(?!forget|worry|hesitate|know|think|have|want|need|like|mind|see|you)\w+",
    re.IGNORECASE,
)


def without_refused(text: str, mask: str, spans: Sequence[Span]) -> tuple[str, tuple[Span, ...]]:
    """Return the mask with what is refused blanked out, and the values that are left."""
    for form in (REFUSED, REFUSED_KO):
        for match in form.finditer(mask):
            start, end = match.span("it")
            end = max([end, *(span.end for span in spans if span.start == start)])
            left = tuple(span for span in spans if not (span.start < end and start < span.end))
            if left or len(text[:start].split()) > 2:
                mask = mask[:start] + BLANK * (end - start) + mask[end:]
                spans = left
    return mask, tuple(spans)


MYSELF = re.compile(
    r"\b(?:i|we)(?:['’]ll|\s+will|\s+can|['’]d|\s+would)\b.*\b(?:myself|ourselves|on (?:my|our) own)\b", re.IGNORECASE
)


def forbids(text: str) -> bool:
    """Whether a text tells not to do something, or that the user will."""
    return FORBIDS.match(text) is not None or MYSELF.search(text) is not None
