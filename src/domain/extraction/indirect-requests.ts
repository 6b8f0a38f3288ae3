/** Matches a request to be reminded of something, and not to be told again: "remind me what my doctor said". */
export const remindMeSource = String.raw`remind me (?!(?:what|when|where|who|whose|which|why|how|if|whether)\b)`;

const request = /^(?:can|could|would|will) you (?:please )?(?<order>.+?)(?:,? please)?\?$/iu;
/** Orders that hold from then on, or fall due later. Others ask for something at once. */
const lastingOrders: readonly RegExp[] = [
  /^(?:always|never)\b/iu,
  /\b(?:from now on|going forward|in (?:the )?future|every time)\b/iu,
  /^(?:keep|make|give|write|end|start|put)\b.*\byour (?:answers|replies|responses|messages|explanations)\b/iu,
  /^call me \p{Lu}/u,
  new RegExp(`^${remindMeSource}`, 'iu'),
];
/** Verbs that ask for an answer, whatever else the question says: "Can you tell me why my car never starts?". */
const answer = /^(?:explain|tell me|help|say)\b/iu;

/** The lasting order in a polite question: "Always end with ..." of "Could you always end with a summary?". */
export function lastingOrderIn(question: string): string | undefined {
  const order = request.exec(question)?.groups?.['order'];
  if (!order || answer.test(order) || !lastingOrders.some((pattern) => pattern.test(order))) return undefined;
  return `${order.replace(/^./u, (first) => first.toUpperCase())}.`;
}
