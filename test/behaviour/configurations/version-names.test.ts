import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openAdmin } from './open-admin.ts';

const doors = openAdmin();
const presage = fileURLToPath(new URL('../../../dist/cli/presage.js', import.meta.url));

function printed(instance: string): Promise<string> {
  const env = { PATH: process.env['PATH'], PRESAGE_URL: doors.baseUrl, PRESAGE_ADMIN_TOKEN: doors.tokenOf('owner') };
  const args = [presage, 'config', 'list', '--instance', instance];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { env }, (error, out) => (error ? reject(error) : resolve(out)));
  });
}

test('a version is called the same over REST, over GraphQL and on the command line', async () => {
  const { id } = await doors.world.instance();
  await doors.as('admin')('POST', `/instances/${id}/configurations`, { from: 1 });
  const rest = (await doors.as('viewer')('GET', `/instances/${id}/configurations`)).json().data;
  const named = rest.map(({ version, semantic_version: semanticVersion }: any) => ({ version, semanticVersion }));
  const query = `{ configurations(instanceId: "${id}") { nodes { version semanticVersion } } }`;
  const graphql = (await doors.ask(doors.tokenOf('viewer'), query)).json().data.configurations.nodes;
  expect(graphql).toEqual(named);
  expect(graphql).toMatchObject([{ version: 2, semanticVersion: '2.0.0' }, { semanticVersion: '1.0.0' }]);
  const lines = (await printed(id)).split('\n').slice(1);
  expect(lines.map((line) => line.split(' ')[0]).filter(Boolean)).toEqual(
    graphql.map((each: { semanticVersion: string }) => each.semanticVersion),
  );
});
