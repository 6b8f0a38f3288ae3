#!/usr/bin/env node
import { createProgram } from './program.ts';

const words = process.argv.slice(2);

// Alone it starts the service, for whoever has just installed it; any word is a command, and a mistyped one is told.
await createProgram(process.env, (text) => process.stdout.write(`${text}\n`))
  .parseAsync(words.length ? words : ['all'], { from: 'user' })
  .catch((error: unknown) => {
    process.stderr.write(`presage: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
