import type { Category, MemoryType } from '../../configurations/configuration.ts';
import type { Clause } from '../clauses.ts';

/** A pattern over a clause's plain form, and how often what it finds is what it says: see `Candidate.confidence`. */
export interface Rule {
  pattern: RegExp;
  /** Left out: the topic of the words decides. */
  category?: Category;
  confidence: number;
  /** Finds nothing where this matches too. */
  except?: RegExp;
}

export interface Finding {
  type: MemoryType;
  category?: Category;
  confidence: number;
}

/** A name of up to four words, as a source of a pattern. */
export const name = String.raw`\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+){0,3}`;
export const kin =
  'mother|father|mum|mom|dad|parents?|sisters?|brothers?|siblings?|sons?|daughters?|child|children|kids?|baby|wife|husband|spouse|partner|girlfriend|boyfriend|fianc[ée]e?|uncle|aunt|cousins?|nieces?|nephews?|grand(?:mother|father|ma|pa|parents|son|daughter|kids)|in-laws|friends?|best friend|colleagues?|coworkers?|neighbou?rs?|roommates?|flatmates?|family|twins?';
export const pet = 'dogs?|cats?|pupp(?:y|ies)|kittens?|horse|parrot|rabbits?|hamsters?|tortoise|turtle|fish|bird|pets?';

/** A pattern over `plain` text; names are told from words by their capitals, so case counts. */
export const rx = (source: string): RegExp => new RegExp(source, 'u');

/** The most confident finding of a table, if any. */
export function bestOf(type: MemoryType, rules: readonly Rule[], clause: Clause): Finding | undefined {
  let best: Rule | undefined;
  for (const rule of rules) {
    if (best && best.confidence >= rule.confidence) continue;
    if (rule.pattern.test(clause.plain) && !rule.except?.test(clause.plain)) best = rule;
  }
  return best && { type, confidence: best.confidence, ...(best.category ? { category: best.category } : {}) };
}
