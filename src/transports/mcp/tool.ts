import type { ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { UseCase } from '../../app/permissions.ts';
import type { SubjectIds } from '../../domain/tenancy/access.ts';
import { subjectFields, toSubjectIds } from '../http/fields.ts';
import { validate } from '../http/validate.ts';
import type { ToolCall, Connection } from './connection.ts';
import type { Wire } from '../http/wire.ts';

/** The effect of a tool on stored memories, by which clients ask their users. No tool reaches beyond this service. */
const effects = {
  reads: { readOnlyHint: true },
  adds: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  replaces: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  removes: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
} as const satisfies Readonly<Record<string, ToolAnnotations>>;

interface ToolDeclaration<I extends z.ZodObject, O extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** Tells the model that chooses a tool what this one is for, and when to take another. */
  readonly description: string;
  /** The use case that it stands for: who may call that sees the tool. */
  readonly useCase: UseCase;
  readonly effect: keyof typeof effects;
  /** Beside the user and customer, which every tool takes. */
  readonly input: I;
  readonly output: O;
  /** `about`: whom the call names, or the address fixes. */
  run(call: ToolCall, input: z.output<I>, about: SubjectIds): Promise<Wire<O>>;
}

/** A tool as it is offered. */
export interface Tool extends Omit<ToolDeclaration<z.ZodObject, z.ZodObject>, 'effect' | 'input' | 'run'> {
  readonly annotations: ToolAnnotations;
  /** The input schema of a connection, without the users and customers that the connection itself names. */
  inputOn(connection: Pick<Connection, 'fixed'>): z.ZodObject;
  /** Throws `invalid_input` that names the field. */
  run(call: ToolCall, input: unknown): Promise<object>;
}

/** A tool, declared once: what validates its input also describes it. */
export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(declared: ToolDeclaration<I, O>): Tool {
  const { effect, input, run, ...offered } = declared;
  const inputOn = ({ fixed }: Pick<Connection, 'fixed'>) =>
    z.strictObject({
      ...input.shape,
      ...(fixed.userId === undefined ? { user_id: subjectFields.user_id } : {}),
      // With a user who is fixed, a customer of the model's choice would open what any organisation shares.
      ...(fixed.userId === undefined && fixed.customerId === undefined
        ? { customer_id: subjectFields.customer_id }
        : {}),
    });
  return {
    ...offered,
    annotations: { ...effects[effect], openWorldHint: false },
    inputOn,
    run: (call, given) => {
      const taken = validate(inputOn(call), given ?? {}, 'the arguments') as z.output<I> & SentNamed;
      const { userId, customerId } = toSubjectIds(taken);
      const about = { userId: call.fixed.userId ?? userId, customerId: call.fixed.customerId ?? customerId };
      return run(call, taken, about);
    },
  };
}

type SentNamed = { readonly user_id?: string; readonly customer_id?: string };
