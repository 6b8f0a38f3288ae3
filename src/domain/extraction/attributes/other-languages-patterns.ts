import { wholeMatch, type AttributePattern } from './attribute-pattern.ts';
import { placeNameSource, properNounSource } from './value-patterns.ts';

// German, Spanish and French: the values that a later statement replaces most often, in the forms that most people use.

const place = `(?<value>${placeNameSource})`;
const company = `(?<value>${properNounSource})`;
const name = String.raw`(?<value>\p{Lu}[\p{L}'-]+)(?: \p{Lu}[\p{L}'-]+){0,3}`;
const words = String.raw`[\p{L}'-]+(?: [\p{L}'-]+){0,2}?`;

const german = {
  when: String.raw`(?: (?:gestern|heute|neulich|letzte[ns]? \p{L}+|diese[ns]? \p{L}+|vor \p{L}+ \p{L}+|seit [\p{L}\d ]{2,30}))?`,
  we: '(?:[Ii]ch|[Ww]ir)',
};
const spanish = {
  when: String.raw`(?:,? (?:ayer|hoy|hace poco|la semana pasada|el (?:mes|año) pasado|est[ea] \p{L}+|hace \p{L}+ \p{L}+|desde [\p{L}\d ]{2,30}))?`,
  now: '(?:[Yy]o )?(?:[Aa]hora )?',
};
const french = {
  when: String.raw`(?:,? (?:hier|récemment|la semaine dernière|le mois dernier|l'an dernier|cette \p{L}+|il y a \p{L}+ \p{L}+|depuis [\p{L}\d ]{2,30}))?`,
};

const residences: Readonly<Record<'has' | 'denies', readonly string[]>> = {
  has: [
    `${german.we} (?:wohnen?|leben?)(?: jetzt| inzwischen)?${german.when} in ${place}${german.when}`,
    `${german.we} (?:bin|sind)(?: jetzt| inzwischen)?${german.when} nach ${place} (?:um)?gezogen`,
    `${spanish.now}(?:[Vv]iv(?:o|imos)|[Rr]esido) (?:ahora )?en ${place}${spanish.when}`,
    `(?:[Mm]e (?:he mudado|mudé)|[Nn]os (?:hemos mudado|mudamos)) a ${place}${spanish.when}`,
    `(?:[Jj]'habite|[Oo]n habite|[Nn]ous habitons|[Jj]e vis)(?: maintenant)? à ${place}${french.when}`,
    `(?:[Jj]'ai|[Oo]n a|[Nn]ous avons) déménagé à ${place}${french.when}`,
  ],
  denies: [
    `${german.we} (?:wohnen?|leben?) nicht(?: mehr)? in ${place}`,
    `(?:[Yy]a )?[Nn]o viv(?:o|imos) en ${place}`,
    `[Jj]e (?:n'habite|ne vis) (?:plus|pas) à ${place}`,
  ],
};

const allergies: readonly { readonly value: 'yes' | 'no'; readonly source: string }[] = [
  { value: 'yes', source: `[Ii]ch bin (?:stark )?allergisch (?:gegen|auf) (?<of>${words})` },
  { value: 'no', source: `[Ii]ch bin nicht(?: mehr)? allergisch (?:gegen|auf) (?<of>${words})` },
  { value: 'yes', source: `(?:[Yy]o )?[Ss]oy (?:muy )?alérgic[oa] (?:al|a(?: l[ao]s?)?) (?<of>${words})` },
  { value: 'no', source: `(?:[Yy]a )?[Nn]o soy alérgic[oa] (?:al|a(?: l[ao]s?)?) (?<of>${words})` },
  { value: 'yes', source: `[Jj]e suis (?:très )?allergique (?:aux?|à(?: la| l')?) ?(?<of>${words})` },
  { value: 'no', source: `[Jj]e ne suis (?:plus|pas) allergique (?:aux?|à(?: la| l')?) ?(?<of>${words})` },
];

export const otherLanguagesPatterns: readonly AttributePattern[] = [
  ...residences.has.map((source) => ({ name: 'residence', pattern: wholeMatch(source) })),
  ...residences.denies.map((source) => ({ name: 'residence', pattern: wholeMatch(source), sense: 'denies' as const })),
  ...allergies.map(({ value, source }) => ({
    name: 'allergy to $',
    pattern: wholeMatch(source),
    isStemmed: true,
    value,
  })),
  ...[
    `[Ii]ch arbeite(?: jetzt)? bei ${company}${german.when}`,
    `${spanish.now}[Tt]rabajo para ${company}${spanish.when}`,
    `[Jj]e travaille(?: maintenant)? chez ${company}${french.when}`,
  ].map((source) => ({ name: 'employer', pattern: wholeMatch(source) })),
  ...[`[Ii]ch heiße ${name}`, `[Mm]e llamo ${name}`, `[Jj]e m'appelle ${name}`].map((source) => ({
    name: 'name',
    pattern: wholeMatch(source),
  })),
];
