// The pieces of code of docs/clients in one language, as JSON: [{ name, code, prints }]. A comment `prints: …` in a piece
// is a part of what it prints.
import { readFileSync, readdirSync } from 'node:fs';

const folder = new URL('../../docs/clients/', import.meta.url);

export function snippetsOf(language) {
  return readdirSync(folder).flatMap((file) => {
    const text = readFileSync(new URL(file, folder), 'utf8');
    const pieces = [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))];
    return pieces.map(([, code], n) => {
      const prints = [...code.matchAll(/^\s*(?:\/\/|#) prints: (.*)$/gm)].map(([, line]) => line);
      return { name: `${file}, ${language} ${n + 1}`, code, prints };
    });
  });
}

if (process.argv[2]) process.stdout.write(JSON.stringify(snippetsOf(process.argv[2])));
