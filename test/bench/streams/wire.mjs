import { fileURLToPath } from 'node:url';
import { credentials, loadPackageDefinition, Metadata } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

const proto = fileURLToPath(new URL('../../../proto/presage/anticipation/v1/anticipation.proto', import.meta.url));
const { presage } = loadPackageDefinition(
  loadSync(proto, { longs: Number, enums: String, defaults: true, arrays: true, oneofs: true }),
);
const { Anticipation } = presage.anticipation.v1;

export const { service } = Anticipation;

/** Streams on connections of their own, so many on each. */
export function openChannels(address, { key, streamsEach }) {
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${key}`);
  const clients = [];
  let opened = 0;
  return {
    open() {
      if (opened % streamsEach === 0) {
        clients.push(new Anticipation(address, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 }));
      }
      opened += 1;
      return clients.at(-1).anticipate(metadata);
    },
    close: () => clients.forEach((client) => client.close()),
  };
}
