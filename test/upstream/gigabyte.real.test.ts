import { describe, expect, it } from 'vitest';
import { measureTransfer } from './support/measure-transfer.ts';
import { TEST_GATEWAYS } from './support/test-gateways.ts';

describe.each(Object.keys(TEST_GATEWAYS))('through the transport: %s', (kind) => {
  // Node's fetch keeps a streamed upload in memory; dispatch-as-fetch.ts exists for that reason.
  it.each(kind === 'fetch' ? (['down'] as const) : (['up', 'down'] as const))(
    '400 MiB move %s in limited memory',
    async (direction) => {
      const { arrived, growth } = await measureTransfer(kind, direction, 400);
      expect(arrived).toBe(400);
      expect(growth).toBeLessThan(150);
    },
  );
});
