import { expect, it } from 'vitest';
import { shop } from '../../../scripts/bench/shop.mjs';
import { PRETTY_ADDRESS } from '../../support/site.ts';
import { useStepCounter } from '../../support/steps.ts';

/** The limit is twice what is taken, so that only a wrong order of growth exceeds it. */
const MAX_STEPS_OF_OPERATION = 40_000;

const countSteps = useStepCounter();

it('generating all files of a site with 200 operations takes bounded work', async () => {
  const { readIndex } = await import('../../../src/generator/discovery/read-index.ts');
  const { generateFrom } = await import('../../../src/generate.ts');
  const { listOperations } = await import('../../../src/generator/openapi/index.ts');
  const index = shop(200);
  let operations = 0;
  const taken = await countSteps(async () => {
    const { document, files } = await generateFrom({ address: PRETTY_ADDRESS, ...readIndex(index) });
    operations = listOperations(document).length;
    expect([...files.values()].every((text) => text.length > 10_000)).toBe(true);
  });
  expect(operations).toBeGreaterThan(200);
  expect(taken / operations).toBeLessThan(MAX_STEPS_OF_OPERATION);
});
