#!/usr/bin/env node
import { createProgram } from './program.ts';

await createProgram(process.env, (text) => process.stdout.write(`${text}\n`))
  .parseAsync()
  .catch((error: unknown) => {
    process.stderr.write(`presage: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
