import { parseTime } from '../../dates/parse-time.ts';
import type { DocumentPart } from './document-part.ts';

const header = /^(?:[A-Z][A-Za-z-]{1,30}:[ \t]?.*(?:\r?\n[ \t]+\S.*)*\r?\n)+\r?\n?/u;
const forwarded =
  /^(?:-{2,}\s*(?:Original|Forwarded) [Mm]essage\s*-{2,}|Begin forwarded message:|_{8,}|From: .+\r?\n(?:Sent|Date): .+)/mu;
const attribution = /^[ \t]*On (?:[^\n]|\n(?!\n)){5,200}? wrote:[ \t]*$/mu;
const signature = /^(?:-- ?|Sent from my .{1,40}|Get Outlook for .{1,20})$/mu;
const signOff =
  /^(?:(?:best|kind|warm|many)(?: (?:regards|wishes|thanks))?|regards|cheers|thanks(?: again| a lot)?|thank you|sincerely|yours(?: \w+)?|all the best|love),?[ \t]*\r?\n(?:.{0,60}(?:\r?\n|$)){0,6}$/imu;

/** The writer's own words in a mail: without headers, the mails it answers, and the signature. */
export function parseEmail(text: string, receivedAt: Date): DocumentPart[] {
  const head = header.exec(text)?.[0] ?? '';
  const isHead = /^(?:From|To|Subject|Date|Sent):/imu.test(head);
  const shared = isHead ? sharedOf(head, receivedAt) : {};
  const body = isHead ? text.slice(head.length) : text;
  return ownParts(body).map((content) => ({ ...shared, content }));
}

function sharedOf(head: string, receivedAt: Date): Omit<DocumentPart, 'content'> {
  const field = (name: string) =>
    new RegExp(`^${name}:[ \\t]*(.*(?:\\r?\\n[ \\t]+.*)*)`, 'imu').exec(head)?.[1]?.replace(/\s+/gu, ' ').trim();
  const name = /^"?([^"<@]{2,80}?)"?\s*(?:<|$)/u.exec(field('From') ?? '')?.[1];
  const sent = parseTime(field('Date') ?? field('Sent') ?? '');
  const subject = field('Subject')?.replace(/^(?:(?:re|fwd?|aw|wg):\s*)+/iu, '');
  const isDated = !Number.isNaN(sent.getTime()) && sent <= receivedAt;
  return { ...(name ? { name } : {}), ...(isDated ? { at: sent } : {}), ...(subject ? { heading: subject } : {}) };
}

/** The stretches between what is quoted, as they stand. */
function ownParts(body: string): string[] {
  const end = Math.min(...[forwarded, signature, signOff].map((mark) => indexOf(mark, body)), endOfReply(body));
  return body
    .slice(0, end)
    .replace(attribution, (words) => words.replace(/[^\n]/gu, '\0'))
    .split(/(?:^[ \t]*>.*(?:\n|$)|^\0+(?:\n|$))+/mu)
    .map((part) => part.trim())
    .filter(Boolean);
}

const indexOf = (mark: RegExp, body: string): number => mark.exec(body)?.index ?? body.length;

/** "On Monday Ada wrote:" with nothing quoted by marks below: all below is hers. */
function endOfReply(body: string): number {
  const match = attribution.exec(body);
  if (!match) return body.length;
  const below = body.slice(match.index + match[0].length);
  return /^[ \t]*>/mu.test(below) ? body.length : match.index;
}
