import { codeBlockSource } from '../../language/code-blocks.ts';

/** A heading of a markdown text and where it stands. */
interface Heading {
  start: number;
  level: number;
  title: string;
}

const codeOrHeading = new RegExp(
  String.raw`^ {0,3}(?:${codeBlockSource})|^(#{1,6})[ \t]+(.+?)[ \t]*#*$|^(\S.{0,100})\n(={3,}|-{3,})[ \t]*$`,
  'gmu',
);

/**
 * The headings above each place of a text: what "Refund policy > Exceptions" is asked by. Places are asked for in
 * their order.
 */
export function headingPaths(text: string): (offset: number) => string {
  const headings = [...text.matchAll(codeOrHeading)].flatMap((match): Heading[] => {
    const [, marks, title, underlined, line] = match;
    if (marks) return [{ start: match.index, level: marks.length, title: title ?? '' }];
    return underlined ? [{ start: match.index, level: line?.startsWith('=') ? 1 : 2, title: underlined }] : [];
  });
  const path: Heading[] = [];
  let next = 0;
  return (offset) => {
    for (let heading = headings[next]; heading && heading.start <= offset; heading = headings[++next]) {
      while (path.length && path.at(-1)!.level >= heading.level) path.pop();
      path.push(heading);
    }
    // One that opens the passage stands in it.
    return path.flatMap(({ start, title }) => (start < offset ? [title] : [])).join(' > ');
  };
}
