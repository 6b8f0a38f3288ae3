import type { Turn } from '../candidate.ts';

/** "Let's role-play", at the beginning of a turn: elsewhere people tell of role-plays. */
const invitation =
  /^(?:(?:ok(?:ay)?|hey|hi|hello|so|now|please|alright|great)[,.!]?\s+)*(?:(?:let['’]?s|can we|could we|shall we|i want to|i['’]d like to) (?:do (?:a |some |an? \p{L}+ )?)?role[- ]?play(?:ing)?|(?:lass uns|machen wir|spielen wir) (?:\p{L}+ )?rollenspiel|(?:hagamos|vamos a hacer) un juego de rol|(?:faisons|on fait) un jeu de rôle)(?!\p{L})/iu;
/** A part for each in one sentence: "you are the interviewer and I am the manager". "Pretend you're a pirate" has one. */
const partsForBoth =
  /(?<!\p{L})(?:(?:let['’]?s play|pretend|act (?:like|as (?:if|though)))[ ,:]+(?:that )?you(?:['’]re| are| were)\s[^.!?\n]*(?:,|\sand)\s(?:that )?I(?:['’]m| am| was) (?:an?|the|your)|tue? (?:mal )?so,? als (?:wärst|wärest) du\s[^.!?\n]*\sund ich (?:wäre|hätte|bin)|(?:finge|haz como) (?:que|si) (?:tú )?(?:eres|fueras)\s[^.!?\n]*\sy yo (?:soy|fuera|tengo)|fais comme si tu étais\s[^.!?\n]*\set (?:que )?(?:moi )?j(?:e suis|['’]étais|['’]avais))(?!\p{L})/iu;
const ending =
  /^(?:(?:ok(?:ay)?|right|alright|so|haha|gut|vale|bon|bueno)[,.!]? )*(?:stop|enough|that['’]?s (?:enough|it)|(?:the )?end of|end (?:the )?(?:scene|game|role[- ]?play)|game over|let['’]?s (?:stop|end)|(?:back to|in) real(?:ity| life)|out of character|ooc|(?:(?:thanks|thank you)[,. ]*)?(?:that|this) was (?:great|good|fun|helpful|useful)|schluss|ende|genug|das reicht|basta|ya está|fin|ça suffit|on arrête)(?!\p{L})/iu;

/** A part is seldom played longer; afterwards somebody may have gone back to their own life without a word. */
const mostTurns = 12;

/**
 * Returns a test of whether a turn of a chat belongs to a role-play; call it for each turn, in order. What a user says in
 * one is not their own.
 */
export function rolePlayTracker(): (turn: Pick<Turn, 'role' | 'content'>) => boolean {
  let turnsLeft = 0;
  return ({ role, content }) => {
    if (role !== 'user') return false;
    if (invitation.test(content) || partsForBoth.test(content)) turnsLeft = mostTurns;
    else if (ending.test(content)) turnsLeft = 0;
    else turnsLeft = Math.max(0, turnsLeft - 1);
    return turnsLeft > 0;
  };
}
