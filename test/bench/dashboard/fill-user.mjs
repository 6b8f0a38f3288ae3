import { setTimeout as pause } from 'node:timers/promises';

const [turnsOfDocument, documentsOfUser] = [50, 20];
const people = ['Ada', 'Odile', 'Ina', 'Grace', 'Noor', 'Mateo', 'Yuki', 'Lena', 'Omar', 'Tove'];
const towns = ['Leeds', 'York', 'Harrogate', 'Bergen', 'Porto', 'Lyon', 'Kyoto', 'Tartu', 'Graz', 'Cork'];
const things = [
  'kayak',
  'harmonium',
  'telescope',
  'loom',
  'bakery',
  'garden',
  'violin',
  'workshop',
  'greenhouse',
  'boat',
];
const at = (list, n) => list[Math.floor(n) % list.length];

/** Gives a user about 1,000 memories: short statements that name somebody, something and a place. Returns how many. */
export async function fillUser(client, user) {
  const documents = Array.from({ length: documentsOfUser }, (_, d) => ({
    document: Array.from({ length: turnsOfDocument }, (__, t) => {
      const n = d * turnsOfDocument + t;
      const name = `${at(people, n)} ${at(people, n / 10 + user)}son`;
      return { role: 'user', content: `${name} has ${n + 2} ${at(things, n / 3)}s in ${at(towns, n / 7)}.` };
    }),
    document_type: 'ai-chat-conversation',
    user_id: `person-${user}`,
  }));
  const { batch_id: id } = await client.post('/v1/memories/batch', { documents });
  for (;;) {
    const { results } = await client.get(`/v1/memories/batch/${id}`);
    const failed = results.find(({ status, error }) => error || status === 'failed');
    if (failed) throw new Error(`a document was not taken: ${failed.error?.message}`);
    if (results.every(({ status }) => status === 'completed')) {
      const counts = await Promise.all(results.map((each) => client.get(`/v1/memories/${each.ingestion_id}/status`)));
      return counts.reduce((sum, { memories_created: created }) => sum + created, 0);
    }
    await pause(250);
  }
}
