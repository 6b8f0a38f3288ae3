import { z } from 'zod';
import { plainText } from '../plain-text.ts';
import { isolations } from '../tenancy/access.ts';
import { refuseContradictions } from './contradictions.ts';
import { memoryTypes, type BuiltInCategory } from '../memory-types.ts';

/** Document types, as a sender declares them. */
export const documentTypes = [
  'ai-chat-conversation',
  'meeting-transcript',
  'support-ticket',
  'email',
  'note',
  'document',
  'markdown',
] as const;
export type DocumentType = (typeof documentTypes)[number];

/** The ways of searching memories: by meaning alone, or also by words, neighbours and entities, then reranked. */
export const retrievalModes = ['fast', 'accurate'] as const;
export type RetrievalMode = (typeof retrievalModes)[number];

/** The strategies and formats of compaction. */
export const compactionStrategies = ['adaptive', 'aggressive', 'balanced', 'conservative'] as const;
export const compactionFormats = ['system_prompt', 'full'] as const;

/** The scopes that a document's memories may have by default. */
export const primaryScopes = ['USER', 'CUSTOMER', 'CLIENT'] as const;

/** Why memories are kept as long as they are; `custom`: because somebody said so. */
export const retentionPolicies = ['compliance', 'consumer', 'standard', 'custom'] as const;

/** Actions on a memory whose retention has ended. */
export const expiryActions = ['archive', 'evict'] as const;

/** The defaults of each retention policy. The actions at its end: docs/decisions/0028. */
export const retentionByPolicy = {
  compliance: { base_days: 7 * 365, on_expiry: 'archive' },
  consumer: { base_days: 90, on_expiry: 'evict' },
  standard: { base_days: 365, on_expiry: 'archive' },
} as const;

/** A provider that needs no environment: what the deployment is set to, no model at all, the model of this package. */
export const builtInProviders = ['default', 'none', 'shipped'] as const;

const line = (max: number) => plainText(z.string().trim().min(1).max(max));

const CategorySetting = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'must be a word in lower case, such as past-orders')
    .meta({ description: 'One of those that extraction knows, or one of your own.' }),
  description: line(400).or(z.literal('')).default('').meta({ description: 'What belongs to it, in a sentence.' }),
  examples: z.array(line(300)).max(20).default([]).meta({ description: 'Statements that belong to it.' }),
});
/** A finer kind that memories are sorted into. */
export type CategorySetting = z.infer<typeof CategorySetting>;

const provider = z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, 'must be the name of a provider');
/** The models that extract and embed, by the deployment's names; also `default` and `none`. */
const ModelProviders = z.strictObject({
  extraction: provider.meta({ description: '`default`, `none`, or a provider that the deployment names.' }),
  embedding: provider.meta({ description: '`default`, `none`, `shipped`, or a provider that the deployment names.' }),
});
export type ModelProviders = z.infer<typeof ModelProviders>;

const share = z.number().min(0).max(1);
const tokens = z.int().min(1).max(1_000_000);

/** The schema of a configuration: what validates it also types it and describes it as JSON Schema. */
export const Configuration = z
  .strictObject({
    primary_scope: z.enum(primaryScopes).meta({
      description:
        'Whose memories these are first. `CLIENT` lets a document name nobody; `CUSTOMER` lets the types in ' +
        '`customer_documents` belong to the customer although they name a user.',
    }),
    customer_documents: z
      .array(z.enum(documentTypes))
      .default([])
      .meta({ description: 'With primary scope `CUSTOMER`: what is remembered of the customer, not of one user.' }),
    isolation: z.enum(isolations).meta({
      description: '`b2c`: a user is one person everywhere. `b2b`: another one in each customer, who has to be named.',
    }),
    confidence_threshold: share.meta({ description: 'What is less sure than this is not remembered.' }),
    memory_types: z.array(z.enum(memoryTypes)).min(1).meta({ description: 'The types that are remembered.' }),
    categories: z.array(CategorySetting).min(1).max(100).meta({
      description: 'What memories are sorted into. What fits none goes to `other`, and without `other` is not kept.',
    }),
    excluded: z
      .array(CategorySetting)
      .max(100)
      .default([])
      .meta({ description: 'What is never remembered, whatever else it is.' }),
    entity_match_thresholds: z
      .strictObject({
        merge: share.meta({ description: 'From this score on two names are one without asking.' }),
        review: share.meta({ description: 'From this score on a person is asked.' }),
      })
      .meta({ description: 'When two names mean one.' }),
    retention: z.strictObject({
      policy: z.enum(retentionPolicies).meta({ description: 'Why memories are kept as long as they are.' }),
      base_days: z
        .int()
        .min(1)
        .max(36_500)
        .meta({ description: 'Days that a memory is kept after its last access; accesses prolong it up to 4 times.' }),
      on_expiry: z.enum(expiryActions).meta({ description: 'Put away restorably, or removed for good.' }),
    }),
    retrieval: z
      .strictObject({
        mode: z.enum(retrievalModes),
        max_results: z.int().min(1).max(100),
        context_budget: tokens.nullable().meta({ description: 'Tokens of an answer; null: no bound.' }),
      })
      .meta({ description: 'What a fetch does where it does not say.' }),
    compaction: z
      .strictObject({
        strategy: z.enum(compactionStrategies),
        output_format: z.enum(compactionFormats),
        target_tokens: tokens.nullable().meta({ description: 'Null: as short as the strategy makes it.' }),
        automatic_tokens: tokens.nullable().default(null).meta({
          description:
            'A conversation is compacted by itself each time so many tokens were said; null: only when asked.',
        }),
      })
      .meta({ description: 'What a compaction does where it does not say.' }),
    inference: ModelProviders,
  })
  .superRefine(refuseContradictions);
/** A configuration: what an instance remembers, for whom and for how long. */
export type Configuration = z.infer<typeof Configuration>;

const known = (name: BuiltInCategory, description: string): CategorySetting => ({ name, description, examples: [] });

/** The categories that extraction knows, as settings. */
export const defaultCategorySettings: readonly CategorySetting[] = [
  known('identity', 'Who somebody is: name, age, origin, languages.'),
  known('relations', 'Family, friends, colleagues, pets.'),
  known('work', 'Jobs, projects, studies.'),
  known('places', 'Where somebody lives, stays or travels.'),
  known('possessions', 'What somebody owns, and its numbers and codes.'),
  known('health', 'Illnesses, allergies, treatment, diet.'),
  known('plans', 'What somebody means to do.'),
  known('habits', 'What somebody does again and again.'),
  known('likes', 'What somebody likes.'),
  known('dislikes', 'What somebody does not like.'),
  known('instruction', 'What the agent is told to do always or never.'),
  known('other', 'Whatever fits nowhere else.'),
];

/** Version 1 of every instance: what holds before anybody configures anything. */
export const defaultConfiguration: Configuration = {
  primary_scope: 'USER',
  customer_documents: [],
  isolation: 'b2c',
  confidence_threshold: 0.7,
  memory_types: [...memoryTypes],
  categories: [...defaultCategorySettings],
  excluded: [],
  entity_match_thresholds: { merge: 0.95, review: 0.6 },
  retention: { policy: 'standard', ...retentionByPolicy.standard },
  retrieval: { mode: 'fast', max_results: 10, context_budget: null },
  compaction: { strategy: 'adaptive', output_format: 'system_prompt', target_tokens: null, automatic_tokens: null },
  inference: { extraction: 'default', embedding: 'default' },
};

/** The JSON Schema (draft 2020-12) of configurations, for editors and other tools. */
export const configurationSchema = (): object => z.toJSONSchema(Configuration, { io: 'input' });
