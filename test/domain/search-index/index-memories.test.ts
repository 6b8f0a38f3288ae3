import { expect, test } from 'vitest';
import type { SpaceEmbedder } from '../../../src/domain/search-index/embedding-models.ts';
import { prepareIndex, type Indexable } from '../../../src/domain/search-index/index-memories.ts';
import type { Access } from '../../../src/domain/tenancy/access.ts';

// Of an access, nothing but the keyed hash of words is used.
const access = {
  keys: { term: (word: string) => BigInt(Buffer.from(word).reduce((sum, byte) => sum + byte, 0)) },
} as unknown as Access;
const at = (turn: number, passage: number): Indexable => ({
  memoryId: `${turn}/${passage}`,
  ownerNo: 1,
  documentId: 'document-1',
  turn,
  passage,
  type: 'episodes',
  role: 'user',
  speaker: null,
  text: `passage ${passage} of turn ${turn}`,
  noted: null,
  validity: { from: new Date(0), until: null },
});
const memories = [0, 1, 2, 3].flatMap((turn) => [0, 1, 2].map((passage) => at(turn, passage)));

test('what is not picked is embedded only where it lends to what is', async () => {
  const embedded: string[] = [];
  const embedder = {
    space: { model: 'counting', dimensions: 4 },
    meanings: async (texts: readonly string[]) => {
      embedded.push(...texts);
      return texts.map((text) => Float32Array.from([text.length, Number(text.at(-1)), Number(text.at(8)), 1]));
    },
  } as unknown as SpaceEmbedder; // of which only the meanings are asked for
  const only = ({ memoryId }: Indexable) => memoryId === '1/1';
  const [entry] = await prepareIndex(embedder, access, memories, { only });
  expect(embedded.toSorted()).toEqual(['passage 0 of turn 2', 'passage 1 of turn 1', 'passage 2 of turn 0']);
  const all = await prepareIndex(embedder, access, memories);
  expect(entry).toEqual(all.find(({ vector }) => vector.memoryId === '1/1'));
});
