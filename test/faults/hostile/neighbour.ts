import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceProcess } from '../../support/service-process.ts';

/** What a tenant who has nothing to do with what is sent sees of it at most. */
export interface Worst {
  /** The longest waits, in milliseconds. */
  ready: number;
  fetch: number;
  /** Answers of the probe or of a fetch that were no success. */
  refusals: number;
  /** Resident memory of the service. */
  MiB: number;
}

export interface Neighbour {
  /** The worst since this was last asked. */
  worstSince(): Worst;
  /** The same, once what is under way has been answered. */
  settled(): Promise<Worst>;
  /** The most memory that the service had so far, in MiB. */
  peakRss(): number;
  stop(): void;
}

const none = (): Worst => ({ ready: 0, fetch: 0, refusals: 0, MiB: 0 });

/** A second tenant, who asks every few milliseconds whether the service is ready, and for their own memory. */
export async function watchNeighbour(service: ServiceProcess): Promise<Neighbour> {
  const key = await keyOfAnotherInstance(service);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const send = (path: string, body: object) =>
    fetch(service.baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const calls = {
    ready: () => fetch(`${service.baseUrl}/ready`),
    fetch: () => send('/v1/context/fetch', { search_queries: ['What must I not eat?'], user_id: 'neighbour' }),
  };
  await send('/v1/memories', {
    document: 'I am allergic to walnuts.',
    document_type: 'ai-chat-conversation',
    user_id: 'neighbour',
  });
  const stopping = new AbortController();
  const seen = { worst: none(), peak: 0, rounds: 0 };
  const ask = async (name: keyof typeof calls) => {
    while (!stopping.signal.aborted) {
      const began = performance.now();
      const isAnswered = await calls[name]().then(
        async (answer) => {
          await answer.arrayBuffer();
          return answer.ok;
        },
        () => false,
      );
      seen.worst[name] = Math.max(seen.worst[name], Math.round(performance.now() - began));
      if (!isAnswered && !stopping.signal.aborted) seen.worst.refusals += 1;
      seen.worst.MiB = Math.max(seen.worst.MiB, residentMiB(service.pid));
      seen.peak = Math.max(seen.peak, seen.worst.MiB);
      seen.rounds += 1;
      await pause(20);
    }
  };
  for (const name of ['ready', 'fetch'] as const) void ask(name);
  const worstSince = () => {
    const found = seen.worst;
    seen.worst = none();
    return found;
  };
  return {
    worstSince,
    async settled() {
      for (const until = seen.rounds + 4; seen.rounds < until;) await pause(20);
      return worstSince();
    },
    peakRss: () => seen.peak,
    stop: () => stopping.abort(),
  };
}

/** Resident memory of a process, in MiB. */
export function residentMiB(pid: number): number {
  const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return Math.round(Number(kib) / 1024);
}

async function keyOfAnotherInstance({ baseUrl, adminToken }: ServiceProcess): Promise<string> {
  const ask = async (query: string, variables: object) => {
    const answer = await fetch(`${baseUrl}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    return ((await answer.json()) as { data: any }).data;
  };
  const made = await ask('mutation { createInstance(input: { name: "neighbour" }) { ... on Instance { id } } }', {});
  const { createKey } = await ask(
    'mutation ($input: CreateKeyInput!) { createKey(input: $input) { ... on KeyCreated { secret } } }',
    { input: { instanceId: made.createInstance.id } },
  );
  return createKey.secret as string;
}
