import type { Compaction } from '../../../src/domain/compaction/compaction.ts';
import type { CompactionRequest } from '../../../src/domain/compaction/compact-conversation.ts';
import type { Access, SubjectIds } from '../../../src/domain/tenancy/access.ts';
import type { World } from '../../support/world.ts';

/** One conversation of a user, as tests hold and compact it. */
export interface Talk {
  readonly access: Access;
  readonly key: string;
  readonly conversationId: string;
  /** What the user says; each with an answer of the assistant, where it is a pair. */
  says(...turns: readonly (string | readonly [said: string, answered: string])[]): Promise<void>;
  /** Until all that was said is remembered. */
  remembered(): Promise<void>;
  compacts(request?: Partial<CompactionRequest>): Promise<Compaction>;
  versions(): Promise<number>;
}

/** A conversation of a new instance, or of the given one. */
export async function talkIn(
  world: World,
  {
    named = { userId: 'ada' },
    conversationId = 'harbour',
    of,
  }: { named?: SubjectIds; conversationId?: string; of?: Pick<Talk, 'access' | 'key'> } = {},
): Promise<Talk> {
  const { access, key } = of ?? (await world.instance());
  return {
    access,
    key,
    conversationId,
    async says(...turns) {
      const messages = turns.flatMap((turn) => {
        const [said, answered] = typeof turn === 'string' ? [turn, undefined] : turn;
        const user = { role: 'user', content: said };
        return answered === undefined ? [user] : [user, { role: 'assistant', content: answered }];
      });
      for (let at = 0; at < messages.length; at += 100)
        await world.app.addMessages(access, { conversationId, ...named, messages: messages.slice(at, at + 100) });
    },
    async remembered() {
      await world.app.endConversation(access, { conversationId });
      await world.settle();
    },
    compacts: (request = {}) => world.app.compactions.compact(access, { conversationId, ...request }),
    versions: () => world.deps.db.compaction.count({ where: { instanceNumber: access.instanceNumber } }),
  };
}

/** Talk of no consequence: nothing in it is to be kept. */
export const chatter = (count: number, of = 'harbour'): [string, string][] =>
  Array.from({ length: count }, (_, n) => [
    `In the poem the ${colours[n % colours.length]} boats near the ${of} looked ${moods[n % moods.length]} in the morning light.`,
    `Boats often look ${moods[(n + 1) % moods.length]} when ${weathers[n % weathers.length]} comes over the ${of}. Many painters have loved that sight, and they painted it again.`,
  ]);
const colours = ['red', 'green', 'white', 'golden', 'silver', 'brown', 'purple'];
const moods = ['calm', 'tired', 'cheerful', 'proud', 'lonely'];
const weathers = ['mist', 'rain', 'thunder', 'a breeze', 'the sun', 'snow'];
