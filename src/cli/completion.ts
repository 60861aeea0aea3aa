import { ConfigurationError } from '../errors.ts';
import { toShellWord } from './flags.ts';
import type { CommandIo, ExitCode } from './io.ts';
import { COMMAND_NAMES, COMMANDS, type CommandOption, listOptions } from './options.ts';

/**
 * Prints a script that completes the words of `waygate` without running it. A library would start Node for each completion, which takes
 * twenty times as long as the shell itself.
 */
export async function runCompletion({ writeOut }: CommandIo, shell: string): Promise<ExitCode> {
  const create = SCRIPTS.get(shell);
  if (create === undefined) {
    throw new ConfigurationError(`"${shell}" is not one of the shells ${[...SCRIPTS.keys()].join(', ')}`);
  }
  writeOut(`${create()}\n`);
  return 0;
}

const SCRIPTS: ReadonlyMap<string, () => string> = new Map([
  ['bash', createBashScript],
  // zsh has the functions of bash in `bashcompinit`.
  ['zsh', () => `autoload -Uz compinit bashcompinit\ncompinit\nbashcompinit\n${createBashScript()}`],
  ['fish', createFishScript],
]);

/** The words that the first argument of a command may be. */
const WORDS: readonly (readonly [command: string, words: string])[] = [
  ['completion', [...SCRIPTS.keys()].join(' ')],
  ['config', 'print'],
  ['documents', 'list show pin promote reject rollback'],
];

function readFlag({ flag }: CommandOption): { readonly name: string; readonly hasValue: boolean } {
  const [name = ''] = flag.split(' ');
  return { name, hasValue: flag.includes(' ') };
}

/** Where it completes nothing (`-o default`), the shell completes a path: of a file or folder, or of nothing. */
function createBashScript(): string {
  const cases = COMMAND_NAMES.flatMap((command) => {
    const options = listOptions(command);
    const flags = options.map((option) => readFlag(option).name).join(' ');
    const values = options
      .filter((option) => readFlag(option).hasValue)
      .map(
        (option) => `    '${command} ${readFlag(option).name}') words='${option.enum?.join(' ') ?? ''}' ;;`,
      );
    return [...values, `    '${command} '*) [[ $cur == -* ]] && words='${flags} --help' ;;`];
  });
  return `_waygate() {
  local cur=\${COMP_WORDS[COMP_CWORD]} words=
  case "\${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD-1]}" in
${WORDS.map(([command, words]) => `    '${command} ${command}') words='${words}' ;;`).join('\n')}
${cases.join('\n')}
  esac
  [[ $COMP_CWORD -eq 1 ]] && words='${COMMAND_NAMES.join(' ')} help --version --help'
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _waygate waygate`;
}

function createFishScript(): string {
  const quote = (text: string): string => toShellWord(text.replaceAll('\n', ' '));
  const words = WORDS.map(
    ([command, each]) => `complete -c waygate -n '__fish_seen_subcommand_from ${command}' -f -a '${each}'`,
  );
  const lines = COMMAND_NAMES.flatMap((command) => [
    `complete -c waygate -n __fish_use_subcommand -f -a ${command} -d ${quote(COMMANDS[command].description)}`,
    ...listOptions(command).map((option) => {
      const { brief, description = '', enum: choices } = option;
      const { hasValue, name } = readFlag(option);
      const value = choices === undefined ? (hasValue ? ' -r' : '') : ` -x -a ${quote(choices.join(' '))}`;
      const about = quote(brief ?? description.split('. ')[0] ?? '');
      return `complete -c waygate -n '__fish_seen_subcommand_from ${command}' -l ${name.slice(2)}${value} -d ${about}`;
    }),
  ]);
  return [...lines, ...words].join('\n');
}
