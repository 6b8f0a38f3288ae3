"""Reads `corpus/`, whose format its README describes."""

import hashlib
import json
import re
import subprocess
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2] / "corpus"
TEST_PARTS = json.loads((ROOT / "test-parts.json").read_text())
KEPT = "fpiet"
PAIR_LABELS = "RESDU"
# Of a pair of which it is only known that the newer statement neither replaces nor ends the memory: S, D or U.
BOTH_HOLD = "-"
# So many words, of four letters or with a digit, still tell something when a part of a memory goes.
TELLING, LEAST_LEFT = re.compile(r"\w*\d\w*|[^\W\d_]{4,}"), 3
# One section in this many calibrates and is not trained on; of persons more, since few of their memories are replaced.
VALIDATION_SHARE = {"statements": 12, "pairs": 12, "requests": 8, "conversations": 8}


@dataclass(frozen=True)
class Section:
    folder: str
    domain: str
    register: str
    language: str
    file: str

    @cached_property
    def part(self):
        test = TEST_PARTS[self.folder]
        if self.domain in test["domains"]:
            return "test by domain"
        if self.register in test["registers"]:
            return "test by style"
        digest = hashlib.sha256(f"{self.domain}|{self.register}".encode()).digest()
        return "validation" if digest[0] % VALIDATION_SHARE[self.folder] == 0 else "training"


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
    successors: tuple  # the numbers of the memories that replaced or ended it, each a part of it or what was left
    is_assistant: bool = False
    said: str = ""  # the words alone, where `text` has in front what makes it stand alone
    antecedent: str = ""  # what may stand in front of `text`
    turn: str = ""  # the whole turn, which is kept as an episode
    speaker: str = ""  # where several speak

    @property
    def judged_text(self):
        """What is judged beside a request, as `src/domain/retrieval/relevance.ts` gives it."""
        if self.is_assistant:
            return f"assistant: {self.text}"
        is_named = self.speaker.lower() in self.text.lower()
        return self.text if is_named else f"{self.speaker}: {self.text}"


@dataclass
class Person:
    """
    A person's memories by number, in the order in which they were said, their requests as (text, {number: need}), and what
    they said that is not worth keeping.
    """

    memories: dict
    requests: list
    section: Section
    chatter: list = field(default_factory=list)


@dataclass
class Request:
    """What somebody asks for, and of each memory of theirs how much it is needed: 1 must be used, .5 helps, 0 does not matter."""

    text: str
    memories: list  # of (memory, need)
    section: Section
    chatter: list

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
    # Only a part of the memory is replaced or ends, and what is left of it still tells something.
    is_part: bool = False


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
                section, lines = Section(folder, *line[2:].split(" | "), path.stem), []
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


def statement(labels, text, before, section):
    is_assistant = text.startswith("A: ")
    is_kept = any(label in KEPT for label in labels)
    words = words_of(text[3:] if is_assistant else text, is_kept)
    return Statement(labels, words, before, section, is_assistant)


def statements():
    found = []
    for section, lines in sections("statements"):
        for line in lines:
            labels, rest = line.split(" ", 1)
            text, _, before = rest.partition(" << ")
            found.append(statement(labels, text, before, section))
    return found + [clause.statement for talk in conversations() for clause in talk.clauses]


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
            is_part = ending and label in "RE" and len(TELLING.findall(old.replace(ending[1], " "))) >= LEAST_LEFT
            found.append(Pair(label, old, text, before, group, section, bool(is_part)))
    return found


@dataclass
class Clause:
    """A clause of somebody's turn in a conversation; what is kept has a number, and those that it replaces."""

    statement: Statement
    number: "str | None"
    replaced: list
    turn: str
    speaker: str  # where several speak

    @property
    def said(self):
        """The words to keep, without the name of who said them."""
        words = " ".join(word for word, is_kept in self.statement.words if is_kept)
        return words.removeprefix(f"{self.speaker}: ")


@dataclass
class Conversation:
    """What people said to an assistant, or among themselves, over several sessions, and later requests."""

    clauses: list
    requests: list  # of (text, {number: need})
    section: Section


TURN = re.compile(r"(\w[\w.'-]*): (.+)$")
CLAUSE = re.compile(r"([a-z]+)(\d+)?((?:!\d+)*) (.+)$")
# In characters, as `src/domain/extraction/statement-classifier.ts` has them.
SHOWN_BEFORE, TELLS_ENOUGH = 400, 16


