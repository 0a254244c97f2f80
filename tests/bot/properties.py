"""Settings of property tests: the same examples every time, and no clock."""

from hypothesis import settings


def examples(count: int) -> settings:
    return settings(max_examples=count, deadline=None, derandomize=True)
