import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/options.ts';
import { runProgram } from '../../src/cli/program.ts';
import { createCommandsDocument, createOptionTypes } from './option-files.ts';
import { ROOT } from './source-files.ts';

/** `npm run options` writes both files again. */
test('src/option-types.ts has the types of src/options.json', async () => {
  await expect(createOptionTypes()).toMatchFileSnapshot('../../src/option-types.ts');
});

test('docs/commands.md has the usage and every option of each command as --help prints it', async () => {
  await expect(createCommandsDocument()).toMatchFileSnapshot('../../docs/commands.md');
});

test('docs/commands.md has the commands that --help lists', async () => {
  const texts: string[] = [];
  const write = (text: string): void => void texts.push(text);
  await runProgram(['--help'], { env: {}, isInteractive: false, writeOut: write, writeErr: write });
  const listed = [...texts.join('').matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(([, name]) => name);
  const document = readFileSync(join(ROOT, 'docs/commands.md'), 'utf8');
  const described = Array.from(document.matchAll(/^## waygate (\w+)$/gm), ([, name]) => name);
  expect(listed.filter((name) => name !== 'help')).toEqual(Object.keys(COMMANDS));
  expect(described.sort()).toEqual(Object.keys(COMMANDS).sort());
});
