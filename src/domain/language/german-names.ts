import { withoutAccents } from './accents.ts';
import { anyWordOf, calendarNames } from './calendar-names.ts';
import { isKnownPlace } from './known-places.ts';
import type { NameKind } from './name-kinds.ts';
import { queryStopWords } from './stop-words.ts';
import { wordSet } from './word-set.ts';

// Names in German, where each noun has a capital: a word is a name by the words beside it, or none that we know of.

/** Matches a whole word that is no longer than names are, so that each word of a text is read once. */
const word = String.raw`(?<![\p{L}\p{M}’'-])\p{Lu}\p{Ll}[\p{L}\p{M}’'-]{0,40}(?![\p{L}\p{M}’'-])`;
const words = String.raw`(?<name>${word}(?: ${word})?)`;
const kin =
  '(?:[Gg]roß|[Ss]chwieger|[Ss]tief)?(?:[Mm]utter|[Vv]ater)|Mama|Mutti|Papa|Vati|Oma|Opa|Schwester|Bruder|(?:Ehe)?[Mm]ann|(?:Ehe)?[Ff]rau|Tochter|Sohn|Baby|Enkel(?:in)?|Tante|Onkel|Nichte|Neffen?|Cousine?|Schwager|Schwägerin';
const acquaintances =
  '(?:Partner|Freund|Nachbar|Mitbewohner|Chef|Arbeitskolleg|Kolleg|(?:Haus|Zahn|Kinder|Tier)?[Aa]rzt|Therapeut|Lehrer|Trainer|Professor|Anwalt|Vermieter|Steuerberater|Friseur|Kund)(?:in|en?)?|(?:Haus|Zahn|Kinder|Tier)?[Ää]rztin|Verlobter?|Hebamme|Anwältin';
const animals = 'Hund|Hündin|Welpe|Katze|Kater|Pferd|Hamster|Kaninchen|Papagei|Schildkröte';
const firms =
  'Atelier|Café|Hotel|Restaurant|Praxis|Kanzlei|Firma|Bäckerei|Klinik|Verlag|Agentur|Galerie|Gasthof|Kita|Studio|Werkstatt';
const behind = (list: string) => String.raw`(?<![\p{L}\p{M}])(?:${list})\s+`;
/** Excludes a possessive in front: "meine Frau" is a wife, and "Frau" no title. */
const notOwned = String.raw`(?<!(?:[MmDdSs]ein|[Ii]hr|[Uu]nser)\p{Ll}{0,2} )`;

/** Patterns of a name and the words beside it, with its kind; undefined where more is to be looked at. */
const cues: readonly (readonly [RegExp, NameKind | undefined])[] = [
  [new RegExp(String.raw`(?<name>(?<!\p{L})${notOwned}(?:Frau|Herrn?|Familie)(?: (?:Dr|Prof)\.){0,3} ${word})`, 'gu'), 'person'],
  [new RegExp(String.raw`(?<name>(?<!\p{L})(?:(?:Dr|Prof)\. ){1,3}${word}(?: ${word})?)`, 'gu'), 'person'],
  [new RegExp(String.raw`(?<!\p{L})(?:${animals})s?,?\s+${words}`, 'gu'), 'animal'],
  [new RegExp(String.raw`(?<!\p{L})(?:${kin}|${acquaintances})s?,?\s+${words}`, 'gu'), 'person'],
  [new RegExp(String.raw`${behind('hei(?:ß|ss)(?:e|en|t)|namens|[Nn]ame ist|nenn(?:e|en|t) (?:mich|ihn|sie)')}(?:(?:jetzt|übrigens|nun|ja|auch)\s)?${words}`, 'gu'), undefined],
  [new RegExp(String.raw`(?<name>(?<!\p{L})(?:${firms}) ${word}|(?<!\p{L})${word}(?: ${word})? (?:GmbH|AG|KG|UG|SE)(?!\p{L}))`, 'gu'), 'organization'],
  [new RegExp(String.raw`(?<!\p{L})arbeite\p{L}{0,4}(?: \p{Ll}+){0,3} bei ${words}`, 'gu'), 'organization'],
  [new RegExp(String.raw`${behind('[Ii]n|[Nn]ach|[Aa]us')}(?<name>${word})`, 'gu'), 'place'],
  [new RegExp(String.raw`${behind('mit|von|bei|für|ohne|und|kenne|kennt|treffe|traf|besuche|ist')}(?<name>${word} ${word})`, 'gu'), 'person'],
  [new RegExp(String.raw`(?:^\W*|, |\b(?:dass|wenn|weil|ob|und) )(?<name>${word}) (?:und ich|sagte?|meinte?|erzählte?|mag|liebt|hasst|wohnt|studiert|heiratet|isst|trinkt)(?!\p{L})`, 'gu'), 'person'],
]; // prettier-ignore

