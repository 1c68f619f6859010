"""Files to one merged rule set: `extends` followed, overrides and drops applied, passages checked.

Nothing is typed here. What the merge cannot use is reported, and the merge goes on without it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from conquian.language import syntax
from conquian.language import tree as t
from conquian.language.problems import Problems, did_you_mean
from conquian.language.rules import Source
from conquian.language.tree import Span
from conquian.resources import path as resource
from conquian.tongue import ENGLISH, later, spoken


@dataclass(slots=True)
class Merged:
    """A rule set with its ancestors folded in, oldest first; each item with the rule set it comes from."""

    name: str
    title: str
    playable: bool
    span: Span
    lineage: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    sources: dict[str, Source] = field(default_factory=dict)
    clauses: dict[str, tuple[t.ClauseItem, str]] = field(default_factory=dict)
    defines: dict[str, tuple[t.DefineItem, str]] = field(default_factory=dict)
    readings: dict[str, tuple[t.ReadingItem, str]] = field(default_factory=dict)
    chosen: dict[str, tuple[t.ChooseItem, str]] = field(default_factory=dict)
    grounds: dict[str, list[t.Word]] = field(default_factory=dict)
    proofs: dict[str, tuple[t.ProveItem, str]] = field(default_factory=dict)
    translations: t.Translations = ()


def shipped() -> list[str]:
    """The names of the rule files that come with the program, fragments included."""
    folder = resource("spec")
    return sorted(p.name.removesuffix(".rules") for p in folder.iterdir() if p.name.endswith(".rules"))


def shipped_text(name: str) -> str | None:
    if not re.fullmatch(r"[A-Za-z0-9_-]+", name):
        return None
    path = resource("spec", f"{name}.rules")
    return path.read_text(encoding="utf-8") if path.is_file() else None


@lru_cache(maxsize=1)
def passages() -> dict[str, tuple[str, str]]:
    """Every passage id of `spec/sources.md` with its kind (N, V or T) and its line."""
    text = resource("spec", "sources.md").read_text(encoding="utf-8")
    found = re.findall(
        r"^\|\s*([a-z]+(?:\.[a-z0-9-]+)+)\s*\|\s*([NVT])\s*\|\s*(.*?)\s*\|\s*$", text, re.MULTILINE
    )
    return {pid: (kind, line) for pid, kind, line in found}


def passage_text(pid: str) -> str:
    """What a passage says in our own words, in the language spoken; nothing of one that is not listed."""
    language = spoken()
    if language == ENGLISH:
        return passages().get(pid, ("", ""))[1]
    return _passages_in(language).get(pid, "")


@lru_cache(maxsize=4)
def _passages_in(language: str) -> dict[str, str]:
    """Every passage id with its line in a language, from `spec/sources.LANGUAGE.md`."""
    text = resource("spec", f"sources.{language}.md").read_text(encoding="utf-8")
    found = re.findall(r"^\|\s*([a-z]+(?:\.[a-z0-9-]+)+)\s*\|\s*(.*?)\s*\|\s*$", text, re.MULTILINE)
    return dict(found)


GENERAL_PASSAGES = frozenset(f"common.{x}" for x in ("deal", "places", "flow", "meld", "force", "end"))

Finder = Callable[[str], tuple[str, str] | None]
"""A name to (path as shown, text), None if there is no such rule file."""


def finder(beside: Path | None = None) -> Finder:
    """Looks for a shipped rule set first, then for a file beside the one that extends it."""

    def find(name: str) -> tuple[str, str] | None:
        text = shipped_text(name)
        if text is not None:
            return f"spec/{name}.rules", text
        if beside is not None and re.fullmatch(r"[A-Za-z0-9_-]+", name):
            path = beside / f"{name}.rules"
            if path.is_file():
                return str(path), path.read_text(encoding="utf-8", errors="replace")
        return None

    return find


def merge(file: t.File, find: Finder, problems: Problems) -> Merged | None:
    """The rule set of a file with everything that it extends; None if it has no usable head."""
    chain = _chain(file, find, problems)
    if chain is None:
        return None
    merged: Merged | None = None
    for depth, one in enumerate(chain):
        head = next(i for i in one.items if isinstance(i, t.Head))
        if merged is None:
            merged = Merged(head.name.text, head.title, head.playable, head.span)
        merged.name, merged.title, merged.playable = head.name.text, head.title, head.playable
        merged.span, merged.translations = head.span, head.translations
        merged.lineage.append(head.name.text)
        merged.texts.append(one.text)
        found = Problems()
        _fold(merged, one, head.name.text, found)
        own = depth == len(chain) - 1
        problems.found.extend(p for p in found.found if own or p.severity == "error")
    assert merged is not None
    return merged


def _chain(file: t.File, find: Finder, problems: Problems) -> list[t.File] | None:
    chain, seen = [file], {}
    while True:
        current = chain[0]
        heads = [i for i in current.items if isinstance(i, t.Head)]
        start = Span(current.path, 1, 1, 1, 1)
        if len(heads) != 1:
            if current is file and (len(heads) > 1 or current.items):
                where = heads[1].span if len(heads) > 1 else start
                problems.add(
                    "CQ103",
                    later("a file holds one `ruleset` or `fragment`"),
                    where,
                    later('begin the file with `ruleset NAME "title"`'),
                )
            return None
        seen[heads[0].name.text] = heads[0].span
        parents = [i for i in current.items if isinstance(i, t.Extends)]
        if not parents:
            return chain
        for extra in parents[1:]:
            problems.add("CQ204", later("a rule set extends one other"), extra.span)
        parent = parents[0].name
        if parent.text in seen:
            problems.add("CQ206", later("`{name}` extends itself in a circle", name=parent.text), parent.span)
            return None
        found = find(parent.text)
        if found is None:
            hint = did_you_mean(parent.text, shipped())
            problems.add(
                "CQ205", later("there is no rule set `{name}` to extend", name=parent.text), parent.span, hint
            )
            return None
        above = Problems()
        chain.insert(0, syntax.read(found[1], found[0], above))
        problems.found.extend(above.found)


def _fold(merged: Merged, file: t.File, origin: str, problems: Problems) -> None:
    own: dict[tuple[str, str], Span] = {}
    for item in file.items:
        match item:
            case t.SourceItem():
                prefix = item.prefix.text
                if prefix in merged.sources:
                    problems.add(
                        "CQ203",
                        later("the source `{prefix}` is declared twice", prefix=prefix),
                        item.prefix.span,
                    )
                merged.sources[prefix] = Source(
                    prefix, item.title, item.file, once_each(item.translations, problems)
                )
            case t.ClauseItem():
                if _settled("clause", item, own, merged.clauses, problems):
                    _check_override(item, merged, problems)
                    if item.override and item.name.text in merged.clauses:
                        old = merged.clauses[item.name.text][0]
                        item = replace(item, code=item.code or old.code, cites=item.cites or old.cites)
                        if item.cites != old.cites:
                            merged.grounds.pop(item.name.text, None)
                    merged.clauses[item.name.text] = (item, origin)
            case t.DefineItem():
                if _settled("define", item, own, merged.defines, problems):
                    merged.defines[item.name.text] = (item, origin)
            case t.ReadingItem():
                if _settled("reading", item, own, merged.readings, problems):
                    merged.readings[item.name.text] = (item, origin)
                    merged.chosen.pop(item.name.text, None)
            case t.ProveItem():
                if _settled("prove", item, own, merged.proofs, problems):
                    _check_claim(item, merged, problems)
                    merged.proofs[item.name.text] = (item, origin)
            case t.ChooseItem():
                _choose(item, origin, own, merged, problems)
            case t.DropItem():
                _drop(item, merged, problems)
            case t.GroundItem():
                name = item.name.text
                if name not in merged.clauses and name not in merged.readings:
                    known = [*merged.clauses, *merged.readings]
                    problems.add(
                        "CQ501",
                        later("there is no clause `{name}` to ground", name=name),
                        item.name.span,
                        did_you_mean(name, known),
                    )
                else:
                    merged.grounds[name] = [*item.cites, *merged.grounds.get(name, [])]
            case t.Head() | t.Extends():
                pass
    cited: list[t.Word] = []
    for item in file.items:
        if isinstance(item, t.ClauseItem | t.ReadingItem | t.ChooseItem | t.GroundItem):
            cited.extend(item.cites)
    _check_passages(cited, merged, problems)


def _settled(
    kind: str,
    item: t.ClauseItem | t.DefineItem | t.ReadingItem | t.ProveItem,
    own: dict[tuple[str, str], Span],
    inherited: Sequence[str]
    | dict[str, tuple[t.ClauseItem, str]]
    | dict[str, tuple[t.DefineItem, str]]
    | dict[str, tuple[t.ReadingItem, str]]
    | dict[str, tuple[t.ProveItem, str]],
    problems: Problems,
) -> bool:
    name, span = item.name.text, item.name.span
    if (kind, name) in own:
        problems.add(
            "CQ204",
            later("the {kind} `{name}` stands twice in this file", kind=kind, name=name),
            span,
            None,
            ((own[kind, name], later("first here")),),
        )
        return False
    own[kind, name] = span
    if item.override and name not in inherited:
        hint = did_you_mean(name, list(inherited)) or later("write `{kind}` without `override`", kind=kind)
        problems.add(
            "CQ501", later("there is no {kind} `{name}` to override", kind=kind, name=name), span, hint
        )
    elif not item.override and name in inherited:
        hint = later("write `override {kind} {name}`, or choose another name", kind=kind, name=name)
        problems.add(
            "CQ504", later("the {kind} `{name}` is inherited already", kind=kind, name=name), span, hint
        )
    return True


def _check_override(item: t.ClauseItem, merged: Merged, problems: Problems) -> None:
    if not item.override or item.name.text not in merged.clauses:
        return
    old, origin = merged.clauses[item.name.text]
    if type(old.body) is not type(item.body):
        problems.add(
            "CQ502",
            later("`{name}` is another kind of clause in {origin}", name=item.name.text, origin=origin),
            item.body_span,
            later("an override keeps the kind of body; drop the clause and add a new one instead"),
            ((old.body_span, later("the clause that it overrides")),),
        )
    if item.code is not None and old.code is not None and item.code.text != old.code.text:
        problems.add(
            "CQ502",
            later("an override keeps the code `{code}`", code=old.code.text),
            item.code.span,
            later("leave the code out"),
        )
    if _bare(old.body) == _bare(item.body):
        problems.add(
            "CQ503",
            later("the override of `{name}` changes nothing", name=item.name.text),
            item.span,
            later("use `ground` to cite another passage"),
            ((old.span, later("the clause that it overrides")),),
            warning=True,
        )


def _check_claim(item: t.ProveItem, merged: Merged, problems: Problems) -> None:
    if not item.override or item.name.text not in merged.proofs:
        return
    old = merged.proofs[item.name.text][0]
    if type(old.claim) is not type(item.claim):
        problems.add(
            "CQ502",
            later(
                "`{name}` is another claim in {origin}",
                name=item.name.text,
                origin=merged.proofs[item.name.text][1],
            ),
            item.span,
            later("drop it with `drop proof`, and add a new one"),
            ((old.span, later("the obligation that it overrides")),),
        )
    elif old.claim == item.claim:
        problems.add(
            "CQ503",
            later("the override of `{name}` changes nothing", name=item.name.text),
            item.span,
            later("leave it out"),
            ((old.span, later("the obligation that it overrides")),),
            warning=True,
        )


def _bare(value: object) -> str:
    return re.sub(r"span=Span\([^)]*\)", "", repr(value))


def _choose(
    item: t.ChooseItem, origin: str, own: dict[tuple[str, str], Span], merged: Merged, problems: Problems
) -> None:
    name = item.reading.text
    if name not in merged.readings:
        problems.add(
            "CQ207",
            later("there is no reading `{name}`", name=name),
            item.reading.span,
            did_you_mean(name, list(merged.readings)),
        )
        return
    choices = [w.text for w in merged.readings[name][0].choices]
    if item.choice.text not in choices:
        problems.add(
            "CQ207",
            later(
                "`{choice}` is no choice of the reading `{reading}`", choice=item.choice.text, reading=name
            ),
            item.choice.span,
            later("its choices are {choices}", choices=", ".join(choices)),
        )
        return
    if ("choose", name) in own:
        problems.add("CQ204", later("the reading `{name}` is chosen twice", name=name), item.reading.span)
    own["choose", name] = item.span
    before = merged.chosen[name][0].choice.text if name in merged.chosen else choices[0]
    if before == item.choice.text:
        problems.add(
            "CQ503",
            later("`{name}` is `{before}` already", name=name, before=before),
            item.span,
            later("leave the line out"),
            warning=True,
        )
    merged.chosen[name] = (item, origin)


def once_each(said: t.Translations, problems: Problems) -> tuple[tuple[str, str], ...]:
    """A text in other languages, by language; one that is given twice is reported."""
    found: dict[str, str] = {}
    for language, text in said:
        if language.text in found:
            problems.add(
                "CQ204",
                later("the sentence is given in `{language}` twice", language=language.text),
                language.span,
                later("give each language once"),
            )
        found[language.text] = text
    return tuple(found.items())


def _drop(item: t.DropItem, merged: Merged, problems: Problems) -> None:
    name = item.name.text
    once_each(item.reasons, problems)
    if item.proof and name in merged.proofs:
        del merged.proofs[name]
    elif item.proof:
        problems.add(
            "CQ501",
            later("there is no obligation `{name}` to drop", name=name),
            item.name.span,
            did_you_mean(name, list(merged.proofs)),
        )
    elif name in merged.clauses:
        del merged.clauses[name]
        merged.grounds.pop(name, None)
    else:
        problems.add(
            "CQ501",
            later("there is no clause `{name}` to drop", name=name),
            item.name.span,
            did_you_mean(name, list(merged.clauses)),
        )


def _check_passages(cited: list[t.Word], merged: Merged, problems: Problems) -> None:
    known = passages()
    for word in cited:
        prefix = word.text.split(".")[0]
        if word.text in GENERAL_PASSAGES:
            continue
        if prefix not in merged.sources:
            problems.add(
                "CQ203",
                later("no `source {prefix}` is declared", prefix=prefix),
                word.span,
                later(
                    'add `source {prefix} "title" in "file"`, or cite one of: {sources}',
                    prefix=prefix,
                    sources=", ".join(merged.sources),
                ),
            )
        elif any(pid.split(".")[0] == prefix for pid in known) and word.text not in known:
            here = [pid for pid in known if pid.startswith(prefix + ".")]
            problems.add(
                "CQ202",
                later("`{passage}` is no passage of the sources", passage=word.text),
                word.span,
                did_you_mean(word.text, here),
            )
