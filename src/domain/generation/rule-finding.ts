import type { Configuration } from '../configurations/configuration.ts';
import type { DerivedSetting } from '../configurations/record.ts';
import type { UseCaseStatement } from './read-use-case.ts';

/** The settings that one rule derives from a use-case file. */
export interface RuleFinding {
  readonly settings: Partial<Configuration>;
  readonly choices: readonly DerivedSetting[];
  readonly warnings?: readonly string[];
}

export const noFinding: RuleFinding = { settings: {}, choices: [] };

const shownChars = 300;

/** The lines to cite, each once. */
function citedLines(statements: readonly UseCaseStatement[]): DerivedSetting['lines'] {
  const byLine = new Map(statements.map((each) => [each.line, each]));
  return [...byLine.values()].slice(0, 10).map(({ line, text }) => ({ line, text: text.slice(0, shownChars) }));
}

/** Choices for several settings that share one reason. */
export function choicesFor(
  settings: Record<string, unknown>,
  because: string,
  statements: readonly UseCaseStatement[],
): DerivedSetting[] {
  const lines = citedLines(statements);
  return Object.entries(settings).map(([setting, value]) => ({ setting, value, because, lines }));
}

/** The finding of settings that share one reason. */
export const findingOf = (
  settings: Partial<Configuration>,
  because: string,
  from: readonly UseCaseStatement[],
): RuleFinding => ({ settings, choices: choicesFor(settings, because, from) });

/** `a, b and c`. */
export const joinWords = (words: readonly string[]) => new Intl.ListFormat('en').format(words);
