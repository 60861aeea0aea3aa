import { describe, expect, it } from 'vitest';
import { GATEWAYS } from './support/gateways.ts';
import { transfer } from './support/transfer.ts';

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
