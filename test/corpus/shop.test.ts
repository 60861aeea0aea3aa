import { beforeAll, describe, expect, test } from 'vitest';
import { wholeShopDocument } from '../support/recorded-indexes.ts';
import { compileShopPrograms, readShopPrograms } from './shop-programs.ts';

const programs = await readShopPrograms();

/** Programs whose types are wrong, with the reason. */
const WRONG: Readonly<Record<string, string>> = {
  'admin-23':
    'a type that refuses the text also refuses the `string` of `toISOString()`; a `Date` is always right',
  'content-13': 'as above, in a body',
};

describe.each([
  ['one file', false],
  ['parts', true],
])('programs against a shop with a community, whose client is in %s', (_, isSplit) => {
  let errors: Awaited<ReturnType<typeof compileShopPrograms>>;
  beforeAll(async () => {
    errors = await compileShopPrograms(programs, wholeShopDocument(), isSplit);
  }, 240_000);

  test('nothing but programs has an error', () => {
    const names = new Set(programs.map(({ name }) => name));
    expect([...errors].filter(([file]) => !names.has(file))).toEqual([]);
  });

  test('what works compiles, and what fails does not', () => {
    const wrong = programs.filter(({ name, works }) => errors.has(name) === works);
    const known = wrong.filter(({ name }) => Object.hasOwn(WRONG, name));
    expect(
      wrong
        .filter((program) => !known.includes(program))
        .map(({ name, title }) => [name, title, errors.get(name)]),
    ).toEqual([]);
    expect(known.map(({ name }) => name)).toEqual(Object.keys(WRONG));
  });
});