def conversations():
    for section, lines in sections("conversations"):
        talk, turn_before = Conversation([], [], section), ""
        people = {match[1] for line in lines if (match := TURN.match(line)) and match[1] != "A"}
        for line in lines:
            if line.startswith("? "):
                talk.requests.append(request_of(line))
            elif line.strip() == "--":
                turn_before = ""
            else:
                name, content = TURN.match(line).groups()
                prefix = f"{name}: " if len(people) > 1 and name != "A" else ""
                said = [content] if name == "A" else clauses_of(content, prefix, turn_before, talk)
                turn_before = prefix + " ".join(said)[-SHOWN_BEFORE:]
        yield talk


def clauses_of(content, prefix, turn_before, talk):
    """Adds the clauses of a turn to the conversation, each with what the service shows beside it; returns their words."""
    said, clauses = [], []
    for clause in content.split(" / "):
        labels, number, replaced, text = CLAUSE.match(clause).groups()
        is_enough = said and len(said[-1]) >= TELLS_ENOUGH
        before = said[-1] if is_enough else " ".join(filter(None, [turn_before, *said[-1:]]))
        row = statement(labels, prefix + text, before, talk.section)
        said.append(row.text.removeprefix(prefix))
        clauses.append(Clause(row, number, re.findall(r"\d+", replaced), turn="", speaker=prefix.removesuffix(": ")))
    for clause in clauses:
        clause.turn = prefix + ", ".join(said)
    talk.clauses += clauses
    return said


MEMORY = re.compile(r"(\d+) (A: )?(.*?)(?: << (.*?))?(?: !(\d+))?$")


def request_of(line):
    text, _, ids = line[2:].rpartition(" => ")
    return text, {one.lstrip("~"): 0.5 if one.startswith("~") else 1.0 for one in ids.split() if one != "-"}


def persons():
    for section, lines in sections("requests"):
        person = Person({}, [], section)
        for line in lines:
            if line.startswith("? "):
                person.requests.append(request_of(line))
            else:
                number, assistant, text, before, successor = MEMORY.match(line).groups()
                successors = (successor,) if successor else ()
                person.memories[number] = Memory(text, before or "", successors, bool(assistant), text, before or "")
        yield person
    for talk in conversations():
        kept = {clause.number: clause for clause in talk.clauses if clause.number}
        successors = {number: tuple(new for new, later in kept.items() if number in later.replaced) for number in kept}
        memories = {number: memory_of(clause, successors[number]) for number, clause in kept.items()}
        chatter = [clause.statement.text for clause in talk.clauses if not clause.number]
        yield Person(memories, talk.requests, talk.section, chatter)


@cache
def third_person():
    """What somebody among several said, as the service keeps it: by (words, speaker)."""
    said = list({(clause.said, clause.speaker): None for talk in conversations() for clause in talk.clauses if clause.speaker})
    script = Path(__file__).with_name("third-person.mjs")
    told = subprocess.run(["node", script], input=json.dumps(said), stdout=subprocess.PIPE, text=True, check=True)
    return dict(zip(said, json.loads(told.stdout)))


def memory_of(clause, successors):
    """As the service stores it: the words to keep, behind the question that they answer where they cannot stand alone."""
    row, said, speaker = clause.statement, clause.said, clause.speaker
    asked = re.findall(r"[^.?!]+[.?!]*", row.before) if "c" in row.labels else []
    question = next((one for one in reversed(asked) if one.endswith("?")), asked[-1] if asked else "").strip()
    if question:
        text = f"{question} {speaker}: {said}" if speaker else f"{question} {said}"
    else:
        text = third_person()[said, speaker] if speaker else said
    return Memory(text, row.before, successors, said=said, turn=clause.turn, speaker=speaker)


def requests():
    found = []
    for person in persons():
        for text, needs in person.requests:
            # What a needed memory replaced is about the same thing: no example of what does not matter.
            is_told = lambda number, memory: number in needs or needs.keys().isdisjoint(memory.successors)
            graded = [(memory, needs.get(number, 0.0)) for number, memory in person.memories.items() if is_told(number, memory)]
            found.append(Request(text, graded, person.section, person.chatter))
    return found


def updates():
    """Each memory of a person beside those said before it: what replaced or ended one, and what let it hold."""
    found = []
    for group, person in enumerate(persons(), 1):
        said = [one for one in person.memories.items() if not one[1].is_assistant]
        places = {number: place for place, (number, _) in enumerate(said)}
        for place, (number, new) in enumerate(said):
            for _, old in said[:place]:
                ends_it = number in old.successors
                if not ends_it and any(places[one] < place for one in old.successors if one in places):
                    continue  # replaced before
                label = "R" if ends_it else BOTH_HOLD
                found.append(Pair(label, old.text, new.said, new.before, -group, person.section))
    return found


def of_part(rows, *parts):
    return [row for row in rows if row.section.part in parts]
