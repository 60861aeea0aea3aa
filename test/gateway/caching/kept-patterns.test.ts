import { expect, test } from 'vitest';
import { type KindEvidence, nameFirstEdit } from '../../../src/cache/dependencies/evidence.ts';
import { createUnknownWrite } from '../../../src/cache/dependencies/route-writes.ts';
import type { DocumentCacheTags } from '../../../src/gateway/caching/document-cache-tags.ts';
import { createGateway, getGatewayInternals } from '../../../src/gateway/gateway.ts';

const learned = (...reads: readonly string[]): KindEvidence => {
  const pattern = () => ({ same: 1_000, changes: 0, keys: new Set([1, 2]), example: null, checked: 0 });
  const patterns = new Map(reads.map((read) => [read, pattern()]));
  return { writes: 0, resources: new Set([1, 2]), mistakes: 0, patterns };
};

const useCaching = () => {
  const gateway = createGateway({ sites: [{ url: 'https://example.com' }], cache: 'memory' });
  const [site] = getGatewayInternals(gateway).context.sites.values();
  return site?.caching;
};

test('a first edit keeps pages by what was learned of first edits, and no responses of routes', () => {
  const caching = useCaching();
  const kind = 'POST /wp/v2/posts/{id} excerpt';
  // One response of a class may have the date of change, and the others not.
  caching?.evidence?.kinds.set(nameFirstEdit(kind), learned('pages /{}', '/wp/v2/posts?_fields'));
  const clauses = [{ tags: ['item'], texts: ['2024-05-01'], exceptKinds: [] }];
  const write = { ...createUnknownWrite('POST', '/wp/v2/posts/12', []), kind, clauses };
  const toStoredTags = (tags: Iterable<string>) => [...tags];
  const documentTags = { toStoredTags, toStoredGroup: String } as unknown as DocumentCacheTags;
  const selected = caching?.writes.select(documentTags, [write]);
  expect(selected?.clauses.map(({ exceptKinds }) => exceptKinds)).toEqual([['pages /{}']]);
});
