import { capitalisedWordSource } from './name-cues.ts';
import { isSingleRole, ownedRoleSource, plainRole } from './person-words.ts';
import { sentenceOpeners, stopWords } from './stop-words.ts';

/** A person by what they are to somebody: "my older sister", "mom". */
export interface RoleMention {
  /** The role in its plain form: `mother`, `older sister`. */
  readonly role: string;
  /** The role's words as written in the text. */
  readonly phrase: string;
  /** The person who has the role beside them: the one who speaks, or the one spoken to. */
  readonly of: 'speaker' | 'addressee';
  /** Whether people have at most one of this role at a time, so that it is the same person wherever it is said. */
  readonly isSingle: boolean;
  /** The name that stands beside it, if one does: "my sister Dana", "Dana, my sister". */
  readonly name?: string;
}

/** Adjectives that tell one sister from another. */
const telling: Readonly<Record<string, string>> = { older: 'older', elder: 'older', big: 'older', younger: 'younger', little: 'younger', baby: 'younger', twin: 'twin', 'ex-': 'former', ex: 'former', former: 'former', late: '', step: 'step', half: 'half' }; // prettier-ignore
const qualifier = String.raw`(?:(?:older|elder|big|younger|little|baby|twin|ex|former|late|new|dear|own|poor|beloved|lovely)\s+){0,2}(?:ex-|step-?|half-)?`;

const owned = new RegExp(
  String.raw`\b(?<owner>[Mm]y|[Oo]ur|[Yy]our)\s+(?<phrase>(?<qualifier>${qualifier})(?<role>${ownedRoleSource}))(?![\p{L}\p{N}]|[- ]in[- ]law)(?:,?\s+(?:(?:is|was)\s+(?:called|named)\s+|named\s+|called\s+)?(?<name>${capitalisedWordSource}(?:\s${capitalisedWordSource}){0,2}))?`,
  'gu',
);
const named = new RegExp(
  String.raw`(?<name>${capitalisedWordSource}(?:\s${capitalisedWordSource}){0,2}),?\s+(?:(?:is|was)\s+)?(?<owner>my|our|your)\s+(?<phrase>(?<qualifier>${qualifier})(?<role>${ownedRoleSource}))(?![\p{L}\p{N}]|['’]s?\b|\s+${capitalisedWordSource})`,
  'gu',
);
// "Mom called", "Hi, dad!": a parent without an owner is the speaker's own.
const parents =
  /(?<![\p{L}'’-]|\b(?:[Mm]y|[Yy]our|[Hh]is|[Hh]er|[Tt]heir|[Oo]ur|[Tt]he|[Aa]n?|['’]s|this|that|some|any|no|new|good|bad|old|single|stay-at-home)\s)(?<phrase>(?<role>[Mm]om|[Mm]um|[Mm]ommy|[Mm]ummy|[Dd]ad|[Dd]addy|Mama|Papa|Grandma|Grandpa|Granny))(?![\p{L}-]|['’]s\s+a\b)/gu;

/** The roles in a text, each once, with a name beside it that can be no other word at the head of a sentence. */
export function findRoles(text: string): RoleMention[] {
  const found = new Map<string, RoleMention>();
  for (const pattern of [owned, named, parents]) {
    for (const { groups = {} } of text.matchAll(pattern)) {
      const { phrase = '', role: said = '', owner, qualifier: told = '' } = groups;
      const name = groups['name'] && !isOpener(groups['name']) ? groups['name'] : undefined;
      const plain = plainRole(said);
      const mark = told
        .trim()
        .split(/\s+/u)
        .map((part) => telling[part.toLowerCase()] ?? telling[part.replace(/-$/u, '')] ?? '')
        .find(Boolean);
      const of = owner?.toLowerCase() === 'your' ? 'addressee' : 'speaker';
      const role = mark ? `${mark} ${plain}` : plain;
      const key = `${of}/${role}`;
      if (found.get(key)?.name) continue;
      const written = owner ? `${owner.toLowerCase()} ${phrase}` : phrase;
      found.set(key, { role, phrase: written, of, isSingle: isSingleRole(said), ...(name ? { name } : {}) });
    }
  }
  return [...found.values()];
}

/** Whether the capital is that of a sentence, and no name: "I called my mother. She was out". */
const isOpener = (name: string) => {
  const first = name.split(' ')[0]!.toLowerCase();
  return sentenceOpeners.has(first) || stopWords.has(first);
};
