from collections.abc import Iterator

import pytest

from .real_service import RealService, real_service


@pytest.fixture(scope="session")
def service() -> Iterator[RealService]:
    with real_service() as running:
        yield running
