import type { Configuration } from '../../../domain/configurations/configuration.ts';
import { semanticVersion } from '../../../domain/configurations/lifecycle.ts';
import type { ConfigurationRecord } from '../../../domain/configurations/record.ts';
import { nullIfNotFound } from '../../../domain/errors.ts';
import type { Access } from '../../../domain/tenancy/access.ts';
import type { ConfigurationInput, Resolvers } from '../../../generated/graphql.ts';
import { toConfiguration } from '../configuration-input.ts';
import { toCountedConnection, pageRequest, type PageArgs } from '../connections.ts';
import type { GraphqlContext, Reader } from '../context.ts';
import { parseInput, parseWholeInput, ConfigurationChangeInput, ProviderInput } from '../inputs.ts';
import { problemsAsResult } from '../outcomes.ts';

type Given<T> = { [K in keyof T]: K extends 'configuration' ? Configuration : Exclude<T[K], null> };

/** A change by an administrator: its input with its texts checked and the settings as the domain has them. */
function changeConfiguration<
  T extends { instanceId: string; comment?: string | null; configuration?: ConfigurationInput | null },
>(
  context: GraphqlContext,
  input: T,
  change: (access: Access, input: Omit<Given<T>, 'instanceId'>) => Promise<ConfigurationRecord>,
) {
  return problemsAsResult(
    'Configuration',
    ['invalid_input', 'not_found', 'conflict', 'payload_too_large'],
    async () => {
      const access = await context.access(input.instanceId);
      const { instanceId: _, configuration, ...rest } = parseWholeInput(ConfigurationChangeInput, input);
      const settings = configuration ? { configuration: toConfiguration(configuration) } : {};
      // The type of the input says whether it has a configuration; spreading it optionally loses that.
      return change(access, { ...rest, ...settings } as unknown as Given<T>);
    },
  );
}

/** A page of the versions of an instance's configuration. */
export async function configurationConnection({ app }: GraphqlContext, { access }: Reader, args: PageArgs) {
  const page = await app.configurations.page(access, pageRequest(args));
  return toCountedConnection(page, args, () => app.configurations.count(access));
}

export const configurationResolvers: Resolvers = {
  Query: {
    configurations: async (_, { instanceId, ...args }, context) =>
      configurationConnection(context, await context.reader(instanceId), args),
    configuration: async (_, { version, instanceId }, context) => {
      const access = await context.access(instanceId);
      return nullIfNotFound(context.app.configurations.read(access, version ?? access.configurationVersion));
    },
    configurationDifference: async (_, { from, to, instanceId }, context) =>
      nullIfNotFound(context.app.configurations.compare(await context.access(instanceId), { from, to })),
  },
  Mutation: {
    async setProviders(_, { input }, context) {
      return problemsAsResult('Configuration', ['invalid_input', 'not_found'], async () => {
        const access = await context.access(input.instanceId);
        const { extraction, embedding } = parseInput(ProviderInput, input);
        return context.app.setProviders(access, {
          ...(extraction ? { extraction } : {}),
          ...(embedding ? { embedding } : {}),
        });
      });
    },
    initConfiguration: (_, { input }, context) =>
      changeConfiguration(context, input, (access, draft) => context.app.configurations.init(access, draft)),
    updateConfiguration: (_, { input }, context) =>
      changeConfiguration(context, input, (access, change) => context.app.configurations.update(access, change)),
    submitConfiguration: (_, { input }, context) =>
      changeConfiguration(context, input, (access, seen) => context.app.configurations.submit(access, seen)),
    reviewConfiguration: (_, { input }, context) =>
      changeConfiguration(context, input, (access, review) => context.app.configurations.review(access, review)),
    applyConfiguration: (_, { input }, context) =>
      changeConfiguration(context, input, (access, applying) => context.app.configurations.apply(access, applying)),
    rollBackConfiguration: (_, { input }, context) =>
      changeConfiguration(context, input, (access, back) => context.app.configurations.rollBack(access, back)),
  },
  Configuration: {
    semanticVersion: ({ version }) => semanticVersion(version),
    history: ({ steps }) => steps,
    primaryScope: ({ body }) => body.primary_scope,
    customerDocuments: ({ body }) => body.customer_documents,
    isolation: ({ body }) => body.isolation,
    confidenceThreshold: ({ body }) => body.confidence_threshold,
    memoryTypes: ({ body }) => body.memory_types,
    categories: ({ body }) => body.categories,
    excluded: ({ body }) => body.excluded,
    entityMatchThresholds: ({ body }) => body.entity_match_thresholds,
    inference: ({ body }) => body.inference,
    retention: ({ body: { retention } }) => ({
      policy: retention.policy,
      baseDays: retention.base_days,
      onExpiry: retention.on_expiry,
    }),
    retrieval: ({ body: { retrieval } }) => ({
      mode: retrieval.mode,
      maxResults: retrieval.max_results,
      contextBudget: retrieval.context_budget,
    }),
    compaction: ({ body: { compaction } }) => ({
      strategy: compaction.strategy,
      outputFormat: compaction.output_format,
      targetTokens: compaction.target_tokens,
      automaticTokens: compaction.automatic_tokens,
    }),
  },
  DerivedSetting: { reason: ({ because }) => because },
  DefaultedSetting: { reason: ({ because }) => because },
};
