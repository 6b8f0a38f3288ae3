import type { Configuration } from '../configurations/configuration.ts';
import type { Choice } from '../configurations/record.ts';
import type { Statement } from './read-use-case.ts';

/** The settings that one rule derives from a use-case file. */
export interface Finding {
  readonly settings: Partial<Configuration>;
  readonly choices: readonly Choice[];
  readonly warnings?: readonly string[];
}

export const nothing: Finding = { settings: {}, choices: [] };

const shownChars = 300;

/** The lines to cite, each once. */
export function cite(statements: readonly Statement[]): Choice['lines'] {
  const byLine = new Map(statements.map((each) => [each.line, each]));
  return [...byLine.values()].slice(0, 10).map(({ line, text }) => ({ line, text: text.slice(0, shownChars) }));
}

/** Choices for several settings that share one reason. */
export function chosen(settings: Record<string, unknown>, because: string, statements: readonly Statement[]): Choice[] {
  const lines = cite(statements);
  return Object.entries(settings).map(([setting, value]) => ({ setting, value, because, lines }));
}

/** `a, b and c`. */
export const listed = (words: readonly string[]) => new Intl.ListFormat('en').format(words);
