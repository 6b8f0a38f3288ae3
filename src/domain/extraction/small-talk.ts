// Each phrase is words in lower case, without punctuation; `(a|b)` are alternatives and a leading `?` makes a word
// optional. A turn that can be laid out with such phrases alone says nothing.
const phrases = `
  (hi|hello|hey|hiya|howdy|greetings|yo) ?(there|again|everyone|all|folks|guys|team|you)
  ?a ?very good (morning|afternoon|evening|day|night) ?(everyone|all|to) ?you
  (morning|afternoon|evening|gday|goodnight) ?(everyone|all)
  welcome ?back ?again
  (its|it is) ?(just|only) me ?again
  (im|i am) back ?again
  how (are|is) (you|everything|things|it|life) ?(doing|going|been|today) ?today
  how have you been ?lately
  (hows|how) (it|everything|life|things) ?(is|going|with) ?(going|you)
  how (do|can|may|could) (i|we) (help|assist) ?you ?(today|now|further|with) ?(today|that|this) ?today
  what can (i|we) (do|help) ?(for|you) ?(you|with) ?today
  what is up
  whats (up|new)
  (nice|good|great|lovely) to (see|meet|hear|have) ?(you|from) ?(you|too|back|again) ?(too|again)
  long time no see
  (bye|goodbye|cheerio|farewell|ciao|adieu) ?bye ?(for|everyone|all) ?now
  (see|talk|speak|catch) ?(to|with|up) ?(you|ya|u) ?(later|soon|tomorrow|then|again|around|next) ?(soon|then|time)
  ?(talk|see) (later|soon)
  (take|until) (care|then|tomorrow|later)
  have a ?(good|great|nice|lovely|wonderful) (day|one|night|evening|weekend|time) ?(too|ahead)
  (sleep|rest) well
  sweet dreams
  are you (there|here|still) ?(there|here)
  (until|till) next time
  (ok|okay|k|kk|okey|alright|right|sure|yes|yeah|yep|yup|no|nope|nah|indeed|exactly|absolutely|definitely|certainly) ?(then|thing|so)
  (of) course
  (thanks|thx|ty|cheers) ?(a|so|very|again|for) ?(lot|much|bunch|ton|million|everything|that|this|your|the|all) ?(again|help|info|information)
  ?(many|ok|okay) thanks ?again
  (thank) you ?(so|very|again|for|too) ?(much|that|this|everything|your|the|all) ?(again|help|info|indeed) ?again
  ?(i|ive|i have) (got|get) (it|that|you)
  gotcha
  (sounds|looks|seems|works|thats|that|this|it|its|all|very|so|is|was|really|just|pretty) ?(is|was|sounds|looks|works|so|really|very|all|for) (good|great|fine|perfect|right|true|lovely|nice|cool|awesome|amazing|wonderful|excellent|fair|correct|helpful|interesting|funny|me) ?(to|for) ?me
  (good|great|fine|perfect|nice|cool|awesome|amazing|wonderful|excellent|brilliant|lovely|super|sweet|wow|haha|lol|ha|hmm|hm|oh|ah|aha|um|uh|well|so|and|fair|correct|true|interesting|noted|understood|agreed|done|deal|ditto|same|again) ?(enough|job|work|idea|point|one|here|stuff|plan|choice|news|luck)
  ?(its|it is|that is|thats) ?(no|not) ?a (problem|problems|worries|worry|bother|big|trouble) ?(deal|at) ?all
  no (problem|problems|worries|worry|bother|trouble|big) ?(deal|at) ?all
  (will) do ?(that|so)
  (i|we) (will|can) do ?(that|so)
  (makes|make) ?(perfect|total) sense
  that makes ?(perfect|total) sense
  (youre|you are|ur) ?(very|most|so) welcome
  (my|a) pleasure
  (not) at all
  anytime ?at ?all
  ?(im|i am) (happy|glad) to ?(help|hear|assist) ?(that|it|you)
  (happy|glad) (i|we) could help
  (i) see
  i (understand|agree|know) ?(that|completely|totally)
  (im|i am) (good|fine|well|great|ok|okay) ?(thanks|thank) ?you
  (and) you
  (is there|anything) anything ?(else) ?(i|you|we) ?(can|need|want|would|could) ?(help|do|like|to) ?(you|for|know) ?(with|you) ?today
  (is there) anything else
  anything else ?(i|you|we) ?(can|need|want|would) ?(help|do|like) ?(you|for|to) ?(with|you|know) ?today
  let me know ?(if|when) ?(you|there|theres) ?(need|have|is) ?(anything|any|further|more) ?(else|questions|help)
  feel free to (ask|reach) ?(out|me|any) ?(anytime|questions|more)
  (go|carry) (ahead|on)
  please do
  (please) ?(continue|proceed)
  (one|just) ?a (moment|second|minute|sec) ?please
  never mind
  (you|u) too
  (all) (set|good|right|clear)
  (keep) it up
  (hallo|moin|servus|tschüss|ciao|grüezi) ?(zusammen|alle|ihr|moin)
  (guten|gute) (morgen|tag|abend|nacht) ?zusammen
  (danke|bitte|dankeschön) ?(dir|ihnen|euch|sehr|schön|nochmal|vielmals)
  (vielen) dank ?(dir|ihnen|für|auch) ?(alles|alle|hilfe)
  (bis) (bald|später|morgen|dann|gleich)
  (wie) (gehts|geht) ?(es|dir|ihnen) ?(dir|ihnen) ?heute
  (wobei|womit|wie) (kann|darf) ich ?(dir|ihnen|euch) ?(heute|weiter) (helfen|weiterhelfen)
  (was) kann ich ?(heute) für (dich|sie|euch) tun
  (auf) wiedersehen
  (hola|buenas|adiós) ?(a|de) ?(todos|todas|nuevo)
  (buenos|buenas) (días|tardes|noches) ?(a) ?(todos|todas)
  ?(muchas|mil) gracias ?(por|a) ?(todo|ti|usted)
  (de) nada
  (hasta) (luego|mañana|pronto|la) ?(vista|próxima)
  (qué|cómo) (tal|estás|está|vas) ?(hoy|todo)
  ?(en) (qué|cómo) ?(te|le|les) (puedo|ayudo) ?(ayudar|ayudarte|ayudarle|ayudarles) ?hoy
  (bonjour|bonsoir|salut|coucou) ?(à) ?(tous|toutes|tout) ?(le) ?(monde)
  (merci) ?(beaucoup|bien|encore|infiniment)
  (bonne) (journée|soirée|nuit|matinée)
  (à) (bientôt|demain|plus|tout) ?(tard|lheure)
  ?(en) (comment|quoi) (puis|peux) je ?(vous) (aider|taider) ?(aujourdhui)
  (au) revoir
  (ça|comment) (va|vas) ?(bien|tu|et) ?(toi|aujourdhui)
`;

