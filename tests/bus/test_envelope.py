"""Envelopes: what is joined, what keeps its order, and what a receiver leaves out."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gateway.bus.bus import MOST
from gateway.bus.envelope import LIMIT, MOST_SENDERS, MOST_WAITING, Arrivals, Outbox, Post

ME = 1
NODES = (2, 3, 4)

steps = st.lists(
    st.one_of(
        st.tuples(st.sampled_from([None, *NODES]), st.sampled_from([0, 1, 50, 3_000, MOST])),
        st.integers(min_value=0, max_value=3),
    )
)
"""What is done with an outbox: a receiver and a message's size, or how many envelopes are taken."""


@given(steps)
def test_every_node_hears_its_messages_in_order_whatever_is_joined(done: list[tuple[int | None, int] | int]) -> None:
    """Messages are numbered in front; what is heard is compared with what was put in."""
    outbox = Outbox(ME)
    posts: list[Post] = []
    expected: dict[int, list[bytes]] = {node: [] for node in NODES}
    for number, step in enumerate(done):
        if isinstance(step, int):
            posts += outbox.take(step)
            continue
        to, size = step
        message = (b"%d " % number).ljust(size, b"x")[:MOST]
        assert outbox.put(to, message)
        for node in NODES if to is None else (to,):
            expected[node].append(message)
    posts += outbox.take(len(done))
    assert not outbox
    assert all(len(post.text) <= LIMIT for post in posts)
    assert sum(post.messages for post in posts) == sum(not isinstance(step, int) for step in done)
    for node in NODES:
        arrivals = Arrivals(node)
        heard = [arrivals.open(post.text) for post in posts if post.to in (None, node)]
        assert [message for _, messages in heard for message in messages] == expected[node]
        assert {sender for sender, _ in heard} <= {ME}


def test_messages_to_one_node_share_an_envelope() -> None:
    outbox = Outbox(ME)
    for number in range(3):
        for node in NODES:
            outbox.put(node, b"m%d" % number)
    assert [(post.to, post.text) for post in outbox.take(9)] == [
        (2, b"1 1\nm0\nm1\nm2"),
        (3, b"1 2\nm0\nm1\nm2"),
        (4, b"1 3\nm0\nm1\nm2"),
    ]


def test_a_message_is_not_put_into_an_envelope_that_has_left() -> None:
    outbox = Outbox(ME)
    outbox.put(2, b"first")
    outbox.put(3, b"stays")
    assert [post.text for post in outbox.take(1)] == [b"1 1\nfirst"]
    outbox.put(2, b"second")
    assert [post.text for post in outbox.take(9)] == [b"1 2\nstays", b"1 3\nsecond"]


def test_a_full_outbox_takes_nothing_more_until_something_has_left() -> None:
    outbox, message = Outbox(ME), b"x" * MOST
    taken = 0
    while outbox.put(2, message):
        taken += 1
    assert taken == MOST_WAITING // (MOST + 1)
    outbox.take(1)
    assert outbox.put(2, message)
    assert not outbox.put(2, message)
    assert outbox.clear() == taken
    assert outbox.put(2, message)


def test_an_envelope_that_comes_twice_or_late_is_left_out() -> None:
    arrivals = Arrivals(ME)
    assert arrivals.open(b"2 5\na\nb") == (2, [b"a", b"b"])
    assert arrivals.open(b"2 5\na\nb") == (2, [])
    assert arrivals.open(b"2 4\nlate") == (2, [])
    assert arrivals.open(b"3 4\nanother's") == (3, [b"another's"])
    assert arrivals.open(b"2 6\nc") == (2, [b"c"])


def test_ones_own_envelope_is_left_out() -> None:
    assert Arrivals(ME).open(b"1 1\nmine") == (ME, [])


def test_the_senders_that_are_remembered_are_limited() -> None:
    arrivals = Arrivals(ME)
    for sender in range(2, MOST_SENDERS + 3):
        arrivals.open(b"%d 9\nm" % sender)
    assert arrivals.open(b"%d 9\nm" % (MOST_SENDERS + 2))[1] == []
    assert arrivals.open(b"3 9\nm")[1] == []
    assert arrivals.open(b"2 9\nm")[1] == [b"m"], "the first of them is forgotten"


@given(st.binary())
def test_a_text_that_is_no_envelope_is_counted_and_raises_nothing(text: bytes) -> None:
    arrivals = Arrivals(ME)
    _, messages = arrivals.open(b"x" + text)
    assert messages == []
    assert arrivals.garbled == 1