/** Nouns that stand where a name would: "hat meine Mutter Geburtstag", "in Rente", "aus Versehen". */
const nouns = wordSet(`
  angst anfang arbeit auto bar bescheid besuch bett bezug bier blumen büro corona covid deutsch durst eile ende englisch
  essen euro ferien fieber form frage französisch freude fußball gefahr geld gesundheit gitarre glück grippe haus hause
  hilfe holz hunger jura kaffee kinder klavier kontakt kraft krebs kürze lust mathe medizin milch minuten mitte musik
  ordnung ostern pech pfingsten physik pflege platz probleme prozent recht rente ruhe schluss schule sicht silvester
  spanisch spaß sport tee tennis uni urlaub versehen wasser wein weihnachten wirklichkeit yoga zeit zukunft zucker
`);
const nounEnding =
  /(?:ung|heit|keit|schaft|tion|tät|ismus|betes|iker(?:in)?|zeit|tag|dienst|abend|morgen|woche|stunde|termin|schmerzen|arbeit|rezepte?|kurs|betrieb)$/u;
/** Matches a plural. Places end so as well, but hardly others than these. */
const plural = /(?<!ien|ingen|hausen|kirchen|hofen|haven)en$/u;
/** Words at the head of a sentence, beside those that a query leaves out. */
const openers = wordSet(`
  niemand jemand keiner manche viele gestern heute morgen damals sonst trotzdem deshalb später früher oft immer leider
  endlich vielleicht bitte danke hallo genau klar übrigens kleine kurze große neue nächste letzte
`);
const described = new RegExp(
  String.raw`^(?:${kin}|${acquaintances}|${animals}|${firms}|Frau|Herrn?|Uhr|Tag|Montag|Termin|${anyWordOf({ ...calendarNames.de.month, ...calendarNames.de.weekday })})s?$`,
  'iu',
);

const isNoun = (lower: string): boolean => nouns.has(lower) || nounEnding.test(lower) || described.test(lower);
const isFunctionWord = (lower: string): boolean => openers.has(lower) || queryStopWords.de.has(withoutAccents(lower));

const anyWord = new RegExp(word, 'gu');

/** A name found in German; one that is not sure is one where the same word is a name elsewhere. */
export interface GermanName {
  readonly name: string;
  readonly kind: NameKind;
  readonly isSure: boolean;
}

/** The names in a sentence in German, by what stands beside them; every other capitalised word is one perhaps. */
export function findGermanNames(sentence: string): GermanName[] {
  const cued = cues.flatMap(([cue, kind]) =>
    [...sentence.matchAll(cue)].flatMap((match): GermanName[] => {
      const name = ownWords(match.groups!['name']!, kind);
      return name ? [{ name, kind: kind ?? kindOfNamed(sentence, match.index), isSure: true }] : [];
    }),
  );
  // "Schmidt" behind "Frau" is "Frau Schmidt".
  const ofLonger = new Set(cued.flatMap(({ name }) => partsOf(name)));
  const sure = cued.filter(({ name }) => !ofLonger.has(name));
  const named = new Set(sure.flatMap(({ name }) => name.split(' ')));
  const lone = [...sentence.matchAll(anyWord)]
    .map(([name]) => name)
    .filter((name) => !named.has(name) && !isFunctionWord(name.toLowerCase()) && !isNoun(name.toLowerCase()))
    .map((name): GermanName => ({ name, kind: isKnownPlace(name) ? 'place' : 'other', isSure: isKnownPlace(name) }));
  return [...sure, ...lone];
}

/** The shorter names in a name: "Frau", "Ada", "Berg", "Frau Ada" and "Ada Berg" in "Frau Ada Berg". */
function partsOf(name: string): string[] {
  const parts = name.split(' ');
  return parts
    .flatMap((_, from) => parts.slice(from).map((_part, more) => parts.slice(from, from + more + 1).join(' ')))
    .filter((part) => part !== name);
}

const title = /^(?:Frau|Herrn?|Familie|Dr\.|Prof\.)$/u;

/** The words of a name up to the first that is none; with a title or the noun of a firm they are all of one name. */
function ownWords(name: string, kind: NameKind | undefined): string {
  const parts = name.split(' ');
  if (kind === 'organization' && parts.length > 1) return name;
  const from = parts.findIndex((part) => !title.test(part)); // -1 where all are titles
  const end = parts.findIndex((part, n) => n >= from && !isName(part, kind));
  const own = end < 0 ? parts : parts.slice(0, end);
  return own.length > from ? own.join(' ') : '';
}

function isName(part: string, kind: NameKind | undefined): boolean {
  const lower = part.toLowerCase();
  if (isKnownPlace(part)) return kind !== 'person';
  return !isNoun(lower) && !isFunctionWord(lower) && !(kind === 'place' && plural.test(lower));
}

const subject = (list: string) => new RegExp(String.raw`(?<!\p{L})(?:${list})s?(?!\p{L})`, 'u');
const animalBefore = subject(animals);
const personBefore = subject(`${kin}|${acquaintances}|[Ii]ch|[Ee]r|[Ss]ie|[Ww]ir|[Mm]ein`);

/** How many characters before a name are searched for the word for whoever has it. */
const nearby = 80;

/** The kind of a name, by the noun before it for whoever has it: "Mein Kater heißt Moritz". */
function kindOfNamed(sentence: string, at: number): NameKind {
  const before = sentence.slice(Math.max(0, at - nearby), at);
  return animalBefore.test(before) ? 'animal' : personBefore.test(before) ? 'person' : 'other';
}
