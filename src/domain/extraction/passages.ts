import { codeBlockSource } from '../language/code-blocks.ts';
import { splitSentences } from '../language/sentences.ts';
import type { TextSpan } from '../language/text-span.ts';

/** A verbatim part of a text, with its place in it. */
export interface Passage {
  content: string;
  start: number;
}

export interface PassageLimits {
  /** A text up to this length stays whole, in characters. */
  whole: number;
  /** The length that passages should have when the text is cut, in characters. */
  target: number;
}

/**
 * Cuts a long text at headings, paragraphs and sentences into passages of about the target length, verbatim. Code
 * blocks and tables stay whole up to twice the target, and are cut between lines; a sentence is cut only when it alone
 * is longer than a passage.
 */
export function splitIntoPassages(text: string, { whole, target }: PassageLimits): Passage[] {
  const end = text.trimEnd().length;
  if (text.trim().length <= whole) return text.trim() ? [passageIn(text, { start: 0, end })] : [];
  const parts = blocksOf(text).flatMap((block) => partsOf(text, block, target));
  const passages: TextSpan[] = [];
  for (const part of parts) {
    const last = passages.at(-1);
    const isFull = !last || part.end - last.start > target;
    const startsSection = last && isHeading(text.slice(part.start, part.end)) && last.end - last.start > target / 4;
    if (isFull || startsSection) passages.push({ ...part });
    else last.end = part.end;
  }
  return joinTail(passages, whole).map((span) => passageIn(text, span));
}

function passageIn(text: string, { start, end }: TextSpan): Passage {
  const content = text.slice(start, end);
  return { content: content.trim(), start: start + content.length - content.trimStart().length };
}

const isHeading = (block: string): boolean => /^\s*#{1,6}\s/u.test(block);

/** A short rest reads better with the passage before it. */
function joinTail(passages: TextSpan[], whole: number): TextSpan[] {
  const [before, last] = passages.slice(-2);
  if (!before || !last || last.end - last.start > whole / 6 || last.end - before.start > whole * 1.1) return passages;
  return [...passages.slice(0, -2), { start: before.start, end: last.end }];
}

const boundary = new RegExp(String.raw`${codeBlockSource}|\n\s*\n|\n(?=#{1,6}\s)`, 'gmu');

/** Paragraphs, headings and fenced code, in order; blank lines lie between them. */
function blocksOf(text: string): TextSpan[] {
  const blocks: TextSpan[] = [];
  let from = 0;
  for (const match of text.matchAll(boundary)) {
    blocks.push({ start: from, end: match.index });
    from = match.index + match[0].length;
    if (match[0].trim()) blocks.push({ start: match.index, end: from });
  }
  blocks.push({ start: from, end: text.length });
  return blocks.filter(({ start, end }) => text.slice(start, end).trim() !== '');
}

function partsOf(text: string, block: TextSpan, target: number): TextSpan[] {
  const raw = text.slice(block.start, block.end);
  const isOfLines = /^(?:```|~~~)|^\s*\|.*\|[ \t]*\n/u.test(raw.trimStart());
  if (raw.length <= (isOfLines ? 2 * target : target)) return [block];
  const starts = isOfLines ? lineStarts(raw) : splitSentences(raw).map((sentence) => sentence.start);
  const spans = [0, ...starts.filter((start) => start > 0)].map((start, n, all) => ({
    start: block.start + start,
    end: block.start + (all[n + 1] ?? raw.length),
  }));
  return spans.flatMap((span) => wordParts(text, span, target));
}

const lineStarts = (raw: string): number[] => [...raw.matchAll(/\n/gu)].map((match) => match.index + 1);

/** A sentence longer than a passage is cut at a space, or anywhere when it has none. */
function wordParts(text: string, span: TextSpan, target: number): TextSpan[] {
  const parts: TextSpan[] = [];
  let { start } = span;
  while (span.end - start > target) {
    // In this part alone: a text without spaces would be searched back to its beginning for each part.
    const space = text.slice(start, start + target + 1).lastIndexOf(' ');
    let end = start + (space > target / 2 ? space + 1 : target);
    if (/[\uDC00-\uDFFF]/u.test(text.charAt(end))) end += 1; // never inside a surrogate pair
    parts.push({ start, end });
    start = end;
  }
  return [...parts, { start, end: span.end }];
}
