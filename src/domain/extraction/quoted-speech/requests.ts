/** The place of the text that a request is about. */
type Place =
  | 'sentence' // the rest of its sentence: "an email saying …"
  | 'spoken' // its line, or else all below: "she said: …"
  | 'behind' // all behind its words: "translate: …"
  | 'below' // the lines below: "she wrote me this"
  | 'around' // the lines below, or else those above: "translate this"
  | 'nowhere'; // but a letter may stand in the turn

/** A request to do something with a text, or an announcement that somebody else's text follows. */
export interface TextRequest {
  /** The place of the request, from its "please, could you" to its colon. */
  start: number;
  end: number;
  place: Place;
}

const genre =
  '(?:e-?mails?|letters?|messages?|texts?|sms|posts?|tweets?|essays?|articles?|stor(?:y|ies)|tales?|poems?|haikus?|limericks?|songs?|lyrics|raps?|monologues?|dialogues?|speech(?:es)?|toasts?|scripts?|scenes?|sketch(?:es)?|plays?|novels?|chapters?|paragraphs?|sentences?|phrases?|quotes?|passages?|excerpts?|drafts?|translations?|transcripts?|captions?|reviews?|abstracts?|complaints?|invitations?|announcements?|jokes?|diary entr(?:y|ies)|blogs?|examples?|samples?|characters?|answers?|repl(?:y|ies)|responses?)';
const wording = '(?:grammar|spelling|punctuation|wording|phrasing|typos?|tone|prose|writing|english)';
const namesText = new RegExp(String.raw`\b(?:${genre}|${wording})\b(?! address)`, 'iu');
/** Texts that describe the requester, as lists of facts about them do. */
const tellsOfWriter =
  /\b(?:cvs?|r[eé]sum[eé]s?|bios?|biograph\w+|cover letters?|profiles?|applications?|introductions?|about (?:me|myself|us)|based on|using|from (?:my|these)|with (?:my|these)|given (?:that|my|these)|facts?|details?|information|background|notes|bullet points)\b/iu;

