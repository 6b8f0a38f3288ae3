import { Configuration } from '../../domain/configurations/configuration.ts';
import type { ConfigurationInput } from '../../generated/graphql.ts';
import { check } from './inputs.ts';

/** The settings as the domain spells them. Throws `invalid_input` with the path of each wrong one. */
export function toConfiguration({ retrieval, compaction, ...input }: ConfigurationInput): Configuration {
  const settings = {
    ...input,
    // GraphQL leaves out what is null.
    retrieval: { ...retrieval, contextBudget: retrieval.contextBudget ?? null },
    compaction: { ...compaction, targetTokens: compaction.targetTokens ?? null },
  };
  return check(Configuration, inSnakeCase(settings), 'configuration');
}

function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [snake(name), inSnakeCase(inner)]);
  return Object.fromEntries(entries);
}

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
