import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { openClient, says, start } from '../behaviour/grpc/open-client.ts';
import { administratorsWords, sayAsAdministrator } from './say-as-administrator.ts';
import type { ServiceProcess } from './service-process.ts';

/** Words that no program or dictionary holds, each said to another door or kept in another place. */
const words = {
  metadata: 'Flibberquartz',
  speaker: 'Wobblethorne',
  person: 'Snorkelbrook',
  place: 'Grumbleford',
  repeated: 'Thistlewhomp',
  idempotencyKey: 'Pimpleshanks',
  question: 'Mugwumpery',
  variable: 'Crinklebottom',
  streamed: 'Dabblemere',
  message: 'Bumblewhisk',
  speaking: 'Crumpetfield',
  conversation: 'Puddlefinch',
  label: 'Fizzlewick',
  refused: 'Jabberknoll',
  malformed: 'Noddlecombe',
  reason: 'Gobbledyke',
  role: 'Quibblesworth',
  messageRole: 'Pricklethwaite',
  streamedRole: 'Wimblestoke',
  partial: 'Hufflemead',
  tool: 'Sprocketham',
  metadataKey: 'Twiddlebrook',
  nestedMetadata: 'Bafflewood',
  heading: 'Trumpleton',
  bought: 'Crumblewick',
  inBatch: 'Nettlefribble',
  refusedInBatch: 'Squabblecote',
  operation: 'Jinglethorpe',
  alias: 'Muddlestone',
  searched: 'Fiddlesham',
  unknownParameter: 'Pebblewhit',
  unknownPath: 'Dawdlebury',
  unknownType: 'sniffleworth',
  agent: 'Ramblecroft',
  webhook: 'Trundleby',
  webhookPurpose: 'Whifflecombe',
};
export const saidEverywhere: readonly string[] = [...Object.values(words), ...Object.values(administratorsWords)];
/** The one of them that is recalled in the end. */
export const recalledWord = words.place;

type Doors = Pick<ServiceProcess, 'baseUrl' | 'grpcAddress' | 'key' | 'adminToken'>;

