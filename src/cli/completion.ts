import { Argument, type Command } from 'commander';
import type { RunCommand } from './command-session.ts';

/** A command with the words that may stand behind it. */
interface CompletionTarget {
  /** The command's name, behind those of the groups that it is in; empty for the program. */
  readonly path: readonly string[];
  readonly subcommands: readonly string[];
  /** Subcommands, values of arguments and options. */
  readonly words: readonly string[];
}

/** Scripts that let a shell complete the commands and options. They ask nothing: the server may be slow, or away. */
export function addCompletionCommand(program: Command, run: RunCommand): void {
  program
    .command('completion')
    .description('print a script that completes commands: source <(presage completion bash)')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .action((shell: 'bash' | 'zsh' | 'fish') =>
      run(async ({ tell }) => {
        const script = scripts[shell](completedIn(program, longNames(program)));
        tell({ shell, script }, () => script);
      }),
    );
}

const longNames = ({ options }: Command) => options.flatMap(({ long }) => long ?? []);

/** `common`: the options that every command takes. */
function completedIn(command: Command, common: readonly string[], path: readonly string[] = []): CompletionTarget[] {
  const subcommands = command.commands.map((each) => each.name());
  const values = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const options = new Set([...longNames(command), ...common, '--help']);
  return [
    { path, subcommands, words: [...subcommands, ...values, ...options] },
    ...command.commands.flatMap((each) => completedIn(each, common, [...path, each.name()])),
  ];
}

/** Words that are no command, such as an id or the value of an option, leave the command what it is. */
const bash = (completed: readonly CompletionTarget[]): string => `_presage() {
  local path="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
${completed
  .filter(({ path }) => path.length)
  .map(({ path }) => `      "${inPath(path)}") path="${inPath(path)}";;`)
  .join('\n')}
    esac
  done
  case "$path" in
${completed.map(({ path, words }) => `    "${inPath(path)}") words="${words.join(' ')}";;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _presage presage`;

const inPath = (path: readonly string[]) => path.map((each) => ` ${each}`).join('');

const fish = (completed: readonly CompletionTarget[]): string =>
  completed
    .map(({ path, subcommands, words }) => {
      const seen = path.map((each) => `__fish_seen_subcommand_from ${each}`);
      const further = subcommands.length ? [`not __fish_seen_subcommand_from ${subcommands.join(' ')}`] : [];
      const isThere = path.length ? [...seen, ...further].join('; and ') : '__fish_use_subcommand';
      return `complete -c presage -n '${isThere}' -a '${words.join(' ')}'`;
    })
    .join('\n');

const scripts = {
  bash,
  zsh: (completed: readonly CompletionTarget[]) => `autoload -U +X bashcompinit && bashcompinit\n${bash(completed)}`,
  fish,
};
