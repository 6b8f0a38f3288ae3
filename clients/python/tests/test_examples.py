"""The examples in Python run without a model's key, against the real service."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from .real_service import RealService

script = Path(__file__).resolve().parents[3] / "examples" / "support-desk" / "support_agent.py"


def draft(service: RealService, customer_id: str, user_id: str, request: str) -> str:
    env = {**os.environ, "PRESAGE_KEY": service.key, "PRESAGE_URL": service.url}
    command = [sys.executable, str(script), customer_id, user_id, request]
    ran = subprocess.run(command, env=env, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_the_support_desk_knows_a_company_and_its_people_and_no_other_companys(service: RealService) -> None:
    assert "X200" in draft(service, "acme", "bo", "Which printers do we have?")
    assert "Z9" in draft(service, "globex", "li", "Which printers do we have?")
    draft(service, "acme", "bo", "My printer prints only in green.")
    again = draft(service, "acme", "bo", "What was wrong with my printer?")
    assert "green" in again and "Z9" not in again
    assert "green" not in draft(service, "globex", "li", "What was wrong with my printer?")
