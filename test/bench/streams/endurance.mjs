import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { startChild } from './child.mjs';
import { completed } from './completed.mjs';
import { startChatting } from './people.mjs';

/** Of the streams, those whose process is killed again and again, and of the others those that nobody reads meanwhile. */
const [visitingShare, unreadShare] = [0.2, 0.1];
/** Of what is forgotten, each so-manieth is shared by everybody. */
const sharedEvery = 4;
const sampleEveryMs = 2_000;
/** Everybody is of it, and so are the rules. */
const customer = 'town';
const ruleOf = (n) => `rule-${n}`;
/** What was withdrawn last may still be on its way. */
const deliveredWithinMs = 10_000;

/**
 * Thousands of streams for minutes: some are not read, some are cut off without a word and resumed, all the while
 * memories are forgotten.
 *
 * @returns what became of it: {megabytes: [time in s, resident memory] each, sent, slowestPongMs, starved, resumed, errors,
 *   forgotten, slowestForgetMs, stillHeld: sessions that hold a memory that was forgotten}
 */
export async function endure(settings, { service, key, opened, tell }) {
  const { streams, users, turns, rate, minutes, visitEveryMs, forgetEveryMs } = settings;
  const people = await startChatting(service.client, { users, turns, customer, tell });
  const rules = Math.ceil((minutes * 60_000) / forgetEveryMs / sharedEvery);
  await shareRules(service.client, rules);
  const sessions = Array.from({ length: streams }, (_, n) => ({
    userId: people[n % people.length],
    customerId: customer,
    sessionId: `session-${n}`,
    keepsBundle: n % 2 === 0,
  }));
  const visiting = Math.round(streams * visitingShare);
  const at = { address: service.grpcAddress, key };
  const stay = startChild('clients.mjs');
  opened.push(stay.kill);
  tell(`endurance: opening ${streams} streams`);
  await stay.ask('open', { ...at, sessions: sessions.slice(visiting) });
  let visitors = startChild('clients.mjs');
  opened.push(() => visitors.kill());
  await visitors.ask('open', { ...at, sessions: sessions.slice(0, visiting) });
  await stay.ask('chatter', { perSecond: rate * (1 - visitingShare), unread: unreadShare });

  const end = performance.now() + minutes * 60_000;
  const isOver = () => performance.now() >= end;
  const [forgotten, megabytes] = [new Set(), []];
  let resumed = 0;
  let slowestForgetMs = 0;
  const forgetting = until(isOver, forgetEveryMs, async () => {
    const n = forgotten.size;
    const isShared = n % sharedEvery === sharedEvery - 1;
    const which = isShared
      ? `document_id=${ruleOf(rules - Math.floor(n / sharedEvery))}&type=preferences` // the newest first
      : `user_id=${people[n % people.length]}`;
    const began = performance.now();
    forgotten.add(await forgetOne(service.client, which));
    slowestForgetMs = Math.max(slowestForgetMs, performance.now() - began);
  });
  const watching = until(isOver, sampleEveryMs, async () => {
    megabytes.push(residentOf(service.pid));
    tell(`endurance: ${Math.round((end - performance.now()) / 1_000)} s left, ${megabytes.at(-1)} MB`);
  });
  const visits = until(isOver, visitEveryMs, async () => {
    await visitors.ask('chatter', { perSecond: rate * visitingShare, unread: 0 });
    await pause(visitEveryMs / 2);
    const states = await visitors.ask('states');
    await visitors.kill();
    visitors = startChild('clients.mjs');
    await visitors.ask('open', { ...at, sessions: states });
    resumed += states.length;
  });
  await Promise.all([forgetting, watching, visits]);
  const told = await stay.ask('hush');
  await pause(deliveredWithinMs);
  const states = (await Promise.all([stay.ask('states'), visitors.ask('states')])).flat();
  const stillHeld = states.filter(({ holds }) => holds.some((id) => forgotten.has(id))).length;
  return { ...told, megabytes, resumed, forgotten: forgotten.size, slowestForgetMs, stillHeld };
}

async function until(isOver, everyMs, work) {
  while (!isOver()) {
    await work();
    await pause(everyMs);
  }
}

/** Instructions of the customer, which hold for everybody: one for each that will be forgotten, and one more. */
async function shareRules(client, count) {
  const documents = Array.from({ length: count + 1 }, (_, n) => ({
    document: [{ role: 'user', content: `Always close with greeting number ${n} of the list.` }],
    document_id: ruleOf(n),
    document_type: 'ai-chat-conversation',
    customer_id: customer,
  }));
  while (documents.length) {
    const { batch_id: batch } = await client.post('/v1/memories/batch', { documents: documents.splice(0, 25) });
    await completed(client, batch);
  }
}

/** The newest memory of these. Returns its id once the service has acknowledged that it is gone. */
async function forgetOne(client, which) {
  const { data } = await client.get(`/v1/memories?${which}&limit=1`);
  await client.delete(`/v1/memories/${data[0].id}`);
  return data[0].id;
}

/** Resident memory of a process, in megabytes. */
const residentOf = (pid) =>
  Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1_024);
