import { z } from 'zod';
import { isolations } from '../tenancy/access.ts';

/** The memory types, as they are named on the wire and in rows. */
export const memoryTypes = ['facts', 'preferences', 'episodes', 'emotions', 'temporal_events'] as const;
export type MemoryType = (typeof memoryTypes)[number];

/** The categories that extraction knows; a configuration may name others. */
export const categories = [
  'identity',
  'relations',
  'work',
  'places',
  'possessions',
  'health',
  'plans',
  'habits',
  'likes',
  'dislikes',
  'instruction',
  'other',
] as const;
export type Category = (typeof categories)[number];

/** How far a version has come. */
export const configurationStates = ['draft', 'pending_review', 'approved', 'rejected', 'active', 'superseded'] as const;
export type ConfigurationState = (typeof configurationStates)[number];

/** What becomes of a memory whose time is over. */
export const expiries = ['archive', 'evict'] as const;

/** A provider that needs no environment: what the deployment is set to, no model at all, the model of this package. */
export const builtInProviders = ['default', 'none', 'shipped'] as const;

const provider = z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, 'must be the name of a provider');
/** Whose models extract and embed: by the deployment's names, beside `default` and `none`. */
const Inference = z.strictObject({ extraction: provider, embedding: provider });
export type Inference = z.infer<typeof Inference>;

/** What an instance remembers, for whom and for how long (MACA). */
export const Configuration = z.strictObject({
  primary_scope: z.enum(['USER', 'CUSTOMER', 'CLIENT']),
  isolation: z.enum(isolations),
  confidence_threshold: z.number().min(0).max(1),
  memory_types: z.array(z.enum(memoryTypes)),
  categories: z.array(z.string().min(1).max(64)),
  /** Scores of 0 to 1 from which two names are linked by themselves, and from which a person is asked. */
  entity_bands: z
    .strictObject({ merge: z.number().min(0).max(1), review: z.number().min(0).max(1) })
    .refine(({ merge, review }) => review <= merge, 'review must not be above merge'),
  retention: z.strictObject({ base_days: z.number().int().positive(), on_expiry: z.enum(expiries) }),
  inference: Inference,
});
export type Configuration = z.infer<typeof Configuration>;

/** Version 1 of every instance: what holds before anybody configures anything. */
export const firstConfiguration: Configuration = {
  primary_scope: 'USER',
  isolation: 'b2c',
  confidence_threshold: 0.7,
  memory_types: [...memoryTypes],
  categories: [...categories],
  entity_bands: { merge: 0.95, review: 0.6 },
  retention: { base_days: 365, on_expiry: 'archive' },
  inference: { extraction: 'default', embedding: 'default' },
};
