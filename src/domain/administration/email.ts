import { invalidInputError } from '../errors.ts';
import { isLonger, limits } from '../limits.ts';
import type { InstanceKeys } from '../sealing/instance-keys.ts';

/** An address in the form that it is known by. Throws `invalid_input`; whether mail reaches it is not asked. */
export function readEmail(text: string): string {
  const email = text.trim().normalize('NFC').toLowerCase();
  if (isLonger(email, limits.email))
    throw invalidInputError('email', `must have ${limits.email.max} characters or less`);
  if (!/^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(email)) throw invalidInputError('email', 'must be an email address');
  return email;
}

/** The keyed hash that an address is looked up by: addresses themselves are sealed. */
export const emailHashOf = (keys: InstanceKeys, email: string) => keys.hash('email', email);
