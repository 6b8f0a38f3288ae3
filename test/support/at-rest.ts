import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Which of the words stand where below the folders, as `word in file`: of whatever database, index or log wrote the
 * files. In any case, and also in base64 and in hex, as which a log or a dump might show them.
 */
export function wordsFound(folders: readonly string[], words: readonly string[]): string[] {
  const forms = words.map((word) => ({ word, plain: word.toLowerCase(), encoded: inBase64(word) }));
  return folders.flatMap(filesBelow).flatMap((file) => {
    const content = contentOf(file);
    const lowered = content.toLowerCase();
    const found = forms.filter(
      ({ word, plain, encoded }) =>
        lowered.includes(plain) ||
        lowered.includes(Buffer.from(word).toString('hex')) ||
        encoded.some((each) => content.includes(each)),
    );
    return found.map(({ word }) => `${word} in ${file}`);
  });
}

function filesBelow(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.map((name) => join(folder, name)).filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}

/** Nothing of a file that a running database has removed meanwhile. */
function contentOf(file: string): string {
  try {
    return readFileSync(file).toString('latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** The middle of the word, as it looks at each of the three places of a group where it may begin. */
const inBase64 = (word: string) =>
  [0, 1, 2].map((before) => {
    const encoded = Buffer.from(' '.repeat(before) + word).toString('base64');
    return encoded.slice(before ? 4 : 0, -4);
  });
