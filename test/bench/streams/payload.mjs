import { toMessage } from '../../../dist/transports/grpc/to-message.js';
import { createWriter } from '../writing.mjs';

/** Ten memories of one turn each, as a prediction has them. */
export function readyMemories() {
  const writer = createWriter(7);
  return Array.from({ length: 10 }, (_, n) => {
    const content = writer.turn();
    const id = `mem_01jgqx3v5pe0wvk2v1k2y9p6t${n}`;
    return {
      id,
      uuid: id,
      reason: 'context',
      type: 'episodes',
      category: 'said',
      content,
      confidence: 1,
      score: 0.5 - n / 100,
      scope: 'USER',
      entities: [{ id: 'ent_01jgqx3v5pe0wvk2v1k2y9p6t4', name: 'Helga', kind: 'person' }],
      eventStart: new Date(0),
      eventEnd: null,
      eventPrecision: 'day',
      evidence: [{ documentId: `doc-${n}`, turns: [n], quote: content }],
    };
  });
}

/** The same as it goes over the wire. */
export const readyBundle = () =>
  toMessage({
    kind: 'bundle',
    bundleId: 'bun_1',
    sequence: 1,
    memories: readyMemories(),
    totalTokens: 400,
    isSnapshot: false,
    signalsHeard: 1,
  }).bundle;
