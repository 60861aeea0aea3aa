import { describe, expect, it } from 'vitest';
import { transfer } from './support/measure-transfer.ts';
import { GATEWAYS } from './support/test-gateways.ts';

describe.each(Object.keys(GATEWAYS))('through %s', (kind) => {
  // Node's fetch keeps a streamed upload in memory whole: that is what web-transport.ts is for.
  it.each(kind === 'fetch' ? (['down'] as const) : (['up', 'down'] as const))(
    '1 GiB moves %s in bounded memory',
    async (way) => {
      const { arrived, growth } = await transfer(kind, way, 1024);
      expect(arrived).toBe(1024);
      expect(growth).toBeLessThan(200);
    },
  );
});
