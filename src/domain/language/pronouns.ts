import type { Gender } from './person-words.ts';
import type { Language } from './sentence-language.ts';

// The words by which each language refers to somebody or something told before: alternatives of a pattern, in lower
// case.

interface Pronouns {
  /** Personal pronouns: "she", "them". */
  readonly personal: string;
  /** Possessive pronouns: "her", "their". */
  readonly possessive: string;
}
export const pronouns: Readonly<Record<Language, Pronouns>> = {
  en: { personal: 'he|him|she|hers|they|them|theirs', possessive: 'his|her|their' },
  de: { personal: 'er|sie|ih[mn]|ihr|ihnen', possessive: 'ihre?[nmrs]?|seine?[nmrs]?' },
  es: { personal: 'él|ella|ellos|ellas', possessive: 'sus?' },
  fr: { personal: 'ils?|elles?|lui|leur', possessive: 'leurs?|sa|ses|son' },
};

/** The English pronouns that tell a man from a woman, and that a name can stand in for. */
export const genderedPronouns: Readonly<Record<Gender, string>> = { he: 'he|him|his', she: 'she|her' };

/** English pronouns for a thing. "This" is not among them, since it may introduce: "This is my sister." */
export const inanimatePronouns = 'it|its|that|these|those';

/** Possessive pronouns of those who talk: "mein", "tu", "notre". */
export const participantPossessives: Readonly<Record<Exclude<Language, 'en'>, string>> = {
  de: String.raw`(?:mein|unser|dein)\p{L}+`,
  es: String.raw`mis?|tus?|nuestr\p{L}+`,
  fr: 'mon|ma|mes|notre|nos|ton|ta|tes|votre|vos',
};
