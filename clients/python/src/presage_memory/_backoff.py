_first, _longest = 0.5, 8.0
MOST_PATIENCE = 60
"""A service that asks for more patience than these seconds is not waited for: whoever called is told."""
_spread = 0.5


def backoff(n: int, retry_after: float | None, random: float) -> float:
    """How many seconds to wait before the n-th retry, from 1: 0.5, and twice as long each time, up to 8, less up to a
    quarter by chance, so that clients do not come back together. Never earlier than the service asked."""
    own = min(_longest, _first * 2.0 ** (n - 1)) * (0.75 + 0.25 * random)
    return own if retry_after is None else max(own, retry_after + _spread * random)
