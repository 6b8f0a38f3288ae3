import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { brokenRules } from '../../support/consistency.ts';
import { openDatabaseOf } from '../../support/place-database.ts';
import { migratedPlace, startService, type ServiceProcess } from '../../support/service-process.ts';

const kills = Number(process.env['KILLS'] ?? 2);

test(
  'killed again and again while ingesting and forgetting: nothing is lost, nothing is there twice, no row is alone',
  { timeout: 180_000 + kills * 30_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'presage-killed-'));
    const place = await migratedPlace(folder);
    /** Texts that were accepted, and those whose deletion was confirmed or asked for. */
    const [accepted, forgotten, asked] = [new Map<string, string>(), new Set<string>(), new Set<string>()];
    let service: ServiceProcess | undefined;
    try {
      for (let round = 0; round < kills; round++) {
        service = await startService(place);
        const { send } = clientOf(service);
        const work = Array.from({ length: 24 }, async (_, n) => {
          const id = `r${round}-${n}`;
          const text = `Crate ${n} of harvest ${round} went to cellar ${n * 7} with Rosalind${n % 3}.`;
          await pause(n * 12);
          const body = {
            document: text,
            document_type: 'note',
            user_id: `u${n % 3}`,
            customer_id: 'acme',
            document_id: id,
          };
          if ((await send('POST', '/v1/memories', body))?.status === 202) accepted.set(id, text);
          if (n % 3 !== 0 || !accepted.has(id)) return;
          await pause(n * 5);
          asked.add(id);
          const answer = await send('DELETE', `/v1/documents/${id}`);
          if (answer?.status !== 200) return;
          forgotten.add(id);
          const { remaining } = answer.body['receipt'] as { remaining: object };
          expect(remaining).toEqual({ rows: 0, vectors: 0, terms: 0, graph_links: 0 });
        });
        // By what was accepted and not by the clock: some are done then, some under way, some not yet accepted.
        const enough = accepted.size + 4 + 3 * round;
        while (accepted.size < enough) await pause(5);
        await service.kill();
        await Promise.all(work);
      }
      service = await startService(place);
      const { send } = clientOf(service);
      const contents: string[] = [];
      const deadline = Date.now() + 30_000;
      for (;;) {
        const page = await everyEpisode(send);
        const missing = [...accepted].filter(([id, text]) => !asked.has(id) && !page.includes(text));
        if (!missing.length || Date.now() > deadline) {
          contents.push(...page);
          expect(missing).toEqual([]);
          break;
        }
        await pause(100);
      }
      expect(accepted.size).toBeGreaterThan(kills);
      expect(new Set(contents).size).toBe(contents.length);
      for (const id of forgotten) expect(contents).not.toContain(accepted.get(id));
      // What was accepted without an answer is ingested too.
      const { baseUrl } = service;
      const metrics = async () => (await fetch(`${baseUrl}/metrics`)).text();
      await expect.poll(metrics, { timeout: 30_000 }).not.toMatch(/^presage_jobs\{.*\} [1-9]/m);
      expect(await metrics()).toMatch(/^presage_jobs\{queue="ingest-document".*\} 0$/m);
      await service.stop();
      service = undefined;
      const { db, close } = await openDatabaseOf(folder, join(folder, 'data'));
      try {
        expect(await db.job.count()).toBe(0);
        const [instance] = await db.instance.findMany();
        expect(await brokenRules({ db }, instance!)).toEqual({});
      } finally {
        await close();
      }
    } finally {
      await service?.kill().catch(() => undefined);
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Undefined: the service was killed before it answered. */
function clientOf({ baseUrl, key }: ServiceProcess) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return {
    async send(
      method: string,
      path: string,
      body?: object,
    ): Promise<{ status: number; body: Record<string, any> } | undefined> {
      try {
        const answer = await fetch(baseUrl + path, {
          method,
          headers,
          ...(body ? { body: JSON.stringify(body) } : {}),
        });
        return { status: answer.status, body: (await answer.json()) as Record<string, any> };
      } catch {
        return undefined;
      }
    },
  };
}

async function everyEpisode(send: ReturnType<typeof clientOf>['send']): Promise<string[]> {
  const contents: string[] = [];
  let cursor = '';
  do {
    const page = await send('GET', `/v1/memories?type=episodes&limit=100${cursor && `&cursor=${cursor}`}`);
    for (const { content } of page!.body['data'] as { content: string }[]) contents.push(content);
    cursor = (page!.body['next_cursor'] as string | null) ?? '';
  } while (cursor);
  return contents;
}
