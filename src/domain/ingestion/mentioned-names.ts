import { normalName, roleName } from '../entities/normal-name.ts';
import { isBareQuestion } from '../extraction/bare-question.ts';
import { mapYielding } from '../flow/map-yielding.ts';
import { findNicknames, containsName } from '../language/names.ts';
import { findRoles } from '../language/roles.ts';
import { isHumanRole } from '../language/speaker.ts';
import type { CategorizedMemories } from './categorize.ts';

/** A name or role as the document's memories use it. */
export interface MentionedName {
  readonly normal: string;
  readonly isRole: boolean;
  readonly kind: string;
  readonly isParticipant: boolean;
  /** Perhaps no name at all, but the head of a sentence: it counts where somebody is known by it. */
  readonly isDoubtful: boolean;
  /** The name was only asked about: it counts where it is known. */
  readonly isOnlyAsked: boolean;
  /** The memories, with their spelling of it. */
  readonly spellings: ReadonlyMap<string, string>;
}

/** Two names of a document that a memory says are one. */
export interface StatedNames {
  readonly names: readonly [string, string];
  readonly memoryIds: readonly string[];
}

type NameDetails = Pick<MentionedName, 'normal' | 'isRole' | 'kind'> &
  Partial<Pick<MentionedName, 'isParticipant' | 'isDoubtful' | 'isOnlyAsked'>>;
type NameCollection = { -readonly [K in keyof MentionedName]: MentionedName[K] } & { spellings: Map<string, string> };

/** Every name and role of the memories; roles are told apart by whose they are. */
export async function mentionedNames(
  memories: CategorizedMemories['memories'],
  { ownerNo, documentId }: { ownerNo: number; documentId: string },
): Promise<{ names: MentionedName[]; stated: StatedNames[] }> {
  const names = new Map<string, NameCollection>();
  const stated = new Map<string, { names: [string, string]; memoryIds: string[] }>();
  const note = (memoryId: string, spelling: string, more: NameDetails) => {
    if (!more.normal) return;
    const { isParticipant = false, isDoubtful = false, isOnlyAsked = false } = more;
    const existing = names.get(more.normal) ?? {
      ...more,
      isParticipant,
      isDoubtful,
      isOnlyAsked,
      spellings: new Map(),
    };
    if (existing.kind === 'other') existing.kind = more.kind;
    existing.isParticipant ||= isParticipant;
    existing.isDoubtful &&= isDoubtful;
    existing.isOnlyAsked &&= isOnlyAsked;
    if (!existing.spellings.has(memoryId)) existing.spellings.set(memoryId, spelling);
    names.set(more.normal, existing);
  };
  const speakers = new Set(memories.flatMap(({ memory }) => (isHumanRole(memory) ? [memory.speaker ?? ''] : [])));
  await mapYielding(memories, ({ memory, candidate }) => {
    const text = `${candidate.content}\n${candidate.quote}`;
    // Several people know whom they ask each other about; an assistant is asked what nobody may have told it.
    const isOnlyAsked = speakers.size <= 1 && isBareQuestion(candidate.quote);
    for (const { name, kind } of candidate.entities) {
      for (const spelling of spellingsIn(text, name, kind)) {
        note(memory.id, spelling, { normal: normalName(spelling), isRole: false, kind, isOnlyAsked });
      }
      if (name === memory.speaker)
        note(memory.id, name, { normal: normalName(name), isRole: false, kind, isParticipant: true });
    }
    for (const call of findNicknames(candidate.quote)) {
      note(memory.id, call, { normal: normalName(call), isRole: false, kind: 'person', isDoubtful: true });
    }
    for (const { role, phrase, of, isSingle, name } of findRoles(candidate.quote)) {
      const owner = ownerOf(of, memory, speakers);
      if (owner === undefined) continue;
      const named =
        name !== undefined && candidate.entities.find((entity) => normalName(entity.name) === normalName(name));
      // Somebody may have many friends: one with a name is that friend, and one without is one person in each document.
      const which = isSingle || !named ? role : `${role} ${normalName(named.name)}`;
      const within = isSingle || named ? '' : documentId;
      const normal = roleName(which, owner ? normalName(owner) : `#${ownerNo}`, within);
      note(memory.id, phrase, { normal, isRole: true, kind: 'person', isOnlyAsked: isOnlyAsked && !named });
      if (!named) continue;
      const link = stated.get(normal) ?? { names: [normal, normalName(named.name)], memoryIds: [] };
      link.memoryIds.push(memory.id);
      stated.set(normal, link);
    }
  });
  return { names: [...names.values()], stated: [...stated.values()] };
}

/**
 * The name as this memory has it: what another one of the document says in full stays with that one, so that it is
 * forgotten with it. Empty when the words do not have it: who speaks is named beside them.
 */
function spellingsIn(text: string, name: string, kind: string): string[] {
  if (containsName(text, name)) return [name];
  const first = name.slice(0, Math.max(0, name.indexOf(' ')));
  return kind === 'person' && first && containsName(text, first) ? [first] : [];
}

/** The person whose sister "my sister" is: empty for the user of the document, undefined when unknown. */
function ownerOf(
  of: 'speaker' | 'addressee',
  said: { role: string; speaker: string | null },
  speakers: ReadonlySet<string>,
): string | undefined {
  const isOnePerson = speakers.size <= 1;
  if (of === 'speaker') {
    if (!isHumanRole(said)) return undefined; // "my sister" of an assistant is a manner of speaking
    return isOnePerson ? '' : (said.speaker ?? undefined);
  }
  if (isOnePerson) return isHumanRole(said) ? undefined : '';
  const others = [...speakers].filter((each) => each !== said.speaker);
  return others.length === 1 && others[0] ? others[0] : undefined;
}
