import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isProof, tell } from '../../faults/length.ts';
import { wordsFound } from '../../support/at-rest.ts';
import { ownServer } from '../../support/own-server.ts';
import { isOnPostgres } from '../../support/place-database.ts';
import { recalledWord, sayEverywhere, saidEverywhere } from '../../support/say-everywhere.ts';
import { newPlace, startService, type Place, type ServiceProcess } from '../../support/service-process.ts';
import { isWanted as isOnWeaviate, startWeaviate } from '../../support/weaviate-server.ts';

/** `test/behaviour/process/process.test.ts` shows the same of the embedded default. */
const isHere = isOnPostgres() || isOnWeaviate;
const own = isHere ? ownServer() : undefined;

const conversations = isProof ? 400 : 10;
const subjects = ['Zwetschgenknoedel', 'Quivermarsh', 'Brumblewick', 'Hobblethwaite', 'Snickerdoon'];
const secrets = {
  PRESAGE_API_KEY: `presage_${'r'.repeat(43)}`,
  PRESAGE_ADMIN_TOKEN: `presageadmin_${'r'.repeat(43)}`,
  MASTER_KEY: createHash('sha256').update('these tests').digest('hex'),
};

test.runIf(isHere)(
  `nothing that was said stands in what Postgres${isOnWeaviate ? ', Weaviate' : ''} and three processes wrote down`,
  { timeout: isProof ? 1_800_000 : 300_000 },
  async () => {
    const { server } = own!;
    await server.query('CREATE DATABASE at_rest');
    const weaviate = isOnWeaviate ? startWeaviate() : undefined;
    const folder = mkdtempSync(join(tmpdir(), 'presage-at-rest-'));
    const variables = { ...secrets, DATABASE_URL: server.urlOf('at_rest'), ...weaviate?.variables };
    const running: ServiceProcess[] = [];
    const begin = async (kind: NonNullable<Place['kind']>) => {
      const service = await startService({ ...(await newPlace(join(folder, kind))), kind, variables });
      running.push(service);
      return service;
    };
    try {
      const [api, stream] = [await begin('api'), await begin('stream')];
      await begin('worker');
      expect(await sayEverywhere({ ...api, grpcAddress: stream.grpcAddress })).toContain(recalledWord);
      const memories = await converse(api.call);
      const logs = join(folder, 'printed');
      mkdirSync(logs);
      const stores = [server.dataFolder, ...(weaviate ? [weaviate.folder] : [])];
      const found = () => {
        for (const [n, { output }] of running.entries()) writeFileSync(join(logs, String(n)), output());
        return wordsFound([...stores, logs], [...subjects, ...saidEverywhere]);
      };
      await server.query('CHECKPOINT');
      const before = found();
      for (const user of ['eve', ...subjects.map((_, n) => `orchard-keeper-${n}`)])
        expect(await api.call('DELETE', `/v1/users/${user}`)).toMatchObject({
          receipt: { remaining: { rows: 0, terms: 0 } },
        });
      for (const service of running) await service.stop();
      await server.stop(); // both write down what they held in memory
      weaviate?.end();
      const after = found();
      tell(`at rest, in ${stores.length} stores and three logs`, {
        memories,
        'words found': before.length,
        'after deletion': after.length,
      });
      expect([before, after]).toEqual([[], []]);
      // The search finds what is there: ids are the caller's own references, and stand in clear.
      expect(wordsFound([server.dataFolder], ['orchard-keeper'])).not.toEqual([]);
      if (weaviate) expect(wordsFound([weaviate.folder], ['episodes'])).not.toEqual([]);
    } finally {
      await Promise.all(running.map((service) => service.kill().catch(() => undefined)));
      weaviate?.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

/** Documents, fetches, searches, corrections and deletions of five users, one with each subject. Returns the memories. */
async function converse(call: (method: string, path: string, body?: unknown) => Promise<any>): Promise<number> {
  const ingestions: string[] = [];
  for (let n = 0; n < conversations; n++) {
    const subject = subjects[n % subjects.length]!;
    const turns = [
      `My neighbour Rosalind ${subject} repaired shed ${n} on Tuesday.`,
      `I live in ${subject}${n % 3} and I prefer ${subject} with sugar.`,
      `Always send the bill of order ${n} to Mrs. ${subject}.`,
    ];
    const document = turns.map((content) => ({ role: 'user', content }));
    const named = { user_id: `orchard-keeper-${n % subjects.length}`, document_id: `talk-${n}` };
    const submission = { document, document_type: 'ai-chat-conversation', ...named };
    ingestions.push((await call('POST', '/v1/memories', submission)).ingestion_id);
  }
  let memories = 0;
  for (const [n, id] of ingestions.entries()) {
    const ended = await call('GET', `/v1/memories/${id}/status?wait=30`);
    expect(ended).toMatchObject({ status: 'completed' });
    memories += ended.memories_created;
    const [user, subject] = [`orchard-keeper-${n % subjects.length}`, subjects[n % subjects.length]];
    const question = { search_queries: [`Where does ${subject} live?`], user_id: user };
    if (n % 5 === 0) expect(JSON.stringify(await call('POST', '/v1/context/fetch', question))).toContain(subject);
    if (n % 7 === 0) await call('DELETE', `/v1/memories/${ended.memory_ids[0]}?user_id=${user}`);
  }
  return memories;
}
