import { expect, test } from 'vitest';
import { GENERATE, SERVE } from '../../src/config/schema.ts';
import { readSettings } from '../../src/config/settings.ts';
import REMOVED from '../../src/removed.json' with { type: 'json' };
import { runCommand } from './run-command.ts';

const rowsOf = (kind: keyof typeof REMOVED): (readonly [name: string, replacement: string])[] =>
  Object.entries(REMOVED[kind]).flatMap(([names, text]) =>
    names.split(', ').map((name) => [name, text] as const),
  );

test.each(rowsOf('commands'))('the command %s says what to use in its place', async (name, replacement) => {
  for (const args of [[name], ['help', name]]) {
    const { code, err } = await runCommand(args);
    expect([code, err]).toEqual([2, `waygate: ${name} was removed: ${replacement}\n`]);
  }
});

test.each(rowsOf('options'))('the option %s says what to use in its place', async (name, replacement) => {
  const [option = '', command = 'generate'] = name.split(' ').reverse();
  for (const spelling of [[option], [`${option}=1`]]) {
    const { code, err } = await runCommand([command, ...spelling]);
    expect([code, err]).toEqual([2, `waygate: ${option} was removed: ${replacement}\n`]);
  }
});

test.each(rowsOf('settings'))('the setting %s says what to use in its place', (name, replacement) => {
  const stated = name.split('.').reduceRight<unknown>((value, key) => {
    return { [key]: key === 'sites' ? [value] : value };
  }, true);
  const errors = [SERVE, GENERATE].flatMap((type) => {
    const read = readSettings<unknown>({ value: stated, errors: new Map() }, type, '');
    return read.ok ? [] : read.errors;
  });
  expect(errors).toContain(`${name.replace('sites', 'sites[0]')}: was removed: ${replacement}`);
});
