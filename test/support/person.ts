import type { Context } from '../../src/domain/context/context.ts';
import type { Ingestion, Submission } from '../../src/domain/ingestion/ingestion.ts';
import type { Memory } from '../../src/domain/memories/memory.ts';
import type { Access } from '../../src/domain/tenancy/access.ts';
import type { World } from './world.ts';

const firstDay = Date.UTC(2026, 0, 5, 9);

/** The n-th day of the tests' calendar, at nine. */
export const day = (n: number) => new Date(firstDay + n * 86_400_000);

/** Somebody who talks to an agent, in one instance. */
export class Person {
  readonly access: Access;
  readonly named: { userId?: string | undefined; customerId?: string | undefined };
  readonly #world: World;

  constructor(world: World, access: Access, named: Person['named']) {
    this.#world = world;
    this.access = access;
    this.named = named;
  }

  /** Says something and waits until it is remembered. */
  async says(document: Submission['document'], at = day(1), more: Partial<Submission> = {}): Promise<Ingestion> {
    const { app } = this.#world;
    const submitted = await app.submit(this.access, {
      document,
      documentType: 'ai-chat-conversation',
      mode: 'long-range',
      documentCreatedAt: at,
      ...this.named,
      ...more,
    });
    for await (const ingestion of app.watchIngestion(this.access, submitted.id, AbortSignal.timeout(20_000))) {
      if (ingestion.status === 'completed' || ingestion.status === 'failed') return ingestion;
    }
    throw new Error('the ingestion did not end');
  }

  fetches(question: string, more: Partial<Parameters<World['app']['fetchContext']>[1]> = {}): Promise<Context> {
    const query = { searchQueries: [question], mode: 'accurate' as const, maxResults: 10, explain: false };
    return this.#world.app.fetchContext(this.access, { ...query, ...this.named, ...more });
  }

  /** What is recalled, best first. */
  async recalls(question: string, more: Parameters<Person['fetches']>[1] = {}): Promise<string[]> {
    return (await this.fetches(question, more)).memories.map((memory) => memory.content);
  }

  /** All that is remembered, oldest first. */
  async memories(filter: Parameters<World['app']['memories']>[1] = {}): Promise<Memory[]> {
    const { data } = await this.#world.app.memories(this.access, { ...this.named, ...filter }, { limit: 100 });
    return data.toReversed();
  }
}
