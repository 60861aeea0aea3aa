import { describe, expect, test } from 'vitest';
import {
  compareFields,
  ItemStates,
  listTextsBefore,
  readItemState,
} from '../../../src/cache/dependencies/item-states.ts';
import { createStoredResponse } from '../../../src/cache/policy/storability.ts';
import { MemoryStore } from '../../../src/cache/stores/memory-store.ts';
import type { JsonObject } from '../../../src/json.ts';

const LONG = Array.from({ length: 15 }, (_, n) => `Long content ${n}. `).join('');
const POST = {
  id: 12,
  link: 'https://example.com/2024/05/hello/',
  title: { rendered: 'The first title' },
  excerpt: { rendered: '<p>A <em>short</em> text &amp; more</p>\n' },
  content: { rendered: `<p>${LONG}</p>` },
  menu_order: 1,
  date: '2024-05-01T10:00:00',
  modified: '2024-05-01T10:00:00',
  password: '',
  comment_status: 'closed',
  _links: { self: [{ href: 'https://example.com/wp-json/wp/v2/posts/12' }] },
};
const change = (fields: JsonObject): JsonObject => ({ ...POST, ...fields });

describe('the texts before a change', () => {
  const [MAY, JUNE] = ['2024-05-01T10:00:00', '2024-06-01T10:00:00'];
  test.each<[string, JsonObject, readonly string[] | null, (readonly string[])?, (readonly string[])?]>([
    ['unknown if a written field is not known', { title: { rendered: '1' } }, null, ['title', 'sticky']],
    ['a text without its markup', { excerpt: { rendered: 'new' } }, ['A short text & more']],
    [
      'the beginning of a long text, and what is before the end of its last change',
      { content: { rendered: `${LONG.slice(0, 63)} ${LONG.slice(70)}` } },
      ['Long content 0. Long content 1. Long con', '. Long content 2. Long content 3. Long c'],
    ],
    [
      'the end of a text that differs at its beginning too, as that of a gallery may',
      { content: { rendered: `Another caption${LONG.slice(15, -2)}!` } },
      ['Long content 0. Long content 1. Long con', 'nt 12. Long content 13. Long content 14.'],
    ],
    [
      'each of several',
      { title: { rendered: '1' }, excerpt: { rendered: '2' } },
      ['The first title', 'A short text & more'],
    ],
    ['unknown if nothing differs', {}, null],
    ['unknown if a number differs', { title: { rendered: '1' }, menu_order: 2 }, null],
    ['unknown if an option differs', { title: { rendered: '1' }, comment_status: 'open' }, null],
    ['unknown if a field was empty', { password: 'secret' }, null],
    ['of the members that both have', { title: { raw: 'x' } }, null],
    [
      'apart, a date of change that is the date of the publication too',
      { title: { rendered: '1' }, modified: JUNE },
      ['The first title'],
      ['title'],
      [MAY],
    ],
    ['a date of change if the date of the publication changes too', { date: JUNE, modified: JUNE }, [MAY]],
  ])('%s', (_, fields, texts, written = Object.keys(fields), published = []) => {
    expect(listTextsBefore(readItemState(POST), readItemState(change(fields)), written)).toEqual(
      texts && { changed: texts, published },
    );
  });
});

