// A stream, in a runtime of the command line: what is remembered arrives, and what is forgotten is withdrawn.
import { randomUUID } from 'node:crypto';
import { Presage } from '../../dist/index.js';
import { MemoryStream } from '../../dist/stream/index.js';

const memory = new Presage();
const user_id = `user-${randomUUID()}`;
const { memory_ids } = await memory.remember('Always answer in metric units.', { user_id });
const stream = new MemoryStream(memory, { user_id });
const seen = [];
for await (const { memories, withdrawn } of stream) {
  if (memories.length > 0 && seen.length === 0) {
    seen.push(memories[0].content);
    for (const id of memory_ids) await memory.forget(id, { cascade: 'evidence' }).catch(() => undefined);
  }
  if (withdrawn.length > 0) break;
}
await stream.close();
console.log(JSON.stringify([...seen, 'withdrawn']));
