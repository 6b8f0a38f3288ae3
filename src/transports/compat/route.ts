import { z } from 'zod';
import type { App } from '../../app.ts';
import type { UseCase } from '../../app/permissions.ts';
import type { Access } from '../../domain/tenancy/access.ts';

/** A request of the library, by a key that opens its instance. */
export interface CompatCall {
  readonly access: Access;
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  /** Aborted when nobody waits for the answer any more. */
  readonly left: AbortSignal;
}

/** A route of the library's: its paths and shapes are not ours, and stand in no document of ours. */
export interface CompatRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly url: string;
  /** The use case that it stands for: who may call that may call the route. */
  readonly useCase: UseCase;
  /** A repetition, by its `X-Correlation-ID`, is answered what the first was: the library repeats what got no answer. */
  readonly isRepeatable?: boolean;
  /** It takes no call from the rate of the key. */
  readonly isUnmetered?: boolean;
  readonly bodyLimit?: number;
  /** A form is taken, too, and not only JSON. */
  readonly takesForms?: boolean;
  /** Returns the answer, which is always sent with 200: the library takes nothing else for success. */
  handle(app: App, call: CompatCall): Promise<unknown>;
}

/** The library sends null, and integrations the empty string, for what they do not have. */
export const optionalField = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === null || value === '' ? undefined : value), schema.optional());
