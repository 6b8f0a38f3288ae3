import type { Nodes, Parent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { splitSentences } from '../language/sentences.ts';

/** A sentence, heading or list item of a use-case file. */
export interface UseCaseStatement {
  readonly text: string;
  /** The line in the file, from 1. */
  readonly line: number;
  readonly kind: 'heading' | 'item' | 'prose';
  /** The headings it stands under, the widest first. */
  readonly under: readonly string[];
  /** The item that this one explains: an item of a list within it. */
  readonly within?: string;
  /** The file's title and what it says first: what it is about. */
  readonly isOpening: boolean;
}

/** Reads the statements of a Markdown file in order. Code, HTML and rules across the page are left out. */
export function readUseCase(markdown: string): UseCaseStatement[] {
  const statements: Omit<UseCaseStatement, 'isOpening'>[] = [];
  const headings: { depth: number; text: string }[] = [];
  const add = (kind: UseCaseStatement['kind'], pieces: readonly Piece[], within?: string) => {
    const under = headings.map(({ text }) => text);
    for (const { text, line } of sentencesOf(pieces)) {
      statements.push({ text, line, kind, under, ...(within ? { within } : {}) });
    }
  };
  const visit = (node: Nodes, item?: string): void => {
    if (node.type === 'heading') {
      while (headings.length > 0 && headings.at(-1)!.depth >= node.depth) headings.pop();
      add('heading', piecesOf(node));
      headings.push({ depth: node.depth, text: wordsIn(node) });
    } else if (node.type === 'paragraph') {
      const pieces = piecesOf(node);
      if (pieces.every(({ text }) => text.startsWith('|'))) rowsOf(pieces).forEach((row) => add('item', [row]));
      else add('prose', pieces);
    } else if (node.type === 'listItem') {
      const [first, ...rest] = node.children;
      if (first?.type === 'paragraph') add('item', piecesOf(first), item);
      else if (first) visit(first, item);
      for (const child of rest) visit(child, first ? wordsIn(first) : item);
    } else if ('children' in node && node.type !== 'table') {
      for (const child of (node as Parent).children) visit(child, item);
    }
  };
  visit(fromMarkdown(markdown));
  const firstProse = statements.findIndex(({ kind }) => kind === 'prose');
  return statements.map((each, n) => ({
    ...each,
    isOpening: (each.kind === 'heading' && n === 0) || n === firstProse,
  }));
}

/** Text on one line of the file. */
interface Piece {
  readonly text: string;
  readonly line: number;
}

/** The lines of a paragraph, each with its number: a sentence is cited by the one it begins on. */
function piecesOf(node: Nodes): Piece[] {
  const lines = new Map<number, string>();
  const visit = (inner: Nodes): void => {
    if (inner.type === 'text' || inner.type === 'inlineCode') {
      for (const [n, text] of inner.value.split('\n').entries()) {
        const line = inner.position!.start.line + n;
        lines.set(line, (lines.get(line) ?? '') + text);
      }
    } else if ('children' in inner) for (const child of inner.children) visit(child);
  };
  visit(node);
  return [...lines].map(([line, text]) => ({ line, text: text.trim() })).filter(({ text }) => text !== '');
}

const wordsIn = (node: Nodes) =>
  piecesOf(node)
    .map(({ text }) => text)
    .join(' ');

/** A table is a list of its rows, the first cell leading. Its head and the line under it name nothing. */
const rowsOf = (pieces: readonly Piece[]): Piece[] =>
  pieces.slice(2).map(({ text, line }) => {
    const [lead, ...rest] = text
      .split('|')
      .map((cell) => cell.trim())
      .filter(Boolean);
    return { line, text: rest.length > 0 ? `${lead}: ${rest.join(', ')}` : (lead ?? '') };
  });

function sentencesOf(pieces: readonly Piece[]): Piece[] {
  const starts: { at: number; line: number }[] = [];
  let whole = '';
  for (const { text, line } of pieces) {
    starts.push({ at: whole.length, line });
    whole += `${text} `;
  }
  return splitSentences(whole).map(({ text, start }) => ({
    text: text.replaceAll(/\s+/g, ' '),
    line: starts.findLast(({ at }) => at <= start)!.line,
  }));
}
