import { expect, it } from 'vitest';
import { shop } from '../../../scripts/bench/shop.mjs';
import { useStepCounter } from '../../support/steps.ts';

/** The limit is twice what is taken, so that only a wrong order of growth exceeds it. */
const MAX_STEPS_OF_OPERATION = 40_000;

const countSteps = useStepCounter();

it('generating all files of a site with 200 operations takes bounded work', async () => {
  const { generate } = await import('../../../src/generate.ts');
  const { listOperations } = await import('../../../src/generator/openapi/operations.ts');
  const index = JSON.stringify(shop(200));
  const fetch = async () => new Response(index, { headers: { 'content-type': 'application/json' } });
  let operations = 0;
  const taken = await countSteps(async () => {
    const { document, files } = await generate('https://example.com/wp-json/', { fetch, options: false });
    operations = listOperations(document).length;
    expect([...files.values()].every((text) => text.length > 10_000)).toBe(true);
  });
  expect(operations).toBeGreaterThan(200);
  expect(taken / operations).toBeLessThan(MAX_STEPS_OF_OPERATION);
});
