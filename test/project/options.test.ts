import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMAND_NAMES, createCommand, listOptions } from '../../src/cli/commands.ts';
import { SETTINGS, type Setting } from '../../src/cli/config/settings.ts';
import { runProgram } from '../../src/cli/program.ts';
import { createCommandsDocument, createOptionTypes } from './option-files.ts';
import { REFERENCE_DOCUMENTS } from './reference-documents.ts';
import { ROOT, readSourceFiles } from './source-files.ts';

/** `npm run options` writes these files again. */
test('src/base/option-types.ts has the types of the settings and of the options', async () => {
  await expect(createOptionTypes()).toMatchFileSnapshot('../../src/base/option-types.ts');
});

test.each(Object.entries(REFERENCE_DOCUMENTS))(
  'docs/reference/%s.md has the tables of the code',
  async (name, create) => {
    await expect(create()).toMatchFileSnapshot(`../../docs/reference/${name}.md`);
  },
);

test('docs/reference/errors.md has the codes that are not in a table of the code', () => {
  const codes = readSourceFiles().flatMap(({ text }) => text.match(/(?<=')gateway_[a-z_]+(?=')/g) ?? []);
  const document = readFileSync(join(ROOT, 'docs/reference/errors.md'), 'utf8');
  expect(codes.length).toBeGreaterThan(8);
  expect([...new Set(codes)].filter((code) => !document.includes(`\`${code}\``))).toEqual([]);
});

test('docs/reference/commands.md has the usage and every option of each command as --help prints it', async () => {
  await expect(createCommandsDocument()).toMatchFileSnapshot('../../docs/reference/commands.md');
});

test.each(COMMAND_NAMES)('waygate %s --help fits a screen of 80 x 40, and has every option', async (name) => {
  const texts: string[] = [];
  const write = (text: string): void => void texts.push(text);
  const io = { env: {}, isInteractive: false, writeOut: write, writeErr: write };
  await runProgram([name, '--help'], io);
  const lines = texts.splice(0).join('').trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(39); // And the prompt.
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
  const listed = lines.flatMap((line) => /^ {2}(--[\w-]+)/.exec(line)?.[1] ?? []);
  expect(listed.toSorted()).toEqual(
    createCommand(name)
      .options.map(({ long }) => long)
      .toSorted(),
  );
});

test('each option of serve that states a setting names one that exists', () => {
  const settings = new Set(listSettingNames(SETTINGS.serve, ''));
  const stated = listOptions('serve').flatMap(({ setting }) => setting ?? []);
  expect(stated.length).toBeGreaterThan(5);
  expect(stated.filter((name) => !settings.has(name))).toEqual([]);
});

function listSettingNames(setting: Setting, path: string): readonly string[] {
  const { properties = {} } = setting.items ?? setting;
  return Object.entries(properties).flatMap(([name, member]) => [
    `${path}${name}`,
    ...listSettingNames(member, `${path}${name}.`),
  ]);
}
