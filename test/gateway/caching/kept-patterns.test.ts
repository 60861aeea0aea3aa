import { expect, test } from 'vitest';
import type { KindEvidence } from '../../../src/cache/dependencies/evidence.ts';
import { createGateway, getGatewayInternals } from '../../../src/gateway/gateway.ts';

const learned = (read: string): KindEvidence => ({
  writes: 0,
  resources: new Set([1, 2]),
  mistakes: 0,
  patterns: new Map([[read, { same: 1_000, changes: 0, keys: new Set([1, 2]), example: null, checked: 0 }]]),
});

test('the primary process tells workers what writes of several kinds keep', () => {
  const gateway = createGateway({ sites: [{ url: 'https://example.com' }], cache: 'memory' });
  const [site] = getGatewayInternals(gateway).context.sites.values();
  const { caching } = site ?? {};
  for (const kind of ['excerpt', 'comment', 'title']) caching?.evidence?.kinds.set(kind, learned(`/${kind}`));
  expect(caching?.listKept().toSorted()).toEqual([
    ['comment', ['/comment']],
    ['excerpt', ['/excerpt']],
    ['title', ['/title']],
  ]);
});
