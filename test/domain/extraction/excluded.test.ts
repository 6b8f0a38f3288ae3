import { expect, test } from 'vitest';
import { defaultConfiguration } from '../../../src/domain/configurations/configuration.ts';
import { categoryFitterOf } from '../../../src/domain/extraction/fit-category.ts';

/** Whether a passage with these words is kept where this is excluded. */
function isKept(excluded: string, text: string, quote = text): boolean {
  const entry = { name: excluded, description: excluded.replaceAll('-', ' '), examples: [] };
  const sort = categoryFitterOf({ ...defaultConfiguration, excluded: [entry] });
  return sort({ type: 'episodes', category: 'other', content: text, quote }) !== null;
}

test.each([
  { excluded: 'credit-card-numbers', text: 'You can charge 4111111111111111.' },
  { excluded: 'credit-card-numbers', text: 'My Visa is 4111 1111 1111 1111, exp 04/29, cvv 123.' },
  { excluded: 'credit-card-numbers', text: 'It is 4111-1111-1111-1111 04 29' },
  { excluded: 'payment-card-numbers', text: 'Amex 3782 822463 10005, please' },
  { excluded: 'card-numbers', text: 'Take ４１１１ １１１１ １１１１ １１１１.' },
  { excluded: 'payment-details', text: 'Pay to GB82 WEST 1234 5698 7654 32 today' },
  { excluded: 'card-numbers', text: 'The number of my card is on the back.' },
  { excluded: 'home-addresses', text: 'I live at 12 Elm Street, Leeds.' },
  { excluded: 'home-addresses', text: 'Ship it to 12 Elm Street, Leeds LS1 4AB.' },
  { excluded: 'home-addresses', text: 'we are at 221b baker street' },
  { excluded: 'postal-addresses', text: 'Send it to 1600 Pennsylvania Avenue NW, Washington, DC 20500' },
  { excluded: 'addresses', text: 'Ich wohne in der Hauptstraße 5 in Graz.' },
  { excluded: 'home-addresses', text: 'J’habite au 8 rue de Rivoli.' },
  { excluded: 'home-addresses', text: 'My home address is no secret.' },
  { excluded: 'phone-numbers', text: 'Ring me on 07700 900123.' },
  { excluded: 'phone-numbers', text: 'It is +44 20 7946 0958.' },
  { excluded: 'phone-numbers', text: 'Try (415) 555-2671' },
  { excluded: 'contact-details', text: 'Write to ada@example.org.' },
  { excluded: 'email-addresses', text: 'Write to ada@example.org.' },
  { excluded: 'customer-passwords', text: 'My password for the shop is hunter2.' },
  { excluded: 'pins', text: 'The PIN of the door: 4711' },
  { excluded: 'api-keys', text: 'Use sk-abcdefghijklmnop1234567890' },
  { excluded: 'social-security-numbers', text: 'It is 219-09-9999.' },
  { excluded: 'national-insurance-numbers', text: 'It is QQ 12 34 56 C, no, AB 12 34 56 C.' },
  { excluded: 'political-opinions', text: 'My political opinions are strong.' },
  { excluded: 'salaries', text: 'Her salary is fair.' },
])('with $excluded excluded, “$text” is not kept', ({ excluded, text }) => expect(isKept(excluded, text)).toBe(false));

test.each([
  { excluded: 'home-addresses', text: 'I need a new home for my cat, what address is the shelter?' },
  { excluded: 'credit-card-numbers', text: 'Credit where due, your card game numbers are great' },
  { excluded: 'credit-card-numbers', text: 'My order is 1234567890123456.' },
  { excluded: 'credit-card-numbers', text: 'We met on 2026-03-09 and on 2026-03-10.' },
  { excluded: 'home-addresses', text: 'I live in Leeds, 10 minutes down the road.' },
  { excluded: 'home-addresses', text: 'We did a 24 hour road trip over 2 days.' },
  { excluded: 'home-addresses', text: 'I own a laptop with M2 8GB.' },
  { excluded: 'email-addresses', text: 'I live at 12 Elm Street.' },
  { excluded: 'phone-numbers', text: 'My flight is on 09-03-2026 at 10:45, seat 12, for 1,000,000 miles.' },
  { excluded: 'phone-numbers', text: 'In 1990-2000 I sold 12345678 shoes.' },
  { excluded: 'pins', text: 'I collect badges, 4711 of them.' },
  { excluded: 'passport-numbers', text: 'My passport expires in 2030.' },
  { excluded: 'political-opinions', text: 'Opinions differ, and political parties do too.' },
])('with $excluded excluded, “$text” is kept', ({ excluded, text }) => expect(isKept(excluded, text)).toBe(true));

test('nor is a statement kept whose sentence has it: the quote would tell it', () => {
  expect(isKept('phone-numbers', 'I moved to York', 'I moved to York and my phone is +44 20 7946 0958.')).toBe(false);
});

test('a long text of digits and capitals is read in no time', () => {
  const started = performance.now();
  for (const piece of ['1', '1 ', '4111 ', 'A1 ', 'GB82 ', '12 Elm ', 'password ', 'a@', 'rue a '])
    for (const excluded of ['card-numbers', 'payment-details', 'contact-details', 'secrets', 'id-numbers'])
      isKept(excluded, piece.repeat(2_000));
  expect(performance.now() - started).toBeLessThan(5_000);
});
