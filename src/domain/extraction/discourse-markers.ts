import { languageOf, type Language } from '../language/sentence-language.ts';
import { addressSource } from './small-talk.ts';

/** English discourse markers, interjections and greetings. */
const englishMarker = String.raw`(?:actually|well|so|oh|ah|wow|omg|yo|hi|hey|hello|hi there|hey there|hi all|guess what|news flash|big news|exciting news|yes|yeah|yep|no|nope|ok|okay|sure|right|anyway|also|btw|by the way|(?:that )?reminds me|fyi|honestly|frankly|personally|in fact|to be honest|as of (?:now|today)|update|correction|good news|sorry|thanks|thank you|great|cool|nice|haha|lol|um|hmm|you know|i mean|for the record|in general|overall|luckily|fortunately|unfortunately|sadly|turns out|it turns out(?: that)?|just so you know|and|but|plus|as i said|as mentioned)`;
const english = new RegExp(
  String.raw`^${englishMarker}\s*[,:!—–-]+\s*|^(?:also|so|and|but|plus|actually|honestly|anyway|oh|yes|well|hi|hey|hello|omg|btw|fyi|by the way|(?:that )?reminds me|guess what|it turns out(?: that)?|turns out(?: that)?)\s+(?=(?:i|im|ive|my|we|our|the|[a-z]|just|(?:have )?moved|cant|can['’]t|cannot)\b)`,
  'iu',
);
/** Markers of German, Spanish and French that are hardly words or names of another language. */
const foreignMarkers = [
  'ja|nein|nö|na ja|naja|tja|genau|übrigens|hallo|moin|servus|grüezi|guten (?:morgen|tag|abend)|danke|stell dir vor',
  'sí|bueno|hola|buenas|buenos días|buenas (?:tardes|noches)|gracias|por cierto|la verdad',
  "oui|ouais|bah|bonjour|bonsoir|salut|coucou|merci|au fait|en fait|du coup|par contre|d['’]ailleurs|figure-toi",
].join('|');
/** Markers that are words or names in another language. "Si" is also "if", but contradicts before a subject. */
const ambiguousMarkers: Readonly<Record<Language, string>> = {
  en: '',
  de: '|nee|doch|ach|also',
  es: String.raw`|pues|oye|mira|claro|vale|si(?=\s*,\s*(?:yo|me|soy|estoy|tengo|vivo|trabajo)(?!\p{L}))`,
  fr: String.raw`|non|ben|bon|alors|si(?=\s*,\s*(?:(?:je|on|nous|ils?|elles?)\s|[cj]['’]))`,
};
/** Matches a name with an apposition, "Ben, mein Bruder, wohnt in Kiel.", and not a call: "Mira, mi amor, ...". */
const apposition = String.raw`(?:ben|mira)\s*,\s*(?:my|mein|mi|mon|ma)\p{L}{0,2}(?!\s(?:amor|vida|cielo),)(?:\s\p{L}+){1,3},`;
const foreignIn = (language: Language) =>
  new RegExp(
    String.raw`^(?:(?!${apposition})(?:${foreignMarkers}${ambiguousMarkers[language]})\s*[,:!—–-]+\s*|(?:fíjese|fíjate|resulta) que\s+)`,
    'iu',
  );
/** Matches markers in a sentence of each language: "Oui, je suis comptable", "Fíjese que Beto se muda". */
const foreign: Readonly<Record<Language, RegExp>> = {
  en: foreignIn('en'),
  de: foreignIn('de'),
  es: foreignIn('es'),
  fr: foreignIn('fr'),
};
/** English markers that say something in French and German: "Plus de viande pour moi", "so gegen neun". */
const falseFriend = /^(?:plus|so)\s+$/iu;
/** Matches a greeting with a name, which is told by its capital: "Hi Ada,", "Bonjour Claire,". */
const greeting = new RegExp(String.raw`^${addressSource}\s*[,:!—–-]+\s*`, 'u');
// "Quick note for the file:", "Just confirmed:", "Update on the move:", "For context:"
const label =
  /^(?:(?:[A-Za-z'’-]+\s){0,2}(?:confirmed|fact|note|update|reminder|news|heads[- ]up|correction|fyi|til)\b[^:.!?"]{0,50}|(?:(?:some|quick|brief|for|more|a bit of|a little) )?(?:context|background|intro(?:duction)?)|about (?:me|us)):\s+(?=\S)/iu;

/** Single words that are mostly discourse markers, in all the languages. */
export const discourseMarkerSource =
  'oh|ah|um|uh|hmm|yes|yeah|yep|no|nope|nah|ok|okay|well|honestly|actually|anyway|hi|hey|hello|thanks|please|lol|haha|ja|nein|nö|ne|na|jo|sí|si|oui|non|bon|bueno';

/** Splits discourse markers, such as "Oh, by the way,", off a sentence, and leaves both parts verbatim. */
export function splitDiscourseMarkers(sentence: string): { markers: string; rest: string } {
  let rest = sentence;
  for (let round = 0; round < 3; round += 1) {
    const language = languageOf(rest);
    const [found] = label.exec(rest) ?? english.exec(rest) ?? foreign[language].exec(rest) ?? greeting.exec(rest) ?? [];
    if (!found || rest.length - found.length < 5 || (falseFriend.test(found) && language !== 'en')) break;
    rest = rest.slice(found.length);
  }
  return { markers: sentence.slice(0, sentence.length - rest.length), rest };
}
