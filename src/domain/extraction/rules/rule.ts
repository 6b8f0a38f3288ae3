import type { Category, MemoryType } from '../../configurations/configuration.ts';
import type { Clause } from '../clauses.ts';

/** A pattern over a clause's plain form. */
interface Pattern {
  pattern: RegExp;
  /** Left out: the family's, else the topic of the words decides. */
  category?: Category;
  /** Of several rules that find something, the strongest says what the clause is. How sure it is was measured. */
  strength: number;
  /** Finds nothing where this matches too. */
  except?: RegExp;
}

/** What rules of one kind share. */
interface Family {
  type: MemoryType;
  name: string;
  category?: Category;
}

export interface Rule extends Pattern {
  type: MemoryType;
  /** "work.employed": the family's name and its own; `confidences` tells how often it is right. */
  name: string;
}

export interface Finding {
  rule: string;
  type: MemoryType;
  category?: Category;
  strength: number;
}

/** The rules of a family, strongest first. */
export function family({ name: of, ...shared }: Family, patterns: Readonly<Record<string, Pattern>>): readonly Rule[] {
  return Object.entries(patterns)
    .map(([own, pattern]) => ({ ...shared, ...pattern, name: `${of}.${own}` }))
    .toSorted((one, other) => other.strength - one.strength);
}

/** A name of up to four words, as a source of a pattern. */
export const name = String.raw`\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+){0,3}`;
export const kin =
  'mother|father|mum|mom|dad|parents?|sisters?|brothers?|siblings?|sons?|daughters?|child|children|kids?|baby|wife|husband|spouse|partner|girlfriend|boyfriend|fianc[ée]e?|uncle|aunt|cousins?|nieces?|nephews?|grand(?:mother|father|ma|pa|parents|son|daughter|kids)|in-laws|friends?|best friend|colleagues?|coworkers?|neighbou?rs?|roommates?|flatmates?|family|twins?';
export const pet =
  'dogs?|cats?|pupp(?:y|ies)|kittens?|horses?|pon(?:y|ies)|parrots?|budgies?|rabbits?|hamsters?|guinea pigs?|gerbils?|ferrets?|tortoises?|turtle|goldfish|fish|birds?|chickens?|hens|pets?|beagles?|labradors?|labradoodles?|retrievers?|terriers?|spaniels?|collies?|poodles?|cockapoos?|dachshunds?|whippets?|greyhounds?|huskies|husky|bulldogs?|pugs?|corgis?|chihuahuas?|rottweilers?|dalmatians?|shepherds|shepherd dog|tabby|ragdoll';

/** A pattern over `plain` text; names are told from words by their capitals, so case counts. */
export const rx = (source: string): RegExp => new RegExp(source, 'u');

/** The strongest finding of rules that stand strongest first, if one is stronger than `above`. */
export function strongest(rules: readonly Rule[], { plain }: Clause, above = 0): Finding | undefined {
  for (const { name: rule, type, category, strength, pattern, except } of rules) {
    if (strength <= above) return undefined;
    if (pattern.test(plain) && !except?.test(plain)) return { rule, type, strength, ...(category ? { category } : {}) };
  }
  return undefined;
}
