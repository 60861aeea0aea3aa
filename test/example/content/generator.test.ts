import { describe, expect, test } from 'vitest';
import { decodePng } from '../../../src/example/content/images.ts';
import type { Entry, EntryKind } from '../../../src/example/content/model.ts';
import { createContentState } from '../../../src/example/content/seed.ts';

const state = createContentState(1);
const entriesOf = (kind: EntryKind): Entry[] =>
  [...state.entries.values()].filter((entry) => entry.kind === kind);

describe('the generated content', () => {
  test('depends on the seed only', () => {
    const [again, other] = [createContentState(1), createContentState(2)];
    expect([...again.entries]).toEqual([...state.entries]);
    expect([...again.files.keys()]).toEqual([...state.files.keys()]);
    const [path = ''] = state.files.keys();
    expect(again.files.get(path)?.readBytes()).toEqual(state.files.get(path)?.readBytes());
    expect([...other.entries]).not.toEqual([...state.entries]);
  });

  test('has hundreds of posts, dozens of pages and media items, with every status and format', () => {
    expect(entriesOf('post')).toHaveLength(240);
    expect(entriesOf('page')).toHaveLength(40);
    expect(entriesOf('attachment')).toHaveLength(43);
    const statuses = new Set(entriesOf('post').map(({ status }) => status));
    expect([...statuses].sort()).toEqual(['draft', 'future', 'pending', 'private', 'publish', 'trash']);
    for (const has of [
      (post: Entry) => post.password !== '',
      (post: Entry) => post.sticky,
      (post: Entry) => post.featuredMedia !== 0,
      (post: Entry) => post.excerpt !== '',
    ]) {
      expect(entriesOf('post').some(has)).toBe(true);
    }
  });

  test.each(['post', 'page', 'attachment'] as const)('gives every %s a unique slug', (kind) => {
    const slugs = entriesOf(kind).map(({ slug }) => slug);
    expect(new Set(slugs).size).toBe(slugs.length);
  });

  test('has pages on three levels, and no missing parents', () => {
    const generation = (page: Entry): number => {
      const parent = state.entries.get(page.parent);
      return parent === undefined ? 1 : 1 + generation(parent);
    };
    expect(new Set(entriesOf('page').map(generation))).toEqual(new Set([1, 2, 3]));
    for (const { parent, featuredMedia, author, categories, tags } of state.entries.values()) {
      expect(parent === 0 || state.entries.has(parent)).toBe(true);
      expect(featuredMedia === 0 || state.entries.get(featuredMedia)?.media !== undefined).toBe(true);
      expect(state.authors.has(author)).toBe(true);
      expect([...categories, ...tags].every((id) => state.terms.has(id))).toBe(true);
    }
  });

  test('has images of the stated types and sizes', () => {
    for (const { media } of entriesOf('attachment').slice(0, 5)) {
      if (media?.image === undefined) throw new Error('no image');
      const bytes = state.files.get(media.file)?.readBytes() ?? new Uint8Array();
      expect(decodePng(bytes)).toMatchObject(media.image);
    }
  });

  test('has no published posts with a future date', () => {
    const last = Math.max(
      ...entriesOf('post')
        .filter(({ status }) => status === 'publish')
        .map(({ date }) => date),
    );
    expect(last).toBeLessThan(Date.UTC(2025, 0, 15));
  });
});