/** Says something at every door, is kept in every way and refused in every way. Resolves with what is recalled of it. */
export async function sayEverywhere({ baseUrl, grpcAddress, key, adminToken }: Doors): Promise<string> {
  const send = async (method: string, path: string, body?: string, headers: Record<string, string> = {}) => {
    const usual = { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) };
    const answer = await fetch(baseUrl + path, { method, body: body ?? null, headers: { ...usual, ...headers } });
    return { status: answer.status, text: await answer.text() };
  };
  const post = async (path: string, body: unknown) => JSON.parse((await send('POST', path, JSON.stringify(body))).text);
  const get = async (path: string) => JSON.parse((await send('GET', path)).text);
  const completed = async (ingestionId: string) => {
    for (;;) {
      const { status } = await get(`/v1/memories/${ingestionId}/status`);
      if (status === 'completed') return;
      if (status === 'failed') throw new Error('an ingestion failed');
      await pause(20);
    }
  };

  await sayAsAdministrator({ baseUrl, adminToken });
  const turns = [
    { role: 'user', name: words.speaker, content: `Ina ${words.person} lives in ${words.place}.` },
    { role: 'user', name: words.speaker, content: `I. ${words.person} moved to Bath.` },
  ];
  const metadata = { source: words.metadata, [words.metadataKey]: { within: [words.nestedMetadata] } };
  const submitted = await post('/v1/memories', { document: turns, document_type: 'note', user_id: 'eve', metadata });
  await completed(submitted.ingestion_id);
  const spoken = [{ role: `${words.role} of the harbour`, content: 'The ferry to the lagoon leaves at noon.' }];
  const bought = `# ${words.heading}\n\nI ordered a ${words.bought} for the harbour last week.`;
  for (const sent of [
    { document: spoken, document_type: 'meeting-transcript' },
    { document: bought, document_type: 'markdown' },
  ])
    await completed((await post('/v1/memories', { ...sent, user_id: 'eve' })).ingestion_id);
  const { data: ofCategory } = await get(`/v1/memories?user_id=eve&category=${administratorsWords.category}`);
  expect(JSON.stringify(ofCategory)).toContain(words.bought);
  const taken = { document: `The ${words.inBatch} is mine.`, document_type: 'note', user_id: 'eve' };
  const { results } = await post('/v1/memories/batch', {
    documents: [taken, { ...taken, document_id: words.refusedInBatch, document_type: words.refusedInBatch }],
  });
  await completed(results[0].ingestion_id);
  const note = { document: `The ${words.repeated} is ripe.`, document_type: 'note', user_id: 'eve' };
  const keyed = { 'idempotency-key': words.idempotencyKey };
  const first = await send('POST', '/v1/memories', JSON.stringify(note), keyed);
  expect(await send('POST', '/v1/memories', JSON.stringify(note), keyed)).toEqual(first);
  await completed(JSON.parse(first.text).ingestion_id);
  const { data: entities } = await get('/v1/entities?user_id=eve');
  const [one, other] = entities.filter(({ name }: { name: string }) => name.includes(words.person));
  const merging = { source_entity_id: one?.entity_id, target_entity_id: (other ?? entities.at(-1))?.entity_id };
  await post('/v1/entities/merge', { ...merging, user_id: 'eve' });
  const hook = `https://8.8.8.8/${words.webhook}`; // nothing that follows is sent to it
  const kept = { url: hook, description: words.webhookPurpose, event_types: ['config.applied'] };
  expect((await post('/v1/webhooks', kept)).secret).toMatch(/^whsec_/);
  await post('/v1/context/fetch', { search_queries: [`what of ${words.question}?`], user_id: 'eve' });
  await post('/v1/memories', { document: words.refused, document_type: words.refused, [words.refused]: 1 });
  await send('POST', '/v1/memories', `{"document": "${words.malformed}`);
  await send('GET', `/v1/memories?q=${words.searched}`, undefined, { 'user-agent': words.agent });
  await send('GET', `/v1/memories?${words.unknownParameter}=1`);
  await send('GET', `/v1/${words.unknownPath}`);
  await send('POST', '/v1/memories', 'a', { 'content-type': `text/${words.unknownType}` });
  await post('/graphql', {
    operationName: words.operation,
    query: `query ${words.operation} { ${words.alias}: memories(filter: { userId: "eve" }) { nodes { content } } }`,
  });
  await post('/graphql', {
    query: 'query ($q: String!) { memories(filter: { userId: "eve", q: $q }) { nodes { content } } }',
    variables: { q: words.variable },
  });
  await post('/v1/conversations', {
    conversation_id: 'call',
    user_id: 'eve',
    metadata: { source: words.conversation },
  });
  const message = { role: words.messageRole, name: words.speaking, content: `The ${words.message} is mine.` };
  await post('/v1/conversations/call/messages', message);
  const ended = await post('/v1/conversations/call/end?user_id=eve', {});
  for (const ingestion of ended.ingestion_ids as string[]) await completed(ingestion);
  expect(JSON.stringify(await get('/v1/conversations/call'))).toContain(words.message);
  const asAdmin = { authorization: `Bearer ${adminToken}` };
  const askAdmin = (query: string) => send('POST', '/graphql', JSON.stringify({ query }), asAdmin);
  const { data } = JSON.parse((await askAdmin('{ instances { nodes { id } } }')).text);
  const input = `{ instanceId: "${data.instances.nodes[0].id}", label: "${words.label}" }`;
  const made = await askAdmin(`mutation { createKey(input: ${input}) { ... on KeyCreated { key { label } } } }`);
  expect(made.text).toContain(words.label);
  await askAdmin(`{ ${words.reason} }`);
  const client = openClient(grpcAddress);
  const stream = client.anticipate({ key });
  stream.send(start('eve'), says(`Is ${words.streamed} far?`));
  await stream.next();
  stream.send({ message: { role: words.streamedRole, content: 'Is the harbour far?' } });
  stream.send({ partialMessage: { role: 'user', content: `Is ${words.partial}` } });
  stream.send({ toolCall: { name: words.tool, arguments: JSON.stringify({ place: words.tool }) } });
  stream.hangUp();
  await stream.ended;
  client.client.close();
  const recalled = await post('/v1/context/fetch', { search_queries: ['where does Ina live?'], user_id: 'eve' });
  return JSON.stringify(recalled);
}
