import { fileURLToPath } from 'node:url';
import { loadPackageDefinition } from '@grpc/grpc-js';
import { loadSync, type PackageDefinition } from '@grpc/proto-loader';
import { protoPath as healthProto } from 'grpc-health-check';
import type { ProtoGrpcType } from '../../generated/proto/anticipation.ts';
import type { AnticipationDefinition } from '../../generated/proto/presage/anticipation/v1/Anticipation.ts';

// As far above dist/ as above src/.
const protoFolder = fileURLToPath(new URL('../../../proto', import.meta.url));

/** How messages look in JavaScript: as scripts/generate.mjs tells it for their types. */
const loaderOptions = { longs: Number, enums: String, defaults: true, arrays: true, oneofs: true };

export const anticipationService = 'presage.anticipation.v1.Anticipation';

/** What the server serves, and what reflection tells of it. */
export function loadDefinitions(): { anticipation: AnticipationDefinition; described: PackageDefinition } {
  const file = 'presage/anticipation/v1/anticipation.proto';
  const own = loadSync(file, { ...loaderOptions, includeDirs: [protoFolder] });
  // The types are generated from the same file.
  const { presage } = loadPackageDefinition(own) as unknown as ProtoGrpcType;
  // Read again, as it is spelt: reflection must not tell of `userId` where the file says `user_id`.
  const described = loadSync([file, healthProto], { keepCase: true, includeDirs: [protoFolder] });
  return { anticipation: tolerant(presage.anticipation.v1.Anticipation.service), described };
}

/** Bytes that are no signal read as one without a kind, so that the caller hears what is wrong instead of INTERNAL. */
function tolerant(service: AnticipationDefinition): AnticipationDefinition {
  const { Anticipate } = service;
  const requestDeserialize: typeof Anticipate.requestDeserialize = (bytes) => {
    try {
      return Anticipate.requestDeserialize(bytes);
    } catch {
      return {};
    }
  };
  return { ...service, Anticipate: { ...Anticipate, requestDeserialize } };
}
