import { z } from 'zod';
import { nameKinds } from '../language/name-kinds.ts';
import { builtInCategories, memoryTypes } from '../memory-types.ts';

/** Verbatim passages are kept without a model. */
const typesOfModels = memoryTypes.filter((type) => type !== 'episodes');

/** A date as exact as it is known: 2026, 2026-05, 2026-05-17 or 2026-05-17T09:30Z. */
const isoDate = z
  .string()
  .regex(
    /^\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?)?)?$/,
    'must be an ISO 8601 date',
  )
  .refine((text) => !Number.isNaN(Date.parse(text)), 'must be a date that exists');

const ModelMemory = z.object({
  type: z.enum(typesOfModels),
  category: z.enum(builtInCategories),
  content: z.string().trim().min(1).max(600),
  confidence: z.number().min(0).max(1),
  turns: z.array(z.int().min(0)).min(1).max(20),
  quote: z.string().trim().min(1).max(2_000),
  entities: z.array(z.object({ name: z.string().trim().min(1).max(100), kind: z.enum(nameKinds) })).max(20),
  event_start: isoDate.nullable(),
  event_end: isoDate.nullable(),
  due_at: isoDate.nullable(),
});
/** A memory as a model tells it, before anything of it is believed. */
export type ModelMemory = z.infer<typeof ModelMemory>;

/** An answer about one part of a document. */
export const ModelAnswer = z.object({ memories: z.array(ModelMemory).max(100) });
