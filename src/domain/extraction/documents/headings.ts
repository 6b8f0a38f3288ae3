/** A heading of a markdown text and where it stands. */
interface Heading {
  start: number;
  level: number;
  title: string;
}

const fenceOrHeading =
  /^(?:```|~~~)[\s\S]*?(?:^(?:```|~~~)|(?![\s\S]))|^(#{1,6})[ \t]+(.+?)[ \t]*#*$|^(\S.{0,100})\n(={3,}|-{3,})[ \t]*$/gmu;

/** The headings above each place of a text: what "Refund policy > Exceptions" is asked by. */
export function headingPaths(text: string): (offset: number) => string {
  const headings = [...text.matchAll(fenceOrHeading)].flatMap((match): Heading[] => {
    const [, marks, title, underlined, line] = match;
    if (marks) return [{ start: match.index, level: marks.length, title: title ?? '' }];
    return underlined ? [{ start: match.index, level: line?.startsWith('=') ? 1 : 2, title: underlined }] : [];
  });
  return (offset) => {
    const path: Heading[] = [];
    for (const heading of headings.filter(({ start }) => start <= offset)) {
      while (path.length && path.at(-1)!.level >= heading.level) path.pop();
      if (heading.start < offset) path.push(heading); // one that opens the passage stands in it
    }
    return path.map(({ title }) => title).join(' > ');
  };
}
