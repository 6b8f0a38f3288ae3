/** The purposes that a provider's tokens are spent on: by which kind of model, and whether anybody waits for it. */
export const purposes = {
  extraction: { model: 'language', isBackground: true },
  compaction: { model: 'language', isBackground: true },
  configuration: { model: 'language', isBackground: false },
  indexing: { model: 'embedding', isBackground: true },
  're-embedding': { model: 'embedding', isBackground: true },
  search: { model: 'embedding', isBackground: false },
} as const satisfies Readonly<Record<string, { model: 'language' | 'embedding'; isBackground: boolean }>>;
export type Purpose = keyof typeof purposes;
export const purposeNames = Object.keys(purposes) as [Purpose, ...Purpose[]];

/** Tokens that a provider charges, by its own figures, whether its answer was of use or not. */
export interface Tokens {
  /** By the name that configurations use. */
  readonly provider: string;
  readonly purpose: Purpose;
  readonly input: number;
  /** An embedding model writes none. */
  readonly output?: number;
}
