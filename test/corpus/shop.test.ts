import { beforeAll, describe, expect, test } from 'vitest';
import { wholeShopDocument } from '../support/recorded-indexes.ts';
import { compileShopPrograms, readShopPrograms } from './shop-programs.ts';

const programs = await readShopPrograms();

describe('programs against a shop with a community', () => {
  let errors: Awaited<ReturnType<typeof compileShopPrograms>>;
  beforeAll(async () => {
    errors = await compileShopPrograms(programs, wholeShopDocument());
  }, 240_000);

  test('nothing but programs has an error', () => {
    const names = new Set(programs.map(({ name }) => name));
    expect([...errors].filter(([file]) => !names.has(file))).toEqual([]);
  });

  test('what works compiles, and what fails does not', () => {
    const wrong = programs.filter(({ name, works }) => errors.has(name) === works);
    expect(wrong.map(({ name, title }) => [name, title, errors.get(name)])).toEqual([]);
  });
});
