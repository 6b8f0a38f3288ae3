import type { Turn } from '../candidate.ts';

/** "Let's role-play", at the beginning of a turn: elsewhere people tell of role-plays. */
const invitation =
  /^(?:(?:ok(?:ay)?|hey|hi|hello|so|now|please|alright|great)[,.!]?\s+)*(?:(?:let['’]?s|can we|could we|shall we|i want to|i['’]d like to) (?:do (?:a |some |an? \p{L}+ )?)?role[- ]?play(?:ing)?|(?:lass uns|machen wir|spielen wir) (?:\p{L}+ )?rollenspiel|(?:hagamos|vamos a hacer) un juego de rol|(?:faisons|on fait) un jeu de rôle)(?!\p{L})/iu;
/** Matches an invitation to a game. Without one, "you are a star and I am a wreck" is about real life. */
const opening = String.raw`(?:let['’]?s play|pretend|act (?:like|as (?:if|though))|tu (?:mal )?so|(?:lass uns|wir) spielen|spielen wir|finge|haz como|vamos a jugar|juguemos|fais comme si|on joue)`;
const yourPart = String.raw`(?:you(?:['’]re| are| were)|du|tú(?: eres| fueras)?|tu(?: étais| es)?|eres|fueras)\s`;
const myPart = String.raw`(?:I(?:['’]m| am| was) (?:an?|the|your)|ich (?:bin|wäre|hätte)|yo (?:soy|fuera|tengo)|(?:moi )?j(?:e suis|['’]étais|['’]avais))\s`;
const thenSource = String.raw`[^.!?\n]*(?:,|\s(?:and|und|y|et))\s(?:that |que )?`;
/** A part for each: "you are the interviewer and I am the manager". "Pretend you're a pirate" has one. */
const partsForBoth = new RegExp(
  String.raw`(?<!\p{L})${opening}[ ,:][^.!?\n]{0,20}?(?<!\p{L})(?:${yourPart}${thenSource}${myPart}|${myPart}${thenSource}${yourPart})`,
  'iu',
);
/** "Let's write a story together. I'm Captain Vane": a story that is told by those who are in it. */
const ownPartInStory =
  /(?:[Ll]et['’]?s|[Cc]an we|[Cc]ould we|[Ss]hall we) (?:write|tell|make up|play|start|do) (?:\p{L}+ ){1,3}(?:story|adventure|scene|campaign)(?!\p{L})[^\n]{0,80}?(?<!\p{L})(?:I['’]m|I am|I['’]ll be|I play) (?:the |\p{Lu})/u;
const ending =
  /^(?:haha[^.!?\n]*[.!] )?(?:(?:ok(?:ay)?|right|alright|so|(?:ha|ja){2,}|gut|vale|bon|bueno)[,.!]? )*(?:stop|enough|that['’]?s (?:enough|it)|(?:the )?end of|end (?:the )?(?:scene|game|role[- ]?play)|game over|let['’]?s (?:stop|end)|(?:back to|in) real(?:ity| life)|out of character|ooc|(?:(?:thanks|thank you)[,. ]*)?(?:that|this) was (?:great|good|fun|helpful|useful)|schluss|ende|genug|das reicht|basta|ya(?: está)?|fin|ça suffit|on arrête)(?!\p{L})/iu;

/** A part is seldom played longer; afterwards somebody may have gone back to their own life without a word. */
const mostTurns = 12;

/**
 * Returns a test of whether a turn of a chat belongs to a role-play; call it for each turn, in order. What a user says
 * in one is not their own.
 */
export function rolePlayTracker(): (turn: Pick<Turn, 'role' | 'content'>) => boolean {
  let turnsLeft = 0;
  return ({ role, content }) => {
    if (role !== 'user') return false;
    if ([invitation, partsForBoth, ownPartInStory].some((pattern) => pattern.test(content))) turnsLeft = mostTurns;
    else if (ending.test(content)) turnsLeft = 0;
    else turnsLeft = Math.max(0, turnsLeft - 1);
    return turnsLeft > 0;
  };
}
