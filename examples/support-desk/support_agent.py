"""A support desk that knows its customers: tickets become memories of whoever wrote them, what is known of a company is
recalled for all its users, and of no other company's. Start the service, then from the checkout, in a virtual environment
of Python 3.11 or later (the package is `presage-memory`, and is imported as `presage_memory`):

    pip install -r clients/python/requirements-dev.txt
    clients/python/build.sh && pip install clients/python/dist/*.whl
    PRESAGE_KEY=presage_… python examples/support-desk/support_agent.py acme bo "The printer is jammed again."

Without a model it drafts from what it remembers; for a model set MODEL_URL (of an OpenAI-compatible API, such as
https://api.openai.com/v1), MODEL and MODEL_KEY.
"""

import html
import os
import re
import sys
import uuid

import httpx
from presage_memory import Presage

handbook = {
    "acme": "The printers of the Leeds office are model X200. Acme has the premium contract.",
    "globex": "Globex prints on model Z9. Globex has the basic contract.",
}


def main(customer_id: str, user_id: str, request: str) -> None:
    about = {"user_id": user_id, "customer_id": customer_id}
    with Presage() as memory:
        learn_handbook(memory)
        block = memory.recall(request, format="prompt", context_budget=1_500, **about).prompt or ""
        reply = draft(block, request)
        print(reply)
        turns = [{"role": "user", "name": user_id, "content": request}, {"role": "assistant", "content": reply}]
        ticket = memory.remember(turns, document_type="support-ticket", document_id=f"ticket-{uuid.uuid4()}", **about)
        print(f"({ticket.document_id}: {ticket.memories_created} memories)")


def learn_handbook(memory: Presage) -> None:
    """A page takes the place of the one before, so that this may run at every start."""
    for customer_id, page in handbook.items():
        memory.remember(
            page,
            document_type="note",
            document_id=f"handbook-{customer_id}",
            if_exists="replace",
            customer_id=customer_id,
        )


def draft(block: str, request: str) -> str:
    if url := os.environ.get("MODEL_URL"):
        return ask(url, block, request)
    known = [html.unescape(item) for item in re.findall(r"<item [^>]*>(.*)</item>", block)]
    return "I see: " + " ".join(known) if known else "Which product is it about?"


def ask(url: str, block: str, request: str) -> str:
    """What was once said is data: it goes with the user's message, and never into the system's."""
    instructions = "You answer support tickets. Use what is remembered of the customer where it helps."
    messages = [
        {"role": "system", "content": instructions},
        {"role": "user", "content": f"{block}\n\n{request}"},
    ]
    response = httpx.post(
        f"{url}/chat/completions",
        headers={"authorization": f"Bearer {os.environ.get('MODEL_KEY', '')}"},
        json={"model": os.environ.get("MODEL", ""), "messages": messages},
        timeout=60,
    )
    response.raise_for_status()
    return str(response.json()["choices"][0]["message"]["content"])


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: support_agent.py CUSTOMER USER REQUEST")
    main(*sys.argv[1:])
