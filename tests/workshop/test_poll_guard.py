"""What the site refuses before anything else, and how much of the same it takes."""

import pytest
from starlette.datastructures import Headers

from course.workshop.guard import HEADERS, Limit, same_site, trusted
from course.workshop.host import is_loopback, own_address

OURS = frozenset({"localhost", "lab-7"})


@pytest.mark.parametrize("host", ["127.0.0.1:8140", "localhost", "LOCALHOST:1", "[::1]:8140", "lab-7:8140"])
def test_our_own_names_are_answered(host):
    assert trusted(host, OURS, loopback=True)


@pytest.mark.parametrize(
    "host", ["", "evil.example", "127.0.0.1.evil.example:8140", "192.168.1.5", "[::1", "localhost:x", "a@b"]
)
def test_on_loopback_no_other_name_is_answered(host):
    assert not trusted(host, OURS, loopback=True)


def test_in_a_network_an_address_in_numbers_is_answered_and_a_strange_name_is_not():
    assert trusted("192.168.1.5:8140", OURS, loopback=False)
    assert not trusted("evil.example:8140", OURS, loopback=False)


@pytest.mark.parametrize(
    ("headers", "ours"),
    [
        ({"host": "a:1", "origin": "http://a:1"}, True),
        ({"host": "a:1", "origin": "http://a:2"}, False),
        ({"host": "a:1", "origin": "null"}, False),
        ({"host": "a:1", "sec-fetch-site": "cross-site"}, False),
        ({"host": "a:1", "sec-fetch-site": "same-site"}, False),
        ({"host": "a:1", "sec-fetch-site": "same-origin"}, True),
        ({"host": "a:1"}, True),
    ],
)
def test_a_request_from_another_sites_page_is_known_by_its_origin(headers, ours):
    assert same_site(Headers(headers)) is ours


def test_the_policy_allows_our_own_files_only():
    policy = HEADERS["Content-Security-Policy"]
    assert policy.startswith("default-src 'self';")
    assert "unsafe" not in policy


def test_a_limit_forgets_after_its_time():
    now = 0.0
    limit = Limit(2, 10, lambda: now)
    for _ in range(2):
        assert not limit.spent("a")
        limit.count("a")
    assert limit.spent("a")
    assert not limit.spent("b")
    now = 10.0
    assert not limit.spent("a")


def test_a_limit_does_not_grow_without_end():
    now = 0.0
    limit = Limit(2, 10, lambda: now)
    for number in range(5000):
        now += 1
        limit.count(str(number))
    assert len(limit._seen) < 4200


@pytest.mark.parametrize(
    ("host", "only_here"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("lab-7", False)],
)
def test_loopback_is_known(host, only_here):
    assert is_loopback(host) is only_here


def test_for_all_addresses_the_one_in_the_network_is_told():
    assert own_address("192.168.1.5") == "192.168.1.5"
    assert own_address("::1") == "[::1]"
    assert own_address("0.0.0.0") not in ("", "0.0.0.0")
