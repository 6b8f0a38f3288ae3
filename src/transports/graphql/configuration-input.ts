import { Configuration } from '../../domain/configurations/configuration.ts';
import type { ConfigurationInput } from '../../generated/graphql.ts';
import { fieldPathOf, invalidFields } from '../http/validate.ts';

/** The settings as the domain spells them. Throws `invalid_input` with the path of each wrong one. */
export function toConfiguration({ retrieval, compaction, ...input }: ConfigurationInput): Configuration {
  const settings = {
    ...input,
    // GraphQL leaves out what is null.
    retrieval: { ...retrieval, contextBudget: retrieval.contextBudget ?? null },
    compaction: {
      ...compaction,
      targetTokens: compaction.targetTokens ?? null,
      automaticTokens: compaction.automaticTokens ?? null,
    },
  };
  const parsed = Configuration.safeParse(inSnakeCase(settings));
  if (parsed.success) return parsed.data;
  throw invalidFields(
    parsed.error.issues.map(({ path, message }) => ({
      field: fieldPathOf(['configuration', ...path.map(camel)]),
      message,
    })),
    'the configuration',
  );
}

function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [snake(name), inSnakeCase(inner)]);
  return Object.fromEntries(entries);
}

const camel = (name: PropertyKey) =>
  typeof name === 'string' ? name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) : name;
const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
