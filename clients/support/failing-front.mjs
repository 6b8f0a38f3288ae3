// Stands between a client and the service, and fails as told, for the tests of a client. Prints where it is as a line of
// JSON, and ends with its input. A line of input is a command, answered with a line: `busy N` answers the next N requests
// 429 with `Retry-After: 1`; `unavailable MS` answers 503 for so long. Every other request that it fails so has reached the
// service before: what was asked for was done, and nobody heard.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const [target] = process.argv.slice(2);
let busy = 0;
let unavailableUntil = 0;
let failed = 0;

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const failure = performance.now() < unavailableUntil ? 503 : busy > 0 ? 429 : undefined;
  if (failure === 429) busy -= 1;
  if (failure) failed += 1;
  const isDone = failure === undefined || failed % 2 === 0;
  const answer = isDone && (await handOn(request, Buffer.concat(chunks)));
  if (!failure) {
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
    response.end(Buffer.from(await answer.arrayBuffer()));
    return;
  }
  await (answer && answer.arrayBuffer());
  response.writeHead(failure, { 'content-type': 'text/plain', ...(failure === 429 ? { 'retry-after': '1' } : {}) });
  response.end('a front fails');
});

function handOn({ method, url, headers: { host, connection, ...headers } }, body) {
  return fetch(new URL(url, target), { method, headers, ...(body.length > 0 ? { body } : {}) });
}

server.listen(0, '127.0.0.1');
await once(server, 'listening');
tell({ url: `http://127.0.0.1:${server.address().port}` });
for await (const line of createInterface({ input: process.stdin })) {
  const [command, amount] = line.split(' ');
  if (command === 'busy') busy = Number(amount);
  if (command === 'unavailable') unavailableUntil = performance.now() + Number(amount);
  tell({ did: line, failed });
}
server.closeAllConnections();
server.close();

function tell(value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
