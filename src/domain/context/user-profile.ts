import type { Db } from '../../db/database.ts';
import { narrowToSubject } from '../configurations/narrow-to-subject.ts';
import { currentConfiguration } from '../configurations/configuration-store.ts';
import { notFoundError } from '../errors.ts';
import { isBareQuestion } from '../extraction/bare-question.ts';
import { isSmallTalk } from '../extraction/small-talk.ts';
import { usesFirstPerson } from '../extraction/third-person.ts';
import { tenseHintAt } from '../dates/tense.ts';
import type { Memory } from '../memories/memory.ts';
import { readProfileRows, type ProfilePart } from '../memories/profile-store.ts';
import { readMemories } from '../memories/read.ts';
import type { Access, SubjectIds } from '../tenancy/access.ts';
import { formatSections } from './prompt-block.ts';

/** A user's profile, from their memories that hold now; at most twenty a part, the newest first. */
export interface UserProfile extends Readonly<Record<ProfilePart, readonly Memory[]>> {
  /** The profile as a block of text for the prompt of a model. */
  readonly text: string;
}

/** The most memories of each part: a model reads the whole profile before each conversation. */
const ofEachPart = 20;
/** Memories that are read for a part of which only some are told: most passages repeat what was made of them. */
const readForPart = 100;

/**
 * The profile of a user, of their own memories alone: what their customer shares is no part of it. Throws `not_found`
 * for a user of whom nothing is remembered, and `invalid_input` where a customer must be named.
 */
export async function readUserProfile(
  { db }: { readonly db: Db },
  access: Access,
  named: SubjectIds & { readonly userId: string },
): Promise<UserProfile> {
  const reader = await narrowToSubject(db, access, named);
  const owners = reader.readableOwners.filter(({ scope }) => scope === 'USER').map(({ ownerNo }) => ownerNo);
  const rows = owners.length ? await readProfileRows(db, reader, { owners, limit: ofEachPart, read: readForPart }) : [];
  const configuration = await currentConfiguration(db, reader);
  const ids = rows.map(({ id }) => id);
  const memories = new Map((await readMemories(db, reader, configuration, ids)).map((memory) => [memory.uuid, memory]));
  if (!memories.size) throw notFoundError('profile');
  const placed = rows.flatMap(({ id, part, hasAttribute }) => {
    const memory = memories.get(id);
    const isPassing = memory && part === 'identity' && !hasAttribute && !saysWhoSomebodyIs(memory);
    return memory ? { memory, part: isPassing ? ('recent' as const) : part } : [];
  });
  const of = (part: ProfilePart) => placed.flatMap((each) => (each.part === part ? each.memory : []));
  const isVerbatim = ({ type }: Memory) => Number(type === 'episodes');
  const recent = of('recent').toSorted((one, other) => isVerbatim(one) - isVerbatim(other) || newestFirst(one, other));
  const told = {
    identity: of('identity')
      .slice(0, ofEachPart)
      .toSorted((one, other) => isOfHealth(other) - isOfHealth(one) || newestFirst(one, other)),
    standing: of('standing'),
    preferences: of('preferences'),
    recent: worthTelling(recent, [...memories.values()]).slice(0, ofEachPart),
  };
  return { ...told, text: formatSections(told) };
}

const isOfHealth = ({ category }: Memory) => Number(category === 'health');
const newestFirst = (one: Memory, other: Memory): number => Number(other.validFrom) - Number(one.validFrom);

/** "I work as a plumber", and neither "The report is late" nor "I visited my doctor", which pass. */
const saysWhoSomebodyIs = ({ category, content, evidence }: Memory): boolean =>
  category === 'identity' ||
  (evidence.some(({ quote }) => usesFirstPerson(quote)) && tenseHintAt(content)(content.length) !== 'past');

/**
 * Leaves out passages of small talk, questions and commands, and those whose statement is among the memories itself.
 */
function worthTelling(recent: readonly Memory[], all: readonly Memory[]): Memory[] {
  const statements = all
    .filter(({ type }) => type !== 'episodes')
    .flatMap(({ content, evidence }) => [content, ...evidence.map(({ quote }) => quote)])
    .map(comparable);
  return recent.filter(({ type, content }) => {
    if (type !== 'episodes') return true;
    const words = comparable(content);
    const isStated = statements.some((stated) => stated.includes(words) || (isLong(stated) && words.includes(stated)));
    return !isStated && !saysNothing(content);
  });
}

const comparable = (text: string) => text.replaceAll(/\s+/gu, ' ').trim().toLowerCase();

/** Fewer words between blanks say nothing by themselves, and many passages have them. */
const fewestWords = 3;
const isLong = (text: string) =>
  !/^[\p{Script=Latin}\P{L}]*$/u.test(text) || text.trim().split(/\s+/u).length >= fewestWords;
const saysNothing = (text: string) => isSmallTalk(text) || isBareQuestion(text) || !isLong(text);
