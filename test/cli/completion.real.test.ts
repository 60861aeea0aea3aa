import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { useFolder } from '../support/folder.ts';
import { runCommand } from './run-command.ts';

const run = promisify(execFile);
const folder = useFolder();

/** Programs that print what a shell offers for the last word of a line. `$1` is the script of waygate, `$2` the line. */
const PROGRAMS = {
  bash: [
    '--norc',
    '-c',
    'source "$1"; COMP_WORDS=($2); [[ $2 == *" " ]] && COMP_WORDS+=(""); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _waygate; printf "%s\\n" "${COMPREPLY[@]}"',
    'bash',
  ],
  fish: ['--no-config', '-c', 'source $argv[1]; complete -C $argv[2] | string split -f 1 \\t; true'],
  // The line editor of zsh runs in a terminal of its own. Two tabs list what is possible.
  zsh: [
    '-f',
    '-c',
    'zmodload zsh/zpty; zpty z zsh -f -i; zpty -w z "PS1=; stty -echo; LISTMAX=0; source $1; print rea""dy"; zpty -r z out "*ready*"; zpty -w -n z "$2"$\'\\t\\t\'; sleep 2; zpty -r -t z out "*"; while zpty -r -t z more; do out+=$more; done; zpty -d z; print -r -- "$out"',
    'zsh',
  ],
} as const;

async function complete(shell: keyof typeof PROGRAMS, line: string): Promise<readonly string[]> {
  const script = join(folder(), `waygate.${shell}`);
  writeFileSync(script, (await runCommand(['completion', shell])).out);
  const { stdout } = await run(shell, [...PROGRAMS[shell], script, line], { cwd: folder(), timeout: 30_000 });
  return stdout
    .split(/[\s\u0007]+/)
    .map((word) => word.replace(/\u001b\[[\d;?]*[A-Za-z]/g, ''))
    .filter((word) => word !== '');
}

describe.each(['bash', 'zsh', 'fish'] as const)('in %s', (shell) => {
  test.each([
    ['commands', 'waygate re', ['reconcile', 'report']],
    ['options of the command', 'waygate serve --admin', ['--admin-port']],
    ['choices of an option', 'waygate serve --mode o', ['off', 'observe']],
    ['shells', 'waygate completion ', ['bash', 'zsh', 'fish']],
    ['actions', 'waygate documents r', ['reject', 'rollback']],
  ])('completes %s', async (_, line, expected) => {
    const words = await complete(shell, line);
    // zsh writes the rest of the word that is being completed.
    expect(expected.filter((word) => !words.some((each) => each.endsWith(word.slice(-4))))).toEqual([]);
  });

  test('completes nothing of another command', async () => {
    const words = await complete(shell, 'waygate report --t');
    expect(words.join(' ')).not.toMatch(/tanstack/);
    expect(words.join(' ')).toContain('oken');
  });
});

test('an unknown shell is refused', async () => {
  expect(await runCommand(['completion', 'tcsh'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('bash, zsh, fish'),
  });
});
