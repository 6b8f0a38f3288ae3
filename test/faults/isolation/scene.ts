import type { App } from '../../../src/app.ts';
import type { Configuration } from '../../../src/domain/configurations/configuration.ts';
import { DomainError } from '../../../src/domain/errors.ts';
import type { Access, SubjectIds } from '../../../src/domain/tenancy/access.ts';
import { configured } from '../../support/configured.ts';
import type { World } from '../../support/world.ts';
import { Knowledge, markPattern, type Text } from './knowledge.ts';

/** Two instances, what they were told, and every answer they gave compared with it. */
export interface Scene {
  readonly world: World;
  readonly app: App;
  readonly houses: readonly Access[];
  readonly knowledge: Knowledge;
  /** Ids that were told to somebody, for others to try. */
  readonly ids: { readonly merges: string[]; readonly receipts: { house: number; id: string }[] };
  readonly counts: Counts;
  newMark(): string;
}

export interface Counts {
  operations: number;
  answers: number;
  refusals: number;
  /** How often a text was in an answer, rightly. */
  read: number;
  /** Texts of somebody else in an answer, and texts that were lost. */
  leaks: number;
}

/** One where a user is one person in every customer, and one where they are another in each. */
const settings: readonly Partial<Configuration>[] = [
  { isolation: 'b2c', primary_scope: 'CLIENT' },
  { isolation: 'b2b', primary_scope: 'CUSTOMER', customer_documents: ['support-ticket'] },
];

/** `worlds`: services on one database, which do the operations in turns. */
export async function openScene(worlds: readonly World[], counts: Counts, newMark: () => string): Promise<Scene> {
  const [world] = worlds as readonly [World];
  let turn = 0;
  const houses = await Promise.all(settings.map(async (each) => (await configured(world, each)).access));
  const knowledge = new Knowledge(settings.map(({ isolation }) => isolation!));
  return {
    world,
    get app() {
      return worlds[turn++ % worlds.length]!.app;
    },
    houses,
    knowledge,
    ids: { merges: [], receipts: [] },
    counts,
    newMark,
  };
}

/** A text of somebody else, or one that was forgotten, came in an answer; or one that must be there did not. */
export class Leak extends Error {
  constructor({ counts }: Scene, message: string) {
    super(message);
    counts.leaks += 1;
  }
}

/** Every text in the answer is one of `permissionSource`, and each of `expected` is there. */
export function hear(
  scene: Scene,
  answer: unknown,
  { allowed, expected = [] }: { allowed: readonly Text[]; expected?: readonly Text[] },
): void {
  const { counts } = scene;
  const said = JSON.stringify(answer, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)) ?? '';
  const heard = new Set([...said.matchAll(markPattern)].map(([mark]) => mark.toLowerCase()));
  for (const { mark } of allowed) counts.read += heard.delete(mark.toLowerCase()) ? 1 : 0;
  counts.answers += 1;
  if (heard.size > 0) throw new Leak(scene, `${[...heard].join()} of somebody else in ${said}`);
  const missing = expected.filter(({ mark }) => !said.toLowerCase().includes(mark.toLowerCase()));
  if (missing.length > 0) throw new Leak(scene, `${missing.map(({ mark }) => mark).join()} lost: not in ${said}`);
}

/** What the call resolves with, or undefined when it is refused: then the refusal says nothing of anybody. */
export async function attempt<T>(scene: Scene, call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === 'unavailable') throw error;
    scene.counts.refusals += 1;
    hear(scene, [error.message, error.fields, error.details], { allowed: [] });
    return undefined;
  }
}

/** What a route by id may show: naming nobody, all of the instance; else what these may read. */
export const shownTo = ({ knowledge }: Scene, house: number, named: SubjectIds): Text[] =>
  named.userId === undefined && named.customerId === undefined
    ? knowledge.ownedBy(house, {})
    : knowledge.readableBy(house, named);

/** Whoever may not see it can do nothing to it. Resolves with what was done, or undefined when it was rightly refused. */
export async function changing<T>(
  scene: Scene,
  { text, house, named }: { text: Text; house: number; named: SubjectIds },
  call: () => Promise<T>,
): Promise<T | undefined> {
  const allowed = shownTo(scene, house, named);
  const isAnybody = named.userId === undefined && named.customerId === undefined;
  const isTheirs = isAnybody ? text.house === house : scene.knowledge.isOf(text, house, named);
  const mayChange = allowed.includes(text) || (text.state === 'emptied' && isTheirs);
  const done = await attempt(scene, call);
  if (done !== undefined && !mayChange) throw new Leak(scene, `${text.mark} was changed by somebody else`);
  hear(scene, done, { allowed });
  return done;
}