// A request is addressed to somebody: "I translate for a living" is none. White space is bounded wherever it is looked
// back over: each place of a long run of it would look back over all of it.
const asking = String.raw`(?<=^[ \t]{0,9}(?:[-*•][ \t]{1,9})?|[.!?,;:(—–-][ \t]{0,9}|\b(?:please|pls|kindly|just|now|you|me|help|to|and|then|let['’]s)[ \t]{1,9})`;
const polite =
  /^(?:(?:please|pls|kindly|just|now|then|and|so|ok|okay|hi|hey|hello|can|could|would|will|you|help|me|to|i|need|want|like|let|i['’]d|first|quickly|maybe)\b[\s,!'’-]*)*$/iu;
const object = String.raw`(?<object>[^.:!?\n]{0,120})(?<mark>:?)`;
const request = (words: string) => new RegExp(`${asking}${words}\\b${object}`, 'gimu');

const reworked = request(
  String.raw`(?:translate|proof-?read|re-?write|re-?phrase|re-?word|paraphrase|summari[sz]e|transcribe|(?:reply|respond) to|turn(?=[ \t]+(?:this|the following)\b)|make(?=[ \t]+(?:this|it|the following)[ \t]+(?:sound|read|more|less|shorter|longer|better)\b))`,
);
const mended = request(
  String.raw`(?:fix|correct|check|improve|edit|polish|shorten|review|critique|comment on|look (?:over|at)|read(?: over| through)?|format|continue|finish|complete|answer|clean up|tidy up|explain|analy[sz]e|interpret|what(?:['’]s| is) wrong with|is(?=[ \t]+(?:this|the following)\b))`,
);
const written = request(
  String.raw`(?:write|draft|compose|create|generate|invent|make up|come up with|(?:give|show|tell)(?=[ \t]+(?:me|us)\b))(?:[ \t]+(?:me|us|up|out|back))?[ \t]+(?:an?|the|some|another|my|our|one|two|three|\d)[ \t]+(?:(?!(?:about|for|from|to|where|that|saying)\b)[\p{L}'’-]+[ \t]+){0,4}?${genre}`,
);
const sent = request('(?:e-?mail|text|message|(?:reply|respond) to|write(?: back)?)');
/** "How should I answer?" */
const consulted = /\b(?:how|what)\b[^.:!?\n]{0,30}\b(?:answer|reply|respond|(?:write|say) back)\b/giu;
const pretended =
  /(?<=^[ \t]{0,9}|[.!?,][ \t]{1,9}|\b(?:let['’]?s|please|to|and|you)[ \t]{1,9})(?:pretend|role-?play|act as (?:if|though)|(?:imagine|suppose)(?=[ \t]+(?:that|if|I|we|you|an?)\b))/gimu;

const somebodySaid =
  /(?<!\b(?:I|we|you|nobody|no one)(?:['’](?:ve|d))?(?: (?:have|had|just|also|already|once|then))? )\b(?:wrote|writes|said|says|texted|e-?mailed|messaged|replied|answered|posted|commented|tweeted|sent|told (?:me|us))\b(?<object>[^.:!?\n]{0,60})(?<mark>:?)/giu;
const textFrom = new RegExp(
  String.raw`\b${genre}[ \t]+(?:(?:that )?(?:I|we) (?:got|received)|(?:from|by)[ \t]+(?!(?:me|us)\b))[^.:!?\n]{0,50}:`,
  'gimu',
);
const exampleOf = /\b(?:examples?|samples?|templates?)\b[^.:!?\n]{0,30}:(?=[ \t]*$)/gimu;

const andItsContent =
  /\b(?:saying|(?:that|which) (?:says?|reads?|starts?|begins?|goes)|stating|explaining|announcing|claiming|telling (?!me\b)\p{L}+|where|in which|about (?:how|why|when)|as if|as though)\b/iu;
const following = /\b(?:the following|(?:text|lines?|message|letter|e-?mail) below)\b/iu;
const handedOver =
  /^(?: to (?:me|us)| me| us| my \p{L}+)* (?:this|the following)\b(?! (?:morning|week|month|year|spring|summer|autumn|winter|time)\b)/iu;
const firstPersonStart = /^\s*(?:my|our|me|us)\b/iu;
/** To whom a text goes says that it is one: "email my boss saying …". */
const toSomebody = /^(?: to)? (?:(?:my|our|the|his|her|their|him|them)\b|\p{Lu}\p{Ll})/u;
/** "I have to proofread it": a task of one's own, and nothing is handed over. */
const ownTask = /\b(?:I|we)\b[^.!?\n]{0,40}(?<!\byou )\bto\s*$/iu;

/** Whether the object of "translate" is a text: one pointed at, one named, or one in another language. */
const isText = (told: string): boolean =>
  /^\s*(?:["'“‘«„]|(?:this|that|these|those|it|the|his|her|their|into|to|from|for me|what)\b)/iu.test(told) ||
  (firstPersonStart.test(told) && namesText.test(told));

function placeOfGiven(told: string, mark: string): Place {
  if (/(?<!\p{L})["'“‘«„](?=\S)/u.test(told)) return 'sentence'; // it is quoted there
  return mark || following.test(told) ? 'behind' : 'around';
}

type Read = (told: string, mark: string, words: string) => Place | undefined;

const readings: readonly (readonly [RegExp, Read])[] = [
  [
    reworked,
    (told, mark) => {
      if (!(mark ? !firstPersonStart.test(told) || namesText.test(told) : isText(told))) return undefined;
      return tellsOfWriter.test(told) ? 'nowhere' : placeOfGiven(told, mark);
    },
  ],
  [
    mended,
    (told, mark, words) => {
      const [first = ''] = told.split(/,|\s(?:and|but|so)\s/u); // "fix this bug and review my text"
      const isOfText =
        namesText.test(first) || (/^(?:edit|polish|shorten)\b/iu.test(words) && /^ this\b(?! \p{L})/iu.test(first));
      if (!isOfText || tellsOfWriter.test(first)) return undefined;
      return mark || /^ (?:the|this|these|that|my|our|his|her|their|for|over)\b/iu.test(first)
        ? placeOfGiven(told, mark)
        : undefined;
    },
  ],
  [
    written,
    (told, mark, words) => {
      if (
        /^(?:give|show|tell)\b.*\b(?:answers?|repl\p{L}+|responses?|messages?|reviews?)$/iu.test(
          words.slice(0, words.length - told.length - mark.length),
        )
      )
        return undefined;
      if (tellsOfWriter.test(words)) return 'nowhere';
      if (andItsContent.test(told)) return 'sentence';
      return mark || following.test(told) ? 'behind' : /\b(?:to|like) this\b/iu.test(told) ? 'around' : 'nowhere';
    },
  ],
  [
    sent,
    (told, mark) => {
      if (!toSomebody.test(told)) return undefined;
      return mark ? 'behind' : /\bsaying\b/iu.test(told) ? 'sentence' : undefined;
    },
  ],
  [consulted, () => 'nowhere'],
  [pretended, () => 'sentence'],
  [somebodySaid, (told, mark) => (mark ? 'spoken' : handedOver.test(told) ? 'below' : undefined)],
  [textFrom, () => 'behind'],
  [exampleOf, () => 'behind'],
];

/** Finds the requests and announcements about texts in a turn, in order. */
export function findTextRequests(text: string): TextRequest[] {
  const requests = readings.flatMap(([pattern, read]) =>
    [...text.matchAll(pattern)].flatMap((match): TextRequest[] => {
      const [words] = match;
      const place = read(match.groups?.['object'] ?? '', words.endsWith(':') ? ':' : '', words);
      if (!place) return [];
      const isOwn = place === 'around' && ownTask.test(text.slice(Math.max(0, match.index - 60), match.index));
      const [start, end] = [startOf(text, match.index), match.index + words.length];
      return [{ start, end, place: isOwn ? 'nowhere' : place }];
    }),
  );
  return requests.toSorted((one, other) => one.start - other.start);
}

/** "Could you please" belongs to the request that it opens. */
function startOf(text: string, verb: number): number {
  const before = /[^.!?\n]*$/u.exec(text.slice(Math.max(0, verb - 80), verb))![0];
  return polite.test(before.trimStart()) ? verb - before.trimStart().length : verb;
}
