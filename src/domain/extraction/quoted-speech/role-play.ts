import type { Turn } from '../candidate.ts';

const named =
  /\brole-?play(?:ing)?\b(?! (?:games?|groups?|club|nights?|community))|\b(?:let['’]?s|shall we|can we|could we) (?:pretend|act out)\b|(?<!\p{L})(?:(?:lass uns|machen wir|spielen wir) (?:\p{L}+ )?rollenspiel|hagamos (?:un juego de rol|como que)|(?:faisons|on fait) un jeu de rôle)(?!\p{L})/iu;
const partOfOther =
  /(?<!\p{L})(?:(?:let['’]?s play|pretend|act (?:as (?:if|though)|like))[ ,:]+(?:that )?(?:you(?:['’]re| are| were)|u r)|let['’]?s play[ ,:]+you|you (?:play|be) (?:an?|the|my)|(?:tu|tue) (?:mal )?so,? als (?:wärst|wäre) (?:du|ich)|du (?:bist|spielst) jetzt|(?:finge|haz como) (?:que|si) (?:eres|fueras)|juguemos,? tú eres|fais comme si tu étais)(?!\p{L})/iu;
const ownPart =
  /(?<!\p{L})(?:I(?:['’]m| am| play|['’]ll be| will be) (?:an?|the|your|mr|mrs|ms|dr)|(?:und )?ich (?:bin|wäre|spiele|hätte)|ich wäre|y yo (?:soy|tengo)|yo soy|(?:et )?(?:moi )?je suis|j['’]ai)(?!\p{L})/iu;
const ended =
  /^(?:(?:ok(?:ay)?|right|alright|so|haha|gut|vale|bon|bueno)[,.!]? )*(?:stop\b|enough\b|that['’]?s (?:enough|it)\b|(?:the )?end of|end (?:the )?(?:scene|game|role-?play)|game over|let['’]?s (?:stop|end)|(?:back to|in) real(?:ity| life)|out of character|ooc\b|(?:thanks|thank you)?[,. ]*(?:that|this) was (?:great|good|fun|helpful|useful)|schluss|ende\b|genug|das reicht|basta|ya está|fin\b|ça suffit|on arrête)/iu;

/** A part is seldom played longer; afterwards somebody may have gone back to their own life without a word. */
const turnsAtMost = 12;

/**
 * Whether turns are said in a part that is played, asked in order: "You are a hotel clerk, I'm a guest" begins a play
 * where both have parts, and "stop" or "that was fun" ends it. What is said in it is nobody's own.
 */
export function rolePlayTracker(): (turn: Pick<Turn, 'role' | 'content'>) => boolean {
  let left = 0;
  return ({ role, content }) => {
    if (role !== 'user') return false;
    if (named.test(content) || (partOfOther.test(content) && ownPart.test(content))) left = turnsAtMost;
    else if (ended.test(content)) left = 0;
    else left = Math.max(0, left - 1);
    return left > 0;
  };
}
