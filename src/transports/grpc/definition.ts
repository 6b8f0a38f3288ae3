import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadPackageDefinition, type ServiceDefinition } from '@grpc/grpc-js';
import { loadSync, type PackageDefinition } from '@grpc/proto-loader';
import { protoPath as healthProto } from 'grpc-health-check';
import protobuf from 'protobufjs';
import type { ProtoGrpcType } from '../../generated/proto/anticipation.ts';
import type { AnticipationDefinition } from '../../generated/proto/presage/anticipation/v1/Anticipation.ts';
import type { Update } from '../../generated/proto/presage/anticipation/v1/Update.ts';

// As far above dist/ as above src/.
const protoFolder = fileURLToPath(new URL('../../../proto', import.meta.url));

/** How messages look in JavaScript: as scripts/generate.mjs tells it for their types. */
const loaderOptions = { longs: Number, enums: String, defaults: true, arrays: true, oneofs: true };

export const anticipationService = 'presage.anticipation.v1.Anticipation';

/** An update as it goes over the wire. */
export type Frame = Buffer;

/** Loads the services that the server serves, what reflection tells of them, and the encoder of their frames. */
export function loadDefinitions(): {
  anticipation: ServiceDefinition;
  encode: (update: Update) => Frame;
  described: PackageDefinition;
} {
  const file = 'presage/anticipation/v1/anticipation.proto';
  const own = loadSync(file, { ...loaderOptions, includeDirs: [protoFolder] });
  // The types are generated from the same file.
  const { presage } = loadPackageDefinition(own) as unknown as ProtoGrpcType;
  const { service } = presage.anticipation.v1.Anticipation;
  // Read again, as it is spelt: reflection must not tell of `userId` where the file says `user_id`.
  const described = loadSync([file, healthProto], { keepCase: true, includeDirs: [protoFolder] });
  return { anticipation: framed(tolerant(service)), encode: encoderOf(file), described };
}

/** Encodes without proto-loader's check and copy of each message, a quarter of the cost of a bundle. */
function encoderOf(file: string): (update: Update) => Frame {
  const root = new protobuf.Root();
  root.resolvePath = (_, target) => join(protoFolder, target);
  const message = root.loadSync(file).lookupType('presage.anticipation.v1.Update');
  return (update) => message.encode(update).finish() as Frame; // on Node its writer makes Buffers
}

/**
 * Takes frames instead of messages: grpc-js would hold on to the message until its frame has left, and thousands of
 * them, each of a hundred objects, are what the garbage collector would go through again and again.
 */
const framed = ({ Anticipate, ...service }: AnticipationDefinition) => ({
  ...service,
  Anticipate: { ...Anticipate, responseSerialize: (frame: Frame) => frame },
});

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
