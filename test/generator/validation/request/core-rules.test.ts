import { expect, test } from 'vitest';
import { readIndex } from '../../../../src/generator/discovery/read-index.ts';
import { toOpenApi } from '../../../../src/generator/openapi/index.ts';
import { readRecorded } from '../../../support/recorded-indexes.ts';
import { PRETTY_ADDRESS } from '../../../support/site.ts';
import { listUnknownArguments } from './unknown-arguments.ts';

test('the table has every argument of the recorded WordPress 7.1', () => {
  const read = readIndex(readRecorded('wordpress-7.1-index.json'));
  const { document } = toOpenApi({ address: PRETTY_ADDRESS, ...read });
  const { known, unknown } = listUnknownArguments(document);
  expect(unknown).toEqual([]);
  expect(known).toBeGreaterThan(600);
});
