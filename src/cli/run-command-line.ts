import { CommanderError, type Command } from 'commander';
import { Refusal } from './api.ts';
import { createProgram } from './program.ts';
import { AlreadyReportedError } from './command-session.ts';
import { printable } from './printable.ts';

/** The streams that a command writes to; each text is whole lines, without the last line's end. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
}

/** Runs one command line, and returns the exit code: 0, or 1 after an error was written to `err`, as JSON when that is asked for. */
export async function runCommandLine(
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
  output: Output,
): Promise<number> {
  const out = (text: string) => output.out(printable(text));
  const err = (text: string) => output.err(printable(text));
  const isJson = words.includes('--json');
  const program = createProgram(environment, out);
  escalate(program, isJson ? () => undefined : (text) => err(text.trimEnd()), out);
  try {
    await program.parseAsync([...words], { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof AlreadyReportedError) return 1;
    if (error instanceof CommanderError && error.exitCode === 0) return 0; // help, or the version
    if (isJson) err(JSON.stringify(toErrorRecord(error, program, words)));
    else if (!(error instanceof CommanderError))
      err(`presage: ${messageOf(error)}${whereToLook(error, program, words)}`);
    else if (error.code === 'commander.unknownCommand') tellNamesakes(program, words, err);
    return 1;
  }
}

/** The parser writes to these outputs, and leaves the end of the process to others. */
function escalate(command: Command, writeErr: (text: string) => void, out: (text: string) => void): void {
  command
    .exitOverride()
    .configureOutput({ writeErr, writeOut: (text) => out(text.trimEnd()) })
    .showHelpAfterError(`("${pathOf(command)} --help" tells more)`)
    .hook('preSubcommand', refuseUnknownCommand);
  for (const each of command.commands) escalate(each, writeErr, out);
}

/** A group that has a default command would take a word that is no command for an argument of the default. */
function refuseUnknownCommand(group: Command, chosen: Command): void {
  const [word] = group.args;
  if (!word || word.startsWith('-') || word === chosen.name()) return;
  group.error(`error: unknown command '${word}'`, { code: 'commander.unknownCommand' });
}

/** A command with the names of the groups that it is in, such as `presage memories list`. */
const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();

/** The command that lists what there is, to suggest when something is not found. */
function whereToLook(error: unknown, program: Command, words: readonly string[]): string {
  if (!(error instanceof Refusal) || !error.problem.code?.endsWith('not_found')) return '';
  const group = words.includes('compact') ? 'conversations' : groupOf(program, words).name();
  const hasList = program.commands
    .find((each) => each.name() === group)
    ?.commands.some((each) => each.name() === 'list');
  return hasList ? `\n"presage ${group} list" shows what there is` : '';
}

/** Commands in groups that have the name of the command that was looked for at the top. */
function tellNamesakes(program: Command, words: readonly string[], err: (text: string) => void): void {
  const paths = program.commands
    .flatMap(({ commands }) => commands)
    .filter((each) => words.includes(each.name()))
    .map((each) => `"${pathOf(each)}"`);
  if (paths.length > 0) err(`Is it ${paths.join(' or ')}?`);
}

/** An error of the server as it sent it; an error found here, in the same form. */
function toErrorRecord(error: unknown, program: Command, words: readonly string[]): object {
  if (error instanceof Refusal) return { error: { message: error.message, ...error.problem } };
  if (error instanceof CommanderError && error.code === 'commander.help') {
    const names = groupOf(program, words).commands.map((each) => each.name());
    return { error: { code: 'invalid_command', message: `a command is missing: ${names.join(', ')}` } };
  }
  const code = error instanceof CommanderError ? 'invalid_command' : 'failed';
  return { error: { code, message: messageOf(error).replace(/^error: /, '') } };
}

/** The last group of commands that these words name. */
function groupOf(command: Command, words: readonly string[]): Command {
  const next = command.commands.find((each) => words.includes(each.name()) && each.commands.length);
  return next ? groupOf(next, words) : command;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
