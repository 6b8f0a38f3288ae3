import { z } from 'zod';
import type { App } from '../../app.ts';
import { invalidInputError } from '../../domain/errors.ts';
import { isUuid, toPublicId, fromPublicId, type IdKind } from '../../domain/ids.ts';
import { limits } from '../../domain/limits.ts';
import { plainText, storableText } from '../../domain/plain-text.ts';
import { requireCustomerOfUser, type Access, type SubjectIds } from '../../domain/tenancy/access.ts';
import { callerIdField, Metadata } from '../http/fields.ts';
import { validate } from '../http/validate.ts';
import { optionalField, type CompatCall } from './route.ts';

/** An id that the caller chose and must name. */
export const requiredCallerId = callerIdField();

/** An id that the caller chose. */
export const optionalCallerId = optionalField(requiredCallerId);

const ConversationPath = z.object({ conversation_id: requiredCallerId });

/** The conversation of a path. */
export const conversationOf = (params: CompatCall['params']): string =>
  validate(ConversationPath, params, 'the path').conversation_id;

export const roleField = plainText(z.string().min(1).max(limits.role.max));

/** Whom a request is about. Later releases may tell it by levels, of which a user and a customer are known here. */
export const subjectFields = {
  user_id: optionalCallerId,
  customer_id: optionalCallerId,
  scope: optionalField(
    z
      .record(z.string(), optionalCallerId.nullish())
      .refine((levels) => Object.keys(levels).length > 0, 'must name a level, or be left out'),
  ),
};

interface SentNames {
  readonly user_id?: string | undefined;
  readonly customer_id?: string | undefined;
  readonly scope?: Readonly<Record<string, string | null | undefined>> | undefined;
}

/** A text; what no Unicode text can hold is replaced. */
export const textField = (max: number) => z.string().max(max).regex(/\S/, 'must not be empty').overwrite(storableText);

export const metadataField = optionalField(Metadata);

/** ISO 8601; the library leaves out the offset of times that it takes for UTC. */
export const timeField = optionalField(
  z
    .string()
    .max(limits.time.max)
    .transform((value) => new Date(/(?:Z|[+-]\d\d:?\d\d)$/i.test(value) ? value : `${value}Z`))
    .refine((value) => !Number.isNaN(value.getTime()), 'must be an ISO 8601 time'),
);

/** Whom a request is about, as the domain takes it. */
export function toSubjectIds({ user_id: user, customer_id: customer, scope }: SentNames): SubjectIds {
  const [userLevel, customerLevel] = [scope?.['user'] ?? undefined, scope?.['customer'] ?? undefined];
  if (user && userLevel && user !== userLevel) throw invalidInputError('scope.user', 'is another one than user_id');
  if (customer && customerLevel && customer !== customerLevel)
    throw invalidInputError('scope.customer', 'is another one than customer_id');
  return { userId: user ?? userLevel, customerId: customer ?? customerLevel };
}

/** An id of ours as the library knows it: the bare UUID. */
export const withoutIdPrefix = (kind: IdKind, id: string): string => fromPublicId(kind, id) ?? id;

/** An id of the library as we print it; one that is no UUID names nothing. */
export const withIdPrefix = (kind: IdKind, id: string): string =>
  isUuid(id) ? toPublicId(kind, id.toLowerCase()) : id;

/** Refuses a user without a customer where users of different customers are different people. */
export async function requireCustomer(app: App, access: Access, subject: SubjectIds): Promise<void> {
  const { body } = await app.configurations.active(access);
  requireCustomerOfUser(subject, body.isolation);
}

/** Drops what is undefined or null: the library takes what is absent for its default, and breaks on null. */
export const omitUndefined = <T extends object>(value: T): Partial<T> =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined && each !== null)) as Partial<T>;
