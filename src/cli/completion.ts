import { Argument, type Command } from 'commander';

/** A command with the words that may stand behind it. */
interface Completed {
  readonly path: readonly string[];
  readonly words: readonly string[];
}

/** Scripts that let a shell complete the commands and options. They ask nothing: the server may be slow, or away. */
export function addCompletionCommand(program: Command, write: (text: string) => void): void {
  program
    .command('completion')
    .description('print a script that completes commands: source <(presage completion bash)')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .action((shell: 'bash' | 'zsh' | 'fish') => write(scripts[shell](completedIn(program))));
}

function completedIn(command: Command, path: readonly string[] = []): Completed[] {
  const options = command.options.flatMap(({ long }) => long ?? []);
  const words = [...command.commands.map((each) => each.name()), ...options, ...(path.length ? [] : ['--help'])];
  return [{ path, words }, ...command.commands.flatMap((each) => completedIn(each, [...path, each.name()]))];
}

const bash = (completed: readonly Completed[]): string => `_presage() {
  local path="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do [[ $word == -* ]] || path="$path $word"; done
  case "$path" in
${completed.map(({ path, words }) => `    "${path.map((each) => ` ${each}`).join('')}") COMPREPLY=($(compgen -W "${words.join(' ')}" -- "\${COMP_WORDS[COMP_CWORD]}"));;`).join('\n')}
  esac
}
complete -o default -F _presage presage`;

const fish = (completed: readonly Completed[]): string =>
  completed
    .map(({ path, words }) => {
      const isThere =
        path.map((each) => `__fish_seen_subcommand_from ${each}`).join('; and ') || '__fish_use_subcommand';
      return `complete -c presage -n '${isThere}' -a '${words.join(' ')}'`;
    })
    .join('\n');

const scripts = {
  bash,
  zsh: (completed: readonly Completed[]) => `autoload -U +X bashcompinit && bashcompinit\n${bash(completed)}`,
  fish,
};
