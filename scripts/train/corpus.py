"""Reads `corpus/`, whose format its README describes."""

import hashlib
import json
import re
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2] / "corpus"
TEST_PARTS = json.loads((ROOT / "test-parts.json").read_text())
KEPT = "fpiet"
PAIR_LABELS = "RESDU"
# One section in this many calibrates and is not trained on; of persons more, since few of their memories are replaced.
VALIDATION_SHARE = {"statements": 12, "pairs": 12, "requests": 8}


@dataclass(frozen=True)
class Section:
    domain: str
    register: str
    language: str

    def part(self, folder):
        test = TEST_PARTS[folder]
        if self.domain in test["domains"]:
            return "test by domain"
        if self.register in test["registers"]:
            return "test by style"
        digest = hashlib.sha256(f"{self.domain}|{self.register}".encode()).digest()
        return "validation" if digest[0] % VALIDATION_SHARE[folder] == 0 else "training"


@dataclass
class Statement:
    labels: str
    words: list  # of (word, whether it stands in the span to keep)
    before: str
    section: Section
    is_assistant: bool = False

    @property
    def text(self):
        return " ".join(word for word, _ in self.words)

    @property
    def is_kept(self):
        return any(label in KEPT for label in self.labels)


@dataclass
class Memory:
    """What a person, or the assistant, said in a conversation with this person."""

    text: str
    before: str
    successor: "str | None"  # the number of the memory that replaced or ended it
    is_assistant: bool

    @property
    def judged_text(self):
        """What is judged beside a request, as `src/domain/retrieval/relevance.ts` gives it."""
        return f"assistant: {self.text}" if self.is_assistant else self.text


@dataclass
class Person:
    """A person's memories by number, in the order in which they were said, and their requests as (text, {number: need})."""

    memories: dict
    requests: list
    section: Section


@dataclass
class Request:
    """What somebody asks for, and of each memory of theirs how much it is needed: 1 must be used, .5 helps, 0 does not matter."""

    text: str
    memories: list  # of (memory, need)
    section: Section

    @property
    def is_answerable(self):
        return any(need == 1 for _, need in self.memories)


@dataclass
class Pair:
    label: str
    old: str
    new: str
    before: str
    group: int
    section: Section
    ending: str = field(default="")


def sections(folder):
    """The sections of a folder's files, each with its lines."""
    for path in sorted((ROOT / folder).glob("*.txt")):
        section, lines = None, []
        for line in path.read_text(encoding="utf8").split("\n"):
            if not line.strip() or line.startswith("#"):
                continue
            if line.startswith("@ "):
                if section:
                    yield section, lines
                section, lines = Section(*line[2:].split(" | ")), []
            else:
                lines.append(line)
        if section:
            yield section, lines


SPAN = re.compile(r"\[([^\[\]]+)\]")
CHECKBOX = re.compile(r"\[[ x]?\]")


def words_of(text, is_kept):
    """The words of a text with its brackets taken out, and which of them stand in a span to keep."""
    if not is_kept or not SPAN.search(CHECKBOX.sub("", text)):
        return [(word, True) for word in text.split()]
    words, at = [], 0
    for span in SPAN.finditer(text):
        words += [(word, False) for word in text[at : span.start()].split()]
        words += [(word, True) for word in span[1].split()]
        at = span.end()
    rest = text[at:]
    # A mark right behind the bracket belongs to the word before it.
    mark = re.match(r"[^\s\w]+", rest)
    if mark and words:
        words[-1] = (words[-1][0] + mark[0], words[-1][1])
        rest = rest[mark.end() :]
    return words + [(word, False) for word in rest.split()]


def statements():
    found = []
    for section, lines in sections("statements"):
        for line in lines:
            labels, rest = line.split(" ", 1)
            text, _, before = rest.partition(" << ")
            is_assistant = text.startswith("A: ")
            is_kept = any(label in KEPT for label in labels)
            words = words_of(text[3:] if is_assistant else text, is_kept)
            found.append(Statement(labels, words, before, section, is_assistant))
    return found


def pairs():
    found, group, old = [], 0, ""
    for section, lines in sections("pairs"):
        for line in lines:
            if line.startswith("> "):
                group, old = group + 1, line[2:]
                continue
            label, rest = line.split(" ", 1)
            ending = re.search(r"\s*\{(.+)\}$", rest)
            ending = ending if ending and ending[1] in old else None
            text, _, before = (rest[: ending.start()] if ending else rest).partition(" << ")
            found.append(Pair(label, old, text, before, group, section, ending[1] if ending else ""))
    return found


MEMORY = re.compile(r"(\d+) (A: )?(.*?)(?: << (.*?))?(?: !(\d+))?$")


def persons():
    for section, lines in sections("requests"):
        person = Person({}, [], section)
        for line in lines:
            if line.startswith("? "):
                text, _, ids = line[2:].rpartition(" => ")
                needs = {one.lstrip("~"): 0.5 if one.startswith("~") else 1.0 for one in ids.split() if one != "-"}
                person.requests.append((text, needs))
            else:
                number, assistant, text, before, successor = MEMORY.match(line).groups()
                person.memories[number] = Memory(text, before or "", successor, bool(assistant))
        yield person


def requests():
    found = []
    for person in persons():
        for text, needs in person.requests:
            # What a needed memory replaced is about the same thing: no example of what does not matter.
            is_told = lambda number, memory: number in needs or memory.successor not in needs
            graded = [(memory, needs.get(number, 0.0)) for number, memory in person.memories.items() if is_told(number, memory)]
            found.append(Request(text, graded, person.section))
    return found


def updates():
    """Each memory of a person beside those said before it: what replaced or ended one, and what concerns another."""
    found = []
    for group, person in enumerate(persons(), 1):
        said = [one for one in person.memories.items() if not one[1].is_assistant]
        for place, (number, new) in enumerate(said):
            for _, old in said[:place]:
                if old.successor and int(old.successor) < int(number):
                    continue  # replaced before
                label = "R" if old.successor == number else "U"
                found.append(Pair(label, old.text, new.text, new.before, -group, person.section))
    return found


def of_part(rows, folder, *parts):
    return [row for row in rows if row.section.part(folder) in parts]