describe('what an item was before a write', () => {
  const TAG = 'example.com /wp/v2/posts/12';

  function setUp() {
    let now = 1_000;
    const clock = { now: () => now, after: () => () => {} };
    const store = new MemoryStore({ clock });
    const states = new ItemStates({ clock, store });
    const save = (key: string, body: unknown): void => {
      const draft = {
        ...{ status: 200, variantKey: '', vary: [], requestTime: now, responseTime: now, initialAge: 0 },
        ...{ freshnessLifetime: 60, staleWhileRevalidate: 0, staleIfError: 0, staleIfUnreachable: 0 },
        ...{ headers: ['Content-Type', 'application/json'], isSoftPurged: false },
      };
      const bytes = new TextEncoder().encode(JSON.stringify(body));
      const group = { name: 'example.com routes', routeClass: '/wp/v2/posts' };
      states.addStored(key, [TAG, 'example.com /wp/v2/posts?*']);
      store.put(key, createStoredResponse(draft, draft.headers, bytes, { tags: [TAG], group }));
    };
    const pass = (): void => {
      now += 10;
    };
    const title = (): string | null | undefined => {
      const before = states.getBefore(TAG, now);
      return before === null ? null : before.get('.title.rendered')?.text;
    };
    return { pass, save, states, store, title };
  }

  test('is unknown of an item that nothing has shown', () => {
    expect(setUp().title()).toBeNull();
  });

  test.each([
    ['itself', POST],
    ['a list', [{ id: 11, title: { rendered: 'Another title' } }, POST]],
  ])('is known of a stored response that is %s', (_, body) => {
    const { pass, save, title } = setUp();
    save('a', body);
    pass();
    expect(title()).toBe('The first title');
  });

  test('is known of a response of its own route without links', () => {
    const { pass, save, title } = setUp();
    const { _links, ...plain } = POST;
    save('example.com\nhttps://example.com\nR"/wp/v2/posts/12"', plain);
    pass();
    expect(title()).toBe('The first title');
    const other = setUp();
    other.save('example.com\nhttps://example.com\nR"/wp/v2/posts/12/notes/12"', plain);
    other.pass();
    expect(other.title()).toBeNull();
  });

  test('is not that of an item of another collection with the same id', () => {
    const { pass, save, title } = setUp();
    const self = [{ href: 'https://example.com/wp-json/wp/v2/comments/12' }];
    save('a', [{ ...POST, _links: { self }, _embedded: { up: [POST] } }]);
    pass();
    expect(title()).toBeNull();
  });

  test('is not what was stored after the write began', () => {
    const { save, title } = setUp();
    save('a', POST);
    expect(title()).toBeNull();
  });

  test('is not what a write may have changed since', () => {
    const { pass, save, store, title } = setUp();
    save('a', POST);
    pass();
    store.invalidate({ kind: 'tags', tags: [TAG] }, () => {}, 'soft');
    expect(title()).toBeNull();
  });

  test('is known of a stored response that a write of another item has marked', () => {
    const { pass, save, store, title } = setUp();
    save('a', POST);
    pass();
    const groups = [{ name: 'example.com routes', exceptKinds: [] }];
    store.invalidate({ kind: 'tags', tags: [], groups }, () => {});
    expect(title()).toBe('The first title');
  });

  test('is what the response to the last write says, until something else may have changed it', () => {
    const { pass, states, store, title } = setUp();
    states.setAfter(TAG, readItemState(change({ title: { rendered: 'The second title' } })), 1_001);
    pass();
    expect(title()).toBe('The second title');
    const groups = [{ name: 'example.com items', exceptKinds: [] }];
    store.invalidate({ kind: 'tags', tags: [], groups }, () => {});
    expect(title()).toBeNull();
  });

  test('is not kept of the items that were written the longest ago, once their texts are many', () => {
    const { states } = setUp();
    const long = readItemState({ id: 12, content: { rendered: 'a'.repeat(4_000), raw: 'b'.repeat(4_000) } });
    for (let id = 1; id <= 600; id += 1) states.setAfter(`example.com /wp/v2/posts/${id}`, long, 0);
    expect([1, 200, 400, 600].map((id) => states.mayKnow(`example.com /wp/v2/posts/${id}`))).toEqual([
      ...[false, false, true, true],
    ]);
  });

  test('is for one client which values it has seen, and for texts a stored response', () => {
    const { pass, save, states, store } = setUp();
    const edited = change({
      title: { raw: 'The first title', rendered: 'The first title' },
      note: 'secret',
    });
    save('a', POST);
    states.setRead(TAG, edited, 1_000);
    expect(states.getBefore(TAG, 1_000)).toBeNull();
    pass();
    const before = states.getBefore(TAG, 1_010) ?? readItemState({});
    expect(JSON.stringify([...before])).not.toContain('secret');
    const after = readItemState({ ...edited, title: { raw: 'New', rendered: 'New' } });
    const names = [...compareFields(before, after)].flatMap(([name, how]) => (how === 'same' ? [] : [name]));
    expect(names).toEqual(['title']);
    expect(listTextsBefore(before, after, names)).toEqual({ changed: ['The first title'], published: [] });
    // Of what no stored response shows there is no text.
    const secret = readItemState({ ...edited, note: 'another' });
    expect(listTextsBefore(readItemState(edited, false), secret, ['note'])).toBeNull();
    store.invalidate({ kind: 'tags', tags: [TAG] }, () => {}, 'soft');
    expect(states.getBefore(TAG, 1_020)).toBeNull();
  });
});
