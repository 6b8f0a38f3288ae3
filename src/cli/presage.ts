#!/usr/bin/env node
import { runCommandLine } from './run-command-line.ts';

const words = process.argv.slice(2);
/** An error takes the line on which progress was shown. */
const clearLine = process.stderr.isTTY ? '\r\u001b[K' : '';

// A reader that has seen enough, such as `head`, closes the pipe: nothing is left to write, and nothing went wrong.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

// Alone it starts the service, for those who have just installed it; any word is a command, and a mistyped one is an error.
const code = await runCommandLine(words.length ? words : ['all'], process.env, {
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${clearLine}${text}\n`),
});
if (code) process.exitCode = code;
