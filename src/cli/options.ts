import { InvalidArgumentError, type Command } from 'commander';

/** A whole number of at least 1. */
export function parseCount(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1) return number;
  throw new InvalidArgumentError('must be a whole number of at least 1');
}

export type Metadata = Readonly<Record<string, string>>;

/** One more `key=value` of an option that may be repeated. */
export function addMetadata(text: string, metadata: Metadata = {}): Metadata {
  const [key, ...value] = text.split('=');
  if (!key || !value.length) throw new InvalidArgumentError('write key=value, such as thread=t-1');
  return { ...metadata, [key]: value.join('=') };
}

/** The user or customer whose memories a command is about. */
export interface SubjectOptions {
  readonly user?: string;
  readonly customer?: string;
}

/** Options that say whose memory is meant. */
export const addSubjectOptions = (command: Command): Command =>
  command
    .option('--user <id>', 'the user whose memory is meant')
    .option('--customer <id>', 'the customer (an organisation) that is meant, or that the user belongs to');

export const subjectParameters = ({ user, customer }: SubjectOptions) => ({ user_id: user, customer_id: customer });
