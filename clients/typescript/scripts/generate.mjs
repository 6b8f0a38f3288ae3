// Generates what is never edited and never committed: types of the REST interface from the OpenAPI document of the compiled
// service, and of the stream with its description from the proto -> src/generated.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { reachable } from '../../codegen/reachable.mjs';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const [root, codegen, generated] = ['../../..', '../../codegen', '../src/generated'].map(path);
const proto = 'presage/anticipation/v1/anticipation.proto';
/** What every list and every question about somebody takes; records.ts and the guide tell what it means. */
const usual = new Set(['user_id', 'customer_id', 'limit', 'cursor', 'order_by']);
/**
 * Records that have all that another has, and more: they are told as that one and the rest, since the package may have
 * 100 kB.
 */
const extensions = {
  FetchedMemory: 'Memory',
  AnticipatedMemory: 'Memory',
  EntityDetail: 'Entity',
  ConversationDetail: 'Conversation',
  EndedConversation: 'Conversation',
};
const require = createRequire(`${root}/package.json`);

const run = (command, ...args) =>
  execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

rmSync(generated, { recursive: true, force: true });
mkdirSync(`${generated}/proto`, { recursive: true });
if (!existsSync(`${codegen}/node_modules`)) run('npm', 'ci', '--prefix', codegen, '--no-audit', '--no-fund');

const document = `${generated}/openapi.json`;
writeFileSync(document, JSON.stringify(exportedOnly(JSON.parse(run(process.execPath, `${codegen}/openapi.mjs`)))));
run(
  `${codegen}/node_modules/.bin/openapi-typescript`,
  document,
  '--default-non-nullable',
  'false',
  '-o',
  `${generated}/api.d.ts`,
);
rmSync(document);
const types = readFileSync(`${generated}/api.d.ts`, 'utf8');
// A fifth of it is indentation, semicolons and comments of one line on three, and it is installed with the client.
const small = types
  .replaceAll('@description ', '')
  .replaceAll(/^ *\/\*\* (?:@enum \{string\}|Format: date-time) \*\/\n/gm, '')
  .replaceAll(/^ *\* (?:@enum \{string\}|Format: date-time)\n/gm, '')
  .replaceAll(/^ +/gm, '')
  .replaceAll(/;$/gm, '')
  .replace(/^\/\*\*\n\* This file was auto-generated[^/]*\*\/\n/, '')
  .replaceAll(/\/\*\*\n\* (.*)\n\*\//g, '/** $1 */');
writeFileSync(`${generated}/api.d.ts`, small);

run(
  `${root}/node_modules/.bin/proto-loader-gen-types`,
  ...'--grpcLib=@grpc/grpc-js --keepCase --longs=Number --enums=String --defaults --arrays --oneofs'.split(' '),
  ...`--importFileExtension=.ts -I proto -O ${generated}/proto ${proto}`.split(' '),
);
const protobuf = require('protobufjs');
const description = new protobuf.Root();
description.resolvePath = (_, target) => (target === proto ? `${root}/proto/${proto}` : target);
description.loadSync(proto, { keepCase: true });
writeFileSync(
  `${generated}/proto/description.ts`,
  `export const description: object = ${JSON.stringify(description.toJSON())};\n`,
);

/** The document with only those schemas that `records.ts` exports: the others would be installed for nobody. */
function exportedOnly({ components, ...rest }) {
  const records = readFileSync(path('../src/records.ts'), 'utf8');
  const exported = [...records.matchAll(/(?:Fields<|Schemas\[)'(\w+)'/g)].map(([, name]) => ({
    $ref: `#/components/schemas/${name}`,
  }));
  const schemas = reachable(components.schemas, exported);
  for (const [name, { properties = {} }] of Object.entries(schemas))
    for (const member of Object.keys(properties))
      if (name.endsWith('Query') && usual.has(member)) delete properties[member].description;
  const extended = Object.entries(extensions).map(([name, base]) => [name, extending(schemas, name, base)]);
  return { ...rest, components: { schemas: { ...schemas, ...Object.fromEntries(extended) } } };
}

/** The schema as an extension of another one. Throws when it does not have all that the other has. */
function extending(schemas, name, base) {
  const { properties, required } = schemas[name];
  const shared = Object.keys(schemas[base].properties);
  for (const member of shared)
    if (
      shapeOf(properties[member]) !== shapeOf(schemas[base].properties[member]) ||
      required.includes(member) !== schemas[base].required.includes(member)
    )
      throw new Error(`${name} has no ${member} as ${base} has: take it out of the extensions`);
  const own = Object.keys(properties).filter((member) => !shared.includes(member));
  const more = {
    type: 'object',
    properties: Object.fromEntries(own.map((member) => [member, properties[member]])),
    required: own.filter((member) => required.includes(member)),
  };
  return { allOf: [{ $ref: `#/components/schemas/${base}` }, more] };
}

/** Of a schema what a value must be, without what is said of it. */
function shapeOf(schema) {
  return JSON.stringify(schema, (key, value) =>
    key === 'description' && typeof value === 'string' ? undefined : value,
  );
}
