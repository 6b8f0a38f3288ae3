"""Generates what is never edited and never committed: records and parameters from the OpenAPI document of the compiled
service, messages of the stream from the proto, and the synchronous client from the asynchronous one."""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

home = Path(__file__).resolve().parent.parent
root = home.parent.parent
package = home / "src" / "presage_memory"
generated = package / "_generated"

Schema = dict[str, Any]

# Parameters by name: the schema they come from, and the members that a method has as arguments of its own.
parameters = {
    "RememberParameters": ("AwaitableSubmission", {"document"}),
    "RecallParameters": ("ContextQuery", {"search_queries", "search_query"}),
    "MemoryFilter": ("MemoriesQuery", {"cursor"}),
    "UserFilter": ("UsersQuery", {"cursor"}),
    "CustomerFilter": ("CustomersQuery", {"cursor"}),
    "ConversationFilter": ("ConversationsQuery", {"cursor"}),
    "EntityFilter": ("EntitiesQuery", {"cursor"}),
    "ReviewFilter": ("ReviewsQuery", {"cursor"}),
    "ConversationStart": ("ConversationStart", set()),
    "Transcript": ("Transcript", set()),
    "BrowserTokenRequest": ("BrowserTokenRequest", set()),
    "MergeEntities": ("MergeEntities", set()),
    "SplitEntity": ("SplitEntity", set()),
    "Correction": ("Correction", set()),
    "CompactParameters": ("Compact", {"conversation_id", "wait"}),
    "CompactionFilter": ("CompactionsQuery", {"cursor"}),
    "CompactionParameters": ("CompactionQuery", set()),
    "NewWebhook": ("NewWebhook", set()),
    "WebhookUpdate": ("WebhookUpdate", set()),
    "WebhookFilter": ("WebhooksQuery", {"cursor"}),
    "DeliveryFilter": ("WebhookDeliveriesQuery", {"cursor"}),
    "UsageQuery": ("UsageQuery", set()),
}
required = {"Transcript", "MergeEntities", "SplitEntity", "NewWebhook"}


def main() -> None:
    shutil.rmtree(generated, ignore_errors=True)
    generated.mkdir()
    (generated / "__init__.py").touch()
    command = ["node", str(root / "clients" / "codegen" / "openapi.mjs")]
    document = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    schemas: dict[str, Schema] = document["components"]["schemas"]
    schemas["ExportLine"]["anyOf"][1]["title"] = "ExportedMessage"
    requests = set(document.pop("x-request-only"))
    answers = {
        name: open_enums(schema)
        for name, schema in schemas.items()
        if name not in requests and not name.endswith("Query")
    }
    name_parts(answers)
    answers["ExportedMessage"] = answers.pop("ExportLine")["anyOf"][1]
    models(document, answers, "records.py", "pydantic_v2.BaseModel", "--base-class", "presage_memory._record.Record")
    given = {name: without(schemas[source], hidden, name in required) for name, (source, hidden) in parameters.items()}
    given["Turn"] = schemas["Submission"]["properties"]["document"]["anyOf"][1]["items"]
    given["NewMessage"] = schemas["Messages"]["properties"]["messages"]["items"]
    # Its turns would be named `Turn` otherwise, as those of a document are.
    given["Transcript"]["properties"]["turns"]["items"] = {"$ref": "#/components/schemas/NewMessage"}
    given["BatchDocument"] = without(schemas["Submission"], set(), False) | {"required": ["document"]}
    models(document, {name: open_times(schema) for name, schema in given.items()}, "parameters.py", "typing.TypedDict")
    stream_messages()
    synchronous()


def name_parts(answers: dict[str, Schema]) -> None:
    """What stands within memories gets a name of its own, once for all of them."""
    for name in ("Memory", "FetchedMemory", "AnticipatedMemory"):
        properties = answers[name]["properties"]
        for member, part in (("entities", "MentionedEntity"), ("evidence", "Evidence")):
            answers[part] = properties[member]["items"]
            properties[member]["items"] = {"$ref": f"#/components/schemas/{part}"}


def without(schema: Schema, hidden: set[str], is_required: bool) -> Schema:
    properties = {name: each for name, each in schema["properties"].items() if name not in hidden}
    asked = [name for name in schema.get("required", []) if "default" not in properties.get(name, {})]
    needed = [name for name in asked if name in properties] if is_required else []
    return {"type": "object", "properties": properties, "required": needed}


def open_enums(schema: Any) -> Any:
    """A later service may answer words that this client does not know: they are taken as they are."""
    if isinstance(schema, list):
        return [open_enums(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "enum" in schema:
        return {"anyOf": [{"type": "string", "enum": schema["enum"]}, {"type": "string"}]}
    return {name: open_enums(each) for name, each in schema.items()}


def open_times(schema: Any) -> Any:
    """A caller may give a time as a text or as a `datetime`."""
    if isinstance(schema, list):
        return [open_times(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if schema.get("format") == "date-time":
        return {"anyOf": [{"type": "string"}, {"type": "string", "format": "date-time"}]}
    return {name: open_times(each) for name, each in schema.items() if name != "default"}


def models(document: Schema, schemas: dict[str, Schema], file: str, kind: str, *more: str) -> None:
    with tempfile.NamedTemporaryFile("w", suffix=".json") as given:
        json.dump({**document, "components": {"schemas": schemas}}, given)
        given.flush()
        command = [sys.executable, "-m", "datamodel_code_generator", "--input", given.name]
        command += ["--input-file-type", "openapi", "--openapi-scopes", "schemas", "--output", str(generated / file)]
        command += ["--output-model-type", kind, "--target-python-version", "3.11", "--enum-field-as-literal", "all"]
        command += [
            "--use-union-operator",
            "--use-standard-collections",
            "--disable-timestamp",
            "--use-title-as-name",
            "--formatters",
            "builtin",
        ]
        command += ["--output-datetime-class", "datetime", *more]
        subprocess.run(command, check=True)


def stream_messages() -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "presage_memory" / "_generated"
        place.mkdir(parents=True)
        shutil.copy(root / "proto" / "presage" / "anticipation" / "v1" / "anticipation.proto", place)
        command = [sys.executable, "-m", "grpc_tools.protoc", "-I", folder]
        command += [f"--python_out={package.parent}", f"--pyi_out={package.parent}", str(place / "anticipation.proto")]
        subprocess.run(command, check=True)


words = {
    r"\basync def\b": "def",
    r"\basync (for|with)\b": r"\1",
    r"\bawait ": "",
    r"\bAwaitable, ": "",
    r"\bAwaitable\[((?:[^\[\]]|\[[^\]]*\])*)\]": r"\1",
    r"\bAsync(?=[A-Z])": "",
    r"\basynchronous\b": "synchronous",
    r"__a(iter|next|enter|exit)__": r"__\1__",
    r"\ba(close|read|iter_lines)\b": r"\1",
    r"_async\b": "",
    r"\basyncio\.sleep\b": "time.sleep",
    r"\bimport asyncio\b": "import time",
}


def synchronous() -> None:
    source, target = package / "_async", package / "_sync"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    for path in source.glob("*.py"):
        text = path.read_text()
        for pattern, replacement in words.items():
            text = re.sub(pattern, replacement, text)
        (target / path.name).write_text(text)


main()
