// "Remember that ..." and "..., please remember that" ask to keep what they stand beside, and are no part of it: with
// them a statement looks like a request for now. In English, German, Spanish and French.

const please = String.raw`(?:please|pls|bitte|por favor|s['’]il (?:te|vous) pla[iî]t|stp|svp)`;
const asked = `(?:${please},?\\s|(?:can|could|will|would) you\\s|i (?:want|need) you to\\s)*`;

const english = String.raw`(?:(?:always )?remember|(?:do not|don['’]?t|never) forget|(?:keep|bear) in mind|(?:make a )?note)`;
const german = String.raw`(?:(?:vergiss|vergesst|vergessen sie)(?: bitte)? nicht|merke? (?:dir|dich)|merken sie sich|denke? (?:bitte )?daran|notiere? dir)`;
const spanish = String.raw`(?:recuerd[ae]|acuérdate(?: de)?|acuérdese de|(?:ten|tenga) en cuenta|no (?:te |se )?olvides?|apunt[ae]|anot[ae])`;
const french = String.raw`(?:n['’]oublie[sz]? (?:pas|jamais)|souviens-toi|souvenez-vous|rappelle-toi|rappelez-vous|retiens|retenez|note[sz]?)(?: bien)?`;

/** Matches a request before "that" or a colon; in English also before "I" or "my", as "that" is often left out. */
const before = new RegExp(
  String.raw`^${asked}(?:${english}(?:\sthis)?|${german}|${spanish}|${french})(?:,?\s${please})?(?:\s*:\s+|,?\s+(?:that\s+|dass\s+|que\s+|qu['’])|(?<=\b(?:remember|forget|mind|note)),?\s+(?=(?:i|we|my|our)\b(?=.*\s(?:is|are|am|was|were|has|have|had|do|does|did|\p{L}+n['’]?t|can|will)\s|i['’]?(?:m|ve)\s)))`,
  'iu',
);
const englishBehind = String.raw`${english}(?: (?:that|this|it))?(?: for (?:me|us|later|next time|the future))*`;
const germanBehind = String.raw`(?:merke? dir (?:das|es)|vergiss (?:das|es)(?: bitte)? nicht|denke? (?:bitte )?daran|(?:nicht vergessen|merken|notieren))`;
const spanishBehind = String.raw`(?:recu[eé]rd[ae]lo|acuérdate(?: de (?:eso|esto|ello))?|no (?:lo|te) olvides?|ap[uú]nt[ae]lo|an[oó]t[ae]lo|t[eé]n(?:ga)?lo en cuenta)`;
const frenchBehind = String.raw`(?:n['’]oublie[sz]? pas|ne l['’]oublie[sz]? pas|souviens-t['’]en|souvenez-vous-en|retiens-le|retenez-le|note[sz]?-le)`;
const anyBehind = [englishBehind, germanBehind, spanishBehind, frenchBehind].join('|');
/** A request at the end, behind a mark or with a "please": "films that I watch and remember" is none. */
const behind = new RegExp(
  String.raw`(?:\s*[,;–—-]\s*(?:(?:and|so|und|y|et)\s)?|\s(?:(?:and|so|und|y|et)\s)?(?=${please}\s|\p{L}+ (?:that|this|it) ${please}))${asked}(?:${anyBehind})(?:,?\s(?:${please}|ok(?:ay)?|thanks|thank you|danke|gracias|merci))*(?<end>[.!?…\s]*)$`,
  'iu',
);
const alone = new RegExp(String.raw`^[\s–—-]*${asked}(?:${anyBehind})(?:,?\s${please})?[.!?\s]*$`, 'iu');

/** Excludes a text of two clauses, each with a verb of its own: "ich in Graz wohne und Katzen habe". */
const oneClause = String.raw`(?!.*(?<!\p{L})(?:und|oder|aber)(?!\p{L}))`;
/** Matches a separable verb, whose prefix moves in a main clause: "aufstehe" is "stehe um sechs auf". */
const separable = String.raw`(?:ab|an|auf|aus|ein|mit|nach|um|vor|weg|zu|zurück)\p{L}{3}`;
/** In German the verb stands last behind "dass": "ich keine Nüsse esse" is "ich esse keine Nüsse" by itself. */
const verbLast = new RegExp(
  String.raw`^${oneClause}(?<subject>ich|wir|(?:mein|unser)e? \p{Lu}\p{L}+) (?<rest>[^,;:]+) (?<verb>(?!${separable})\p{Ll}+)(?=[.!]?$)`,
  'iu',
);

/** A statement without the words that ask to remember it, and how many characters of them stood before it. */
export interface StatementWithoutRequest {
  readonly text: string;
  readonly cutBefore: number;
  readonly isAskedToRemember: boolean;
}

/** Cuts the request to remember off from what is to be remembered; a question that only looks like one stays. */
export function withoutRequestToRemember(sentence: string): StatementWithoutRequest {
  const whole = { text: sentence, cutBefore: 0, isAskedToRemember: false };
  const request = before.exec(sentence)?.[0] ?? '';
  const ending = request ? undefined : behind.exec(sentence);
  const isQuestion = /\?\W*$/u.test(sentence) && !/\byou\b/iu.test(request || (ending?.[0] ?? ''));
  if (isQuestion || !(request || ending)) return whole;
  if (ending && !/[\p{L}\p{N}]/u.test(sentence.slice(0, ending.index))) return whole;
  const rest = ending
    ? sentence.slice(0, ending.index) + (ending.groups?.['end'] ? '.' : '')
    : sentence.slice(request.length).replace(/\?+$/u, '.');
  const text = /\bdass\s+$/iu.test(request) ? rest.replace(verbLast, '$<subject> $<verb> $<rest>') : rest;
  return { text, cutBefore: request.length, isAskedToRemember: true };
}

/** "Please remember that.": asks to remember what was said right before it. */
export const asksToRemember = (sentence: string): boolean => alone.test(sentence);
