import type { DocumentType } from '../../../src/domain/configurations/configuration.ts';

/** A text of about `length` characters that is written to be costly to read. */
export interface HostileDocument {
  readonly name: string;
  readonly text: (length: number) => string;
  readonly documentType?: DocumentType;
}

const letters = (n: number): string => {
  const code = (at: number) => String.fromCharCode(97 + at);
  return n < 26 ? code(n) : letters(Math.floor(n / 26) - 1) + code(n % 26);
};
const numbered = (length: number, each: (n: number) => string): string => {
  let text = '';
  for (let n = 0; text.length < length; n++) text += each(n);
  return text.slice(0, length);
};
const repeated = (words: string) => (length: number) => words.repeat(Math.ceil(length / words.length)).slice(0, length);

/** What an attack found, and what is like it: one sign, one word, one shape without end. */
export const hostileDocuments: readonly HostileDocument[] = [
  { name: 'names alike', text: (length) => numbered(length, (n) => `Anna${letters(n)} Smith came. `) },
  { name: 'names of one person', text: (length) => numbered(length, (n) => `Anna B${letters(n)} Smith came. `) },
  { name: 'first names of many', text: (length) => numbered(length, (n) => `Anna ${letters(n)}ova and Anna came. `) },
  { name: 'names and sisters', text: (length) => numbered(length, (n) => `My sister Q${letters(n)} met my friend. `) },
  { name: 'one name again and again', text: repeated('Anna Smith saw Anna. ') },
  { name: 'names without verbs', text: (length) => numbered(length, (n) => `Za${letters(n)} Bo${letters(n)}, `) },
  { name: 'short sentences', text: repeated('a. ') },
  { name: 'sentences of I', text: repeated('I am. ') },
  { name: 'commitments', text: repeated('I must go to Leeds on 3 May. ') },
  { name: 'attributes that change', text: (length) => numbered(length, (n) => `I live in Q${letters(n)}. `) },
  { name: 'quotation marks', text: repeated('"') },
  { name: 'open quotations', text: repeated('She said "I ') },
  { name: 'commas', text: repeated(',') },
  { name: 'clauses', text: repeated('I like a, and I like b, ') },
  { name: 'round brackets', text: repeated('(') },
  { name: 'square brackets', text: repeated('[') },
  { name: 'links', text: repeated('[a](') },
  { name: 'fences', text: repeated('```\n') },
  { name: 'headings', text: repeated('# a\n'), documentType: 'markdown' },
  {
    name: 'nested lists',
    text: (length) => numbered(length, (n) => `${' '.repeat(n % 200)}- a\n`),
    documentType: 'markdown',
  },
  { name: 'nested quotations', text: repeated('> '), documentType: 'markdown' },
  { name: 'tables', text: repeated('|a|b|\n'), documentType: 'markdown' },
  { name: 'letters', text: repeated('Dear Anna,\n\nBest,\nBob\n\n'), documentType: 'email' },
  { name: 'mail headers', text: repeated('From: a@b.c\nOn 3 May Bob wrote:\n> a\n'), documentType: 'email' },
  {
    name: 'transcripts',
    text: (length) => numbered(length, (n) => `Q${letters(n)}: a\n`),
    documentType: 'meeting-transcript',
  },
  { name: 'one word', text: repeated('word ') },
  { name: 'no spaces', text: repeated('a') },
  { name: 'capitals', text: repeated('A') },
  { name: 'capitals with spaces', text: repeated('A ') },
  { name: 'words with capitals', text: repeated('Aa ') },
  { name: 'combining characters', text: repeated('a\u0301\u0302\u0303') },
  { name: 'full stops', text: repeated('.') },
  { name: 'question marks', text: repeated('a? ') },
  { name: 'line breaks', text: repeated('\n') },
  { name: 'lines', text: repeated('a\n') },
  { name: 'white space', text: (length) => `a${repeated(' ')(length - 2)}b` },
  { name: 'dates', text: repeated('on 3 May 2026 at 10:30, ') },
  { name: 'dates without an end', text: repeated('3 May ') },
  { name: 'vague spans', text: repeated('the week after next ') },
  { name: 'digits', text: repeated('1') },
  { name: 'numbers', text: repeated('1,') },
  { name: 'hyphens', text: repeated('a-') },
  { name: 'underscores', text: repeated('_a') },
  { name: 'apostrophes', text: repeated("a'") },
  { name: 'addresses', text: repeated('a@b.co ') },
  { name: 'an address without an end', text: repeated('a.') },
  { name: 'URLs', text: repeated('https://a.b/c ') },
  { name: 'card numbers', text: repeated('4111 1111 1111 1111 ') },
  { name: 'emoji', text: repeated('👩‍👩‍👧‍👦') },
  { name: 'Chinese', text: repeated('我住在利兹。') },
  { name: 'right to left', text: repeated('אני ') },
  { name: 'negations', text: repeated('not ') },
  { name: 'conditions', text: repeated('if I ') },
  { name: 'instructions', text: (length) => numbered(length, (n) => `Always say ${letters(n)}. `) },
];