const greeting =
  '[Hh]i|[Hh]ello|[Hh]ey|[Gg]ood (?:morning|afternoon|evening)|[Hh]allo|[Mm]oin|[Ss]ervus|[Gg]uten (?:Morgen|Tag|Abend)|[Hh]ola|[Bb]uen[ao]s (?:días|tardes|noches)|[Bb]onjour|[Bb]onsoir|[Ss]alut|[Cc]oucou';
const englishThanks = '[Tt]hanks|[Tt]hank you';
const thanksOrFarewell = `${englishThanks}|[Dd]anke|[Gg]racias|[Mm]erci|[Bb]ye|[Gg]oodbye|[Tt]schüss|[Aa]diós`;
const title = '(?:[Mm]rs?|[Mm]s|[Dd]r|Frau|Herr|Señora?|[Mm]adame|[Mm]onsieur)\\.?';
const name = `(?:${title} )?\\p{Lu}[\\p{L}'’-]+`;
/** Matches one or two names of people who are addressed: "Frau Schmidt", "Ana and Ben". */
const addressee = `${name}(?:\\s+(?:and|und|y|et)\\s+${name})?`;
/** A greeting, or thanks, at the head of a sentence, with whom it is for: "Guten Morgen Frau Schmidt". */
export const addressSource = `(?:${greeting}|[Yy]o|${englishThanks}),?\\s+${addressee}`;
const addressed = new RegExp(
  `(?<!\\p{L})(?:(${greeting}|${thanksOrFarewell}),?\\s+${addressee}|(${greeting})\\s+\\p{Ll}+)(?=\\s*(?:[,.!?…]|$))`,
  'gu',
);

