// Generates what is never edited and never committed: the Prisma client, GraphQL types, gRPC types -> src/generated.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/**
 * `prisma generate` needs no schema engine, but asks where one is before it goes to download it: any file will do. Nor is
 * its maker asked for a newer version, and told of this machine by that.
 */
const environment = {
  PRISMA_SCHEMA_ENGINE_BINARY: fileURLToPath(import.meta.url),
  CHECKPOINT_DISABLE: '1',
  ...process.env,
};

mkdirSync(new URL('../src/generated', import.meta.url), { recursive: true });
run('prisma', 'generate', '--no-hints');
run('graphql-codegen', '--config', 'codegen.ts', '--silent');
run(
  'proto-loader-gen-types',
  ...'--grpcLib=@grpc/grpc-js --longs=Number --enums=String --defaults --arrays --oneofs'.split(' '),
  ...'--includeComments --importFileExtension=.ts -I proto -O src/generated/proto'.split(' '),
  'presage/anticipation/v1/anticipation.proto',
);

function run(command, ...args) {
  const { status } = spawnSync(`node_modules/.bin/${command}`, args, {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
}
