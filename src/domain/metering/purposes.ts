/** The purposes that a provider's tokens are spent on: by which kind of model, and whether anybody waits for it. */
export const tokenPurposes = {
  extraction: { model: 'language', isBackground: true },
  compaction: { model: 'language', isBackground: true },
  configuration: { model: 'language', isBackground: false },
  indexing: { model: 'embedding', isBackground: true },
  're-embedding': { model: 'embedding', isBackground: true },
  search: { model: 'embedding', isBackground: false },
} as const satisfies Readonly<Record<string, { model: 'language' | 'embedding'; isBackground: boolean }>>;
export type TokenPurpose = keyof typeof tokenPurposes;
export const tokenPurposeNames = Object.keys(tokenPurposes) as [TokenPurpose, ...TokenPurpose[]];

/** Tokens that a provider charges, by its own figures, whether its answer was of use or not. */
export interface TokenCharge {
  /** By the name that configurations use. */
  readonly provider: string;
  readonly purpose: TokenPurpose;
  readonly input: number;
  /** An embedding model writes none. */
  readonly output?: number;
}
