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

const PAGES = { ...REFERENCE_DOCUMENTS, commands: createCommandsDocument };

const readPage = (name: string): string => readFileSync(join(ROOT, `docs/reference/${name}.md`), 'utf8');

test.each(Object.entries(PAGES))('docs/reference/%s.md has what the code states', async (name, fill) => {
  await expect(fill(readPage(name))).toMatchFileSnapshot(`../../docs/reference/${name}.md`);
});

const MARK = /^<!-- .* -->$/m;

test('docs/reference/errors.md has the codes that the code has, in its table or not, and no other', () => {
  const codes = readSourceFiles().flatMap(({ text }) => text.match(/(?<=')gateway_[a-z_]+(?=')/g) ?? []);
  const page = readPage('errors');
  const [byHand = ''] = page.split(MARK);
  const listed = byHand.match(/(?<=^\| `)\w+(?=`)/gm) ?? [];
  expect(codes.length).toBeGreaterThan(8);
  expect([...new Set(codes)].filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
  expect(listed.filter((code) => !codes.includes(code))).toEqual([]);
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
      .options.filter(({ hidden }) => !hidden)
      .map(({ long }) => long)
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
