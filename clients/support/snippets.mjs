// The pieces of code of docs/clients, and of what the packages of the clients say of themselves, in one language, as JSON:
// [{ name, code, prints }]. A comment `prints: …` in a piece is a part of what it prints.
import { readFileSync, readdirSync } from 'node:fs';

const folder = new URL('../../docs/clients/', import.meta.url);
const pages = readdirSync(folder).map((file) => ({ file, url: new URL(file, folder) }));
const readmes = ['typescript', 'python'].map((client) => {
  const file = `${client}/README.md`;
  return { file, url: new URL(`../${file}`, import.meta.url) };
});

export function snippetsOf(language) {
  return [...pages, ...readmes].flatMap(({ file, url }) => {
    const text = readFileSync(url, 'utf8');
    const pieces = [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))];
    return pieces.map(([, code], n) => {
      const prints = [...code.matchAll(/^\s*(?:\/\/|#) prints: (.*)$/gm)].map(([, line]) => line);
      return { name: `${file}, ${language} ${n + 1}`, code, prints };
    });
  });
}

if (process.argv[2]) process.stdout.write(JSON.stringify(snippetsOf(process.argv[2])));
