// Reads a text as JSON a line and writes it with its words in English, as the service does before it compares meanings. It
// runs the service's own code, so build it first.
import { createInterface } from 'node:readline';
import { translateWords } from '../../dist/adapters/word-translation/translate-words.js';

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(translateWords(JSON.parse(line)))}\n`);
