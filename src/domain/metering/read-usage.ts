import type { Db } from '../../db/database.ts';
import { invalidInputError } from '../errors.ts';
import type { Metering } from './metering.ts';
import { tokenPurposes, type TokenPurpose } from './purposes.ts';
import { readUsage, type UsageRow, type UsageScope } from './usage-store.ts';

/** Tokens that one provider charged for one purpose. */
export interface TokenConsumption {
  readonly provider: string;
  readonly purpose: TokenPurpose;
  /** Background work, for which nobody waited. */
  readonly isBackground: boolean;
  readonly tokensIn: number;
  readonly tokensOut: number;
}

/** The usage of one calendar month (UTC). */
export interface Usage {
  /** The first day of the month. */
  readonly month: Date;
  readonly apiCalls: number;
  /** The calls of administrators among the API calls. */
  readonly adminCalls: number;
  /** Tokens of language models, by the provider's own figures. */
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly embeddingTokens: number;
  /** Tokens by provider and purpose. */
  readonly tokens: readonly TokenConsumption[];
  /** The most memories held at a time, sampled once a minute; null of a whole deployment, where nobody adds them up. */
  readonly memoriesPeak: number | null;
}

/** Reads the usage of a scope in a month, such as `2026-11`; default: the present one. Throws `invalid_input`. */
export async function readMonthlyUsage(
  { db, metering, now }: { readonly db: Db; readonly metering: Metering; readonly now: () => Date },
  scope: UsageScope,
  month?: string,
): Promise<Usage> {
  const first = monthOf(month ?? now().toISOString().slice(0, 7));
  await metering.flush(now()); // so that what was called and stored a moment ago is there
  await metering.raisePeaks(now());
  const { tokens, ...row } = await readUsage(db, scope, first);
  return { month: first, ...row, tokens: tokens.map(toConsumption), ...sumOf(tokens) };
}

const toConsumption = ({ provider, purpose, tokensIn, tokensOut }: UsageRow['tokens'][number]): TokenConsumption => ({
  provider,
  purpose,
  isBackground: tokenPurposes[purpose].isBackground,
  tokensIn,
  tokensOut,
});

function sumOf(tokens: UsageRow['tokens']): Pick<Usage, 'tokensIn' | 'tokensOut' | 'embeddingTokens'> {
  const sum = { tokensIn: 0, tokensOut: 0, embeddingTokens: 0 };
  for (const { purpose, tokensIn, tokensOut } of tokens) {
    if (tokenPurposes[purpose].model === 'embedding') sum.embeddingTokens += tokensIn;
    else {
      sum.tokensIn += tokensIn;
      sum.tokensOut += tokensOut;
    }
  }
  return sum;
}

function monthOf(text: string): Date {
  if (!/^(?!0{3}[01])\d{4}-(0[1-9]|1[0-2])$/.test(text))
    throw invalidInputError('month', 'must be a month such as 2026-11');
  return new Date(`${text}-01T00:00:00Z`);
}
