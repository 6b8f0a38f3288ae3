import { limits } from '../../limits.ts';
import type { DocumentPart } from './document-part.ts';

const clock = String.raw`\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?`;
// "Ada: text", "[00:12:03] Ada Byron: text", "Ada (00:12): text", "<v Ada>text"
const spoken = new RegExp(
  String.raw`^[ \t]*(?:[[(]?(?<before>${clock})[\])]?[ \t]*[-–]?[ \t]*)?(?:<v (?<voice>[^>\n]{1,60})>|(?<label>\p{L}[\p{L}\p{N}.'’-]*(?: [\p{L}\p{N}.'’()-]+){0,3}?)(?: [[(](?<after>${clock})[\])])?:)[ \t]*`,
  'u',
);
const cue = new RegExp(String.raw`^(?<before>${clock}) --> ${clock}.*$|^WEBVTT\b.*$|^(?:NOTE|STYLE)\b.*$|^\d+$`, 'u');
const noSpeaker =
  /^(?:note|notes|action|actions|action items?|agenda|date|time|location|attendees|participants|present|subject|topic|title|summary|decision|decisions|todo|to-do|next steps?|re|fwd|from|to|cc|status|priority|ticket|id|url|https?|warning|error|p\.?s\.?)$/iu;
const asker = /^(?:user|human|customer|client|requester|caller|me|you)$/iu;
const helper =
  /^(?:assistant|ai|bot|chatbot|system|agent|support|support agent|operator|representative|rep|helpdesk)$/iu;

/**
 * The turns of a text that names its speakers line by line; null when it does not. What stands before the first speaker
 * is left to nobody, and so is, as one more turn, what stands behind as many turns as a document may have. With
 * `onlyRoles`, speakers are "User" and "Assistant" and their like, and no names.
 */
export function parseTranscript(
  text: string,
  startedAt: Date,
  { onlyRoles }: { onlyRoles: boolean },
): DocumentPart[] | null {
  const pieces: (DocumentPart & { start: number; end: number })[] = [];
  let from = 0;
  let heard: string | undefined;
  let isOpen = false;
  let firstAt = -1;
  for (let end; from <= text.length && pieces.length <= limits.turns.max; from = end + 1) {
    end = text.indexOf('\n', from);
    if (end < 0) end = text.length;
    const line = text.slice(from, end);
    const timing = cue.exec(line.trim());
    const found = timing ? null : spoken.exec(line);
    const label = (found?.groups?.['voice'] ?? found?.groups?.['label'] ?? '').trim();
    if (timing) {
      heard = timing.groups?.['before'] ?? heard;
      isOpen = false;
    } else if (found && isSpeaker(label, onlyRoles)) {
      if (firstAt < 0) firstAt = from;
      const time = found.groups?.['before'] ?? found.groups?.['after'] ?? heard;
      pieces.push({ ...speakerOf(label), ...atOf(time, startedAt), content: '', start: from + found[0].length, end });
      isOpen = true;
    } else if (isOpen) {
      pieces.at(-1)!.end = end;
    } else if (pieces.length && line.trim()) {
      // After a cue without a name, whoever spoke goes on.
      const { content: _, ...last } = pieces.at(-1)!;
      pieces.push({ ...last, content: '', start: from, end });
      isOpen = true;
    }
  }
  const isOneSaying = pieces.length === 1 && onlyRoles && firstAt === 0; // "User: ...", and nothing else
  if (pieces.length < 2 && !isOneSaying) return null;
  const opening = text
    .slice(0, firstAt)
    .split('\n')
    .filter((line) => !cue.test(line.trim()))
    .join('\n');
  const before = opening.trim() && text.includes(opening) ? [{ content: opening.trim() }] : [];
  const said = pieces
    .map((piece) => ({ ...piece, content: contentOf(text.slice(piece.start, piece.end)) }))
    .filter(({ content }) => content);
  const kept = said.slice(0, limits.turns.max - before.length);
  const isMore = from < text.length || said.length > kept.length;
  const rest = isMore ? text.slice(kept.at(-1)?.end ?? from).trim() : '';
  return [
    ...before,
    ...kept.map(({ start: _start, end: _end, ...piece }) => piece),
    ...(rest ? [{ content: rest }] : []),
  ];
}

const contentOf = (said: string): string => said.replace(/<\/v>\s*$/u, '').trim();

function isSpeaker(label: string, onlyRoles: boolean): boolean {
  if (!label || noSpeaker.test(label)) return false;
  return asker.test(label) || helper.test(label) || (!onlyRoles && /^\p{Lu}/u.test(label));
}

function speakerOf(label: string): Pick<DocumentPart, 'role' | 'name'> {
  if (helper.test(label)) return { role: 'assistant' };
  return asker.test(label) ? { role: 'user' } : { role: 'user', name: label };
}

/** A clock counts from the start. */
function atOf(time: string | undefined, startedAt: Date): { at?: Date } {
  if (!time) return {};
  const parts = time
    .replace(/[.,]\d+$/u, '')
    .split(':')
    .map(Number);
  const seconds = parts.reduce((sum, part) => sum * 60 + part, 0);
  return { at: new Date(startedAt.getTime() + seconds * 1000) };
}
