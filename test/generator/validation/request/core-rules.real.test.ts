import { expect, test } from 'vitest';
import { discover } from '../../../../src/generator/discovery/index.ts';
import { toOpenApi } from '../../../../src/generator/openapi/index.ts';
import { CORE_VERSIONS } from '../../../../src/generator/validation/request/core-arguments.ts';
import { useWordPress } from '../../../support/wordpress.ts';
import { listUnknownArguments } from './unknown-arguments.ts';

const site = useWordPress();

test('the table has every argument of the running WordPress, and its version', async () => {
  const { known, unknown } = listUnknownArguments(toOpenApi(await discover(site().url)).document);
  expect(unknown).toEqual([]);
  expect(known).toBeGreaterThan(500);
  expect(CORE_VERSIONS).toContain(site().version.split('.').slice(0, 2).join('.'));
}, 60_000);
