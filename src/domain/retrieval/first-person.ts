const auxiliaries = 'do|does|did|is|was|has|have|had|can|could|will|would|should|may|might|must';
const firstPersonOf: Readonly<Record<string, string>> = { does: 'do', is: 'am', has: 'have' };
const inFirstPerson = (verb: string): string => firstPersonOf[verb.toLowerCase()] ?? verb;

// "The user" is matched where it names a person. "The user table" of somebody's software stays, and so does what "the
// user sees", which may be anybody's.
const possessive = /\b(?:(?:the|this) )?user['’]s(?=\s)/giu;
const inverted = new RegExp(String.raw`\b(${auxiliaries}) (?:the|this) user\b(?!['’-])`, 'giu');
const subject = new RegExp(
  String.raw`\b(?:the|this) user (?=(?:${auxiliaries}|likes?|loves?|hates?|prefers?|wants?|needs?|avoids?|lives?|works?|owns?|said|told|mentioned)\b)(?:(${auxiliaries})\b)?`,
  'giu',
);
const object = /\b(about|for|from|of|to|with) (?:the|this) user(?=\s*(?:[.,;:?!)]|$))/giu;

/**
 * A query that an agent asks of "the user" in the words of that user: "Where does the user live?" is "Where do I
 * live?". Memories say "I", and the models learnt from requests of people.
 */
export const askInFirstPerson = (query: string): string =>
  query
    .replace(possessive, 'my')
    .replace(inverted, (_, verb: string) => `${inFirstPerson(verb)} I`)
    .replace(subject, (_, verb: string | undefined) => (verb ? `I ${inFirstPerson(verb)}` : 'I '))
    .replace(object, (_, preposition: string) => `${preposition} me`);
