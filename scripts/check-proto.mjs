// Fails when the protocol is badly formed, or breaks clients of the last release; then proves that it would.
//
// `proto/released/<version>.binpb` is what was released: `npx buf build proto -o proto/released/<version>.binpb`.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const buf = (...args) => spawnSync('node_modules/.bin/buf', args, { encoding: 'utf8' });
const versions = readdirSync('proto/released').map((name) => name.replace('.binpb', ''));
const last = versions.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true })).at(-1);
const against = ['--against', `proto/released/${last}.binpb`];

/** What must not pass, as an edit of the file. */
const planted = {
  'a field that changes its number': ['string bundle_id = 1;', 'string bundle_id = 77;'],
  'a field that is gone': ['  uint32 total_tokens = 4;\n', ''],
  'a value that means another': ['MEMORY_TYPE_FACTS = 1;', 'MEMORY_TYPE_FACTS = 9;'],
};

let failed = 0;
for (const args of [
  ['lint', 'proto'],
  ['breaking', 'proto', ...against],
]) {
  const { status, stdout, stderr } = buf(...args);
  if (status === 0) continue;
  console.error(`buf ${args.join(' ')}\n${stdout}${stderr}`);
  failed += 1;
}
const folder = mkdtempSync(join(tmpdir(), 'presage-proto-'));
try {
  for (const [what, [from, to]] of Object.entries(planted)) {
    cpSync('proto', folder, { recursive: true });
    const file = join(folder, 'presage/anticipation/v1/anticipation.proto');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(from, to));
    if (text.includes(from) && buf('breaking', folder, ...against).status !== 0) continue;
    console.error(`nobody minded ${what}`);
    failed += 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}
const found = Object.keys(planted).length;
console.log(failed ? `protocol: ${failed} wrong` : `protocol: as released in ${last}; ${found} planted breaks found`);
process.exitCode = failed ? 1 : 0;
