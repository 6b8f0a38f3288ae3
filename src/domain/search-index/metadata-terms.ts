import type { Access } from '../tenancy/access.ts';

export type Metadata = Readonly<Record<string, unknown>>;

/** The longest text by which a record can be found, in characters: longer texts are content. */
const longest = 256;
const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value.length <= longest);

/** A member of metadata as a term; no stem begins with NUL, so no word is ever taken for one. */
const termOf = ({ keys }: Access, name: string, value: string | number | boolean): bigint =>
  keys.term(`\0metadata\0${JSON.stringify([name, value])}`);

/** The terms by which a record is found by its metadata, under keyed hashes as words are. */
export const metadataTerms = (access: Access, metadata: Metadata): bigint[] =>
  Object.entries(metadata).flatMap(([name, value]) => (isScalar(value) ? [termOf(access, name, value)] : []));

/** The terms with those of the metadata, each of which occurs once. */
export const withMetadataTerms = (
  access: Access,
  terms: ReadonlyMap<bigint, number>,
  metadata: Metadata | null,
): ReadonlyMap<bigint, number> =>
  new Map([...terms, ...(metadata ? metadataTerms(access, metadata) : []).map((term) => [term, 1] as const)]);

/** The characters of a record that are indexed: a framework's state may be long, and says little in words. */
const indexedCharacters = 2_000;

/** The words by which a record is found: they begin with what is noted of it. */
export function wordsOfRecord(metadata: Metadata, content: string): string {
  const noted = Object.values(metadata).flatMap((value) =>
    typeof value === 'string' || typeof value === 'number' ? [String(value)] : [],
  );
  return [...noted, content].join('\n').slice(0, indexedCharacters);
}