type Slot = { options: readonly (readonly string[])[]; isOptional: boolean };

/** The phrases by their first word. */
const compiled = new Map<string, (readonly Slot[])[]>();
for (const line of phrases.trim().split('\n')) addPhrase(line.trim());

function addPhrase(line: string): void {
  const slots = (line.match(/\??\([^)]*\)|\S+/gu) ?? []).map((part) => ({
    isOptional: part.startsWith('?'),
    options: part
      .replace(/^\?|[()]/gu, '')
      .split('|')
      .map((option) => option.split(' ')),
  }));
  for (let first = 0; first < slots.length; first += 1) {
    for (const [word = ''] of slots[first]?.options ?? []) {
      const existing = compiled.get(word);
      if (existing) existing.push(slots.slice(first));
      else compiled.set(word, [slots.slice(first)]);
    }
    if (!slots[first]?.isOptional) break;
  }
}

const longestWords = 30;

/** Removes the name of who is greeted or thanked: "Hallo Jonas!", "Thanks Claude." */
export const withoutAddressee = (text: string): string => text.replace(addressed, '$1$2');

/** Whether the text consists of such phrases and nothing else. */
export function isSmallTalk(text: string): boolean {
  const words = wordsOf(text);
  if (words.length === 0 || words.length > longestWords) return false;
  // The numbers of first words that can be laid out with phrases.
  const ends = new Set([0]);
  for (let from = 0; from < words.length; from += 1) {
    if (!ends.has(from)) continue;
    for (const slots of compiled.get(words[from]!) ?? []) for (const end of endsOf(slots, words, from)) ends.add(end);
  }
  return ends.has(words.length);
}

function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/['’]/gu, '')
    .replace(/\p{Extended_Pictographic}/gu, ' ');
  if (/[^\s\p{L}\p{M}\p{P}\p{S}\p{Cf}]/u.test(plain)) return []; // a digit says something
  return plain.match(/[\p{L}\p{M}]+/gu) ?? [];
}

/** The places at which the phrase can end when it starts at `from`. */
function endsOf(slots: readonly Slot[], words: readonly string[], from: number): Set<number> {
  let places = new Set([from]);
  for (const { options, isOptional } of slots) {
    const next = new Set(isOptional ? places : []);
    for (const place of places) {
      for (const option of options) {
        if (option.every((word, offset) => words[place + offset] === word)) next.add(place + option.length);
      }
    }
    places = next;
  }
  places.delete(from);
  return places;
}

const laughter = '(?:a?(?:ha){2,}h?|(?:ja){3,}|hehe|lmao|rofl)';
/** Matches laughter at the head or the end. At the end, "lol" is often no more than a full stop. */
const laughing = new RegExp(
  String.raw`^\W*(?:${laughter}|lol)\b(?!\W*(?:yes|yeah|ok|okay|please|no)\b)|\s${laughter}[\s\p{P}\p{S}]*$`,
  'iu',
);

/** Whether somebody laughs at their own words, so that an order among them is none. */
export const isJoking = (text: string): boolean => laughing.test(text);
