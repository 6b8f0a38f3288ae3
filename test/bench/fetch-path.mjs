// `npm run bench:fetch-path`: how far one ordinary fetch goes through the code, from when its route is called until its
// answer is written. A user whose memories were fetched before asks one more question over REST of the compiled service,
// embedded, which has prefetched nothing for it.
//
// Modules: files of `dist/` of which a function was called, from V8's precise coverage of that request on the thread that
// answers it. A module counts when every one of several such requests enters it, which leaves out what timers do meanwhile.
//
// Returns: the modules in the order in which the request first enters them, read as a list of their folders. A stay is a
// stretch of that list within one folder; each stay in a folder that an earlier stay had left is a return. So the returns
// are the stays less the folders. The order comes from breakpoints on the functions that were called, which never stop:
// their condition notes the module, and is false. Counted so, the commit before the pipeline was made one had 66 modules
// in 20 folders and 24 returns.
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { WebSocket } from 'ws';
import { inTemporaryFolder, say } from './command.mjs';
import { newKey, startService } from './service.mjs';

const [route, answer] = ['transports/rest/add-route.js', 'transports/rest/present.js'];
// What was asked when the pipeline was made one (decision 56).
const max = { modules: 45, returns: 10 };
const dist = new URL('../../dist/', import.meta.url);
const userId = 'bench-user';
const facts = ['I live in Leeds, near the canal.', 'I work as a carpenter in Harrogate.', 'My dog is called Biscuit.'];
const questions = ['Where do I live?', 'What is my work?', 'What is my dog called?', 'Who lives near the canal?'];

const { values: settings } = parseArgs({ options: { list: { type: 'boolean', default: false } } });

await inTemporaryFolder({ name: 'bench', keep: false }, async (folder, opened) => {
  process.env.BENCH_NODE_FLAGS = '--inspect=127.0.0.1:0';
  const key = newKey();
  const { client, stop } = await startService(folder, key);
  opened.push(stop);
  await remember(client);
  const ask = (question) => client.post('/v1/context/fetch', { search_queries: [question], user_id: userId });
  for (const question of questions) await ask(question);
  const inspector = await inspect(folder);
  opened.push(() => inspector.close());

  const called = await calledByEach(inspector, questions, ask);
  const calls = await callsOfEach(inspector, called, questions, ask);
  const path = commonTo(calls.map((each) => each.slice(each.indexOf(route), each.lastIndexOf(answer) + 1)));
  const { stays, folders } = staysOf(path);
  const returns = stays.length - folders;
  if (settings.list) for (const stay of stays) say(`${stay.folder}: ${stay.files.join(', ')}`);
  say(`with the hooks that every request passes, and what follows its answer: ${called.size} modules`);
  say(`RESULT fetch-path modules=${path.length} folders=${folders} returns=${returns}`);
  if (path.length > max.modules || returns > max.returns) process.exitCode = 1;
});

async function remember(client) {
  const document = facts.map((content) => ({ role: 'user', content }));
  const body = { document, document_type: 'ai-chat-conversation', user_id: userId };
  const { ingestion_id: id } = await client.post('/v1/memories', body);
  const { status } = await client.get(`/v1/memories/${id}/status?wait=30`);
  if (status !== 'completed') throw new Error(`the memories were not taken: ${status}`);
}

/** A session with the inspector of the service, whose address stands in its log. */
async function inspect(folder) {
  const [, address] = /Debugger listening on (ws:\S+)/.exec(readFileSync(join(folder, 'service.log'), 'utf8'));
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const waiting = new Map();
  socket.on('message', (text) => {
    const { id, result, error } = JSON.parse(text);
    const call = waiting.get(id);
    waiting.delete(id);
    if (error) call?.reject(new Error(error.message));
    else call?.resolve(result);
  });
  let last = 0;
  return {
    send: (method, params = {}) =>
      new Promise((resolve, reject) => {
        waiting.set((last += 1), { resolve, reject });
        socket.send(JSON.stringify({ id: last, method, params }));
      }),
    close: () => socket.close(),
  };
}

/** The functions of `dist/` that every one of the requests calls, by module: `{ scriptId, from, to }`. */
async function calledByEach(inspector, asked, ask) {
  await inspector.send('Profiler.enable');
  await inspector.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  let common;
  for (const question of asked) {
    await inspector.send('Profiler.takePreciseCoverage'); // what was called until now counts no more
    await ask(question);
    const { result } = await inspector.send('Profiler.takePreciseCoverage');
    const called = calledIn(result);
    common = common ? new Map([...common].filter(([module]) => called.has(module))) : called;
  }
  await inspector.send('Profiler.stopPreciseCoverage');
  return common;
}

function calledIn(scripts) {
  const ours = scripts.filter(({ url }) => url.startsWith(dist.href));
  const modules = ours.map(({ url, scriptId, functions }) => [
    url.slice(dist.href.length),
    functions
      .flatMap(({ ranges: [range] }) => (range.count > 0 ? [range] : []))
      .map(({ startOffset: from, endOffset: to }) => ({ scriptId, from, to })),
  ]);
  return new Map(modules.filter(([, functions]) => functions.length > 0));
}

/** The modules of the functions that each request calls, in the order of the calls. */
async function callsOfEach(inspector, called, asked, ask) {
  await inspector.send('Debugger.enable');
  for (const [module, functions] of called) await noteCalls(inspector, module, functions);
  const evaluate = async (expression) =>
    (await inspector.send('Runtime.evaluate', { expression, returnByValue: true })).result.value;
  for (const question of asked) await ask(question); // setting the breakpoints took longer than caches keep anything
  const calls = [];
  for (const question of asked) {
    await evaluate('globalThis.calls = []');
    await ask(question);
    calls.push(await evaluate('globalThis.calls'));
  }
  return calls;
}

async function noteCalls(inspector, module, functions) {
  const { scriptSource } = await inspector.send('Debugger.getScriptSource', { scriptId: functions[0].scriptId });
  const condition = `(globalThis.calls ??= []).push(${JSON.stringify(module)}), false`;
  for (const { scriptId, from, to } of functions) {
    const [start, end] = [from, to].map((offset) => ({ scriptId, ...placeOf(scriptSource, offset) }));
    const where = { start, end, restrictToFunction: true };
    const { locations } = await inspector.send('Debugger.getPossibleBreakpoints', where);
    // Two functions may begin in one place, where one breakpoint is enough.
    if (locations[0])
      await inspector.send('Debugger.setBreakpoint', { location: locations[0], condition }).catch(() => 0);
  }
}

/** The modules of the first list that are in all of them, each where it comes first. */
function commonTo([first, ...others]) {
  return [...new Set(first)].filter((module) => others.every((each) => each.includes(module)));
}

function placeOf(source, offset) {
  const before = source.slice(0, offset).split('\n');
  return { lineNumber: before.length - 1, columnNumber: before.at(-1).length };
}

function staysOf(modules) {
  const stays = [];
  for (const module of modules) {
    const folder = dirname(module);
    if (stays.at(-1)?.folder !== folder) stays.push({ folder, files: [] });
    stays.at(-1).files.push(basename(module));
  }
  return { stays, folders: new Set(stays.map(({ folder }) => folder)).size };
}
