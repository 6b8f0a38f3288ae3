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
    for (const heading of headings) {
      if (heading.start >= offset) break;
      while (path.length && path.at(-1)!.level >= heading.level) path.pop();
      path.push(heading);
    }
    // A passage that opens with a heading stands beside what is not above that heading.
    const own = headings.find(({ start }) => start === offset);
    while (own && path.length && path.at(-1)!.level >= own.level) path.pop();
    return path.map(({ title }) => title).join(' > ');
  };
}
