import { DomainError, type ErrorCode, type FieldError } from '../../domain/errors.ts';
import { toCamelCaseError } from './errors.ts';

/** The errors that a caller has to deal with, as members of the mutations' unions. */
interface Problems {
  readonly not_found: { readonly __typename: 'NotFound'; readonly message: string };
  readonly context_not_found: Problems['not_found'];
  readonly conflict: { readonly __typename: 'Conflict'; readonly message: string };
  readonly invalid_input: {
    readonly __typename: 'InvalidInput';
    readonly message: string;
    readonly fields: readonly FieldError[];
  };
  readonly payload_too_large: Problems['invalid_input'];
  readonly unsupported_media_type: Problems['invalid_input'];
  readonly duplicate_document: {
    readonly __typename: 'DuplicateDocument';
    readonly message: string;
    readonly ingestionId: string | null;
  };
}

const problems: { readonly [C in keyof Problems]: (error: ReturnType<typeof toCamelCaseError>) => Problems[C] } = {
  not_found: ({ message }) => ({ __typename: 'NotFound', message }),
  context_not_found: ({ message }) => ({ __typename: 'NotFound', message }),
  conflict: ({ message }) => ({ __typename: 'Conflict', message }),
  invalid_input: ({ message, fields }) => ({ __typename: 'InvalidInput', message, fields }),
  payload_too_large: ({ message, fields }) => ({ __typename: 'InvalidInput', message, fields }),
  unsupported_media_type: ({ message, fields }) => ({ __typename: 'InvalidInput', message, fields }),
  duplicate_document: ({ message, details }) => ({
    __typename: 'DuplicateDocument',
    message,
    ingestionId: details['ingestionId']?.toString() ?? null,
  }),
};

/** Returns the result of the work, or the listed problems as values of a union type; other errors are thrown. */
export async function problemsAsResult<N extends string, T extends object, C extends keyof Problems>(
  name: N,
  expected: readonly C[],
  work: () => Promise<T>,
): Promise<(T & { readonly __typename: N }) | Problems[C]> {
  try {
    return { ...(await work()), __typename: name };
  } catch (error) {
    if (!(error instanceof DomainError) || !isOneOf(expected, error.code)) throw error;
    return problems[error.code](toCamelCaseError(error));
  }
}

const isOneOf = <C extends ErrorCode>(codes: readonly C[], code: ErrorCode): code is C =>
  (codes as readonly ErrorCode[]).includes(code);
