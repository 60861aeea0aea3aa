import { beforeEach, describe, expect, test } from 'vitest';
import {
  Evidence,
  nameFirstEdit,
  OWN_PAGES,
  type RecentWrite,
} from '../../../src/cache/dependencies/evidence.ts';
import type { PurgeClause, StoredResponse } from '../../../src/cache/store.ts';
import { storedResponse } from '../stores/store-contract.ts';

/** What comparisons teach about one kind of write. With this probability it needs 30 of them. */
const CONFIDENCE = 1 / 60;
const WRITE = 'PUT /shop/{id}';
const READ = '/forum/{id}';
const GROUP = 'site other';
const KEYS = ['k0', 'k1', 'k2', 'k3', 'k4'];

let now: number;
let contradictions: number;
let evidence: Evidence;
/** What sees the requests: the same, or a worker. */
let seen: Evidence;
let stored: Map<string, StoredResponse>;
let lastWrite: RecentWrite;

const create = () =>
  new Evidence({
    confidence: CONFIDENCE,
    onContradiction: () => {
      contradictions += 1;
    },
  });

beforeEach(() => {
  now = 100_000;
  contradictions = 0;
  evidence = create();
  seen = evidence;
  stored = new Map();
});

const tick = (): number => {
  now += 10;
  return now;
};

interface Write {
  readonly kind?: string | null;
  readonly tags?: readonly string[];
  readonly clauses?: readonly PurgeClause[];
  readonly resource?: string;
  readonly isCertain?: boolean;
  readonly effectTags?: readonly string[];
}

/** @returns the number of classes that the write keeps */
function write({
  kind = WRITE,
  tags = [],
  clauses = [],
  resource = `${now}`,
  isCertain = true,
  effectTags = ['item'],
}: Write = {}): number {
  const started = seen.startWrite(tick());
  lastWrite = started;
  const { length } = kept();
  const selection = { kind: 'tags' as const, tags, clauses, groups: [{ name: GROUP, exceptKinds: [] }] };
  const effect = { effectTags, hasCertainEffect: isCertain };
  seen.finishWrite(started, { kind, resource, selection, ...effect }, tick());
  return length;
}

function read(
  key = 'k0',
  body = 'same',
  routeClass = READ,
  tags: readonly string[] = ['topic'],
  headers: readonly string[] = [],
): void {
  const requestTime = tick();
  const response = storedResponse(requestTime, {
    responseTime: tick(),
    body: new TextEncoder().encode(body),
    tags,
    headers,
    group: { name: GROUP, routeClass },
  });
  seen.observe(key, stored.get(key), response);
  stored.set(key, response);
}

const readAll = (body = 'same') => {
  for (const key of KEYS) read(key, body);
};

/** Five comparisons in each round. */
function observe(rounds: number, more: Write = {}): void {
  readAll();
  for (let round = 0; round < rounds; round += 1) {
    write(more);
    readAll();
  }
}

const kept = () => evidence.listKeptPatterns(WRITE);
const pattern = () => evidence.kinds.get(WRITE)?.patterns.get(READ);

describe('a kind of write keeps a class of reads', () => {
  test('after as many comparisons as the accepted probability needs, and not before', () => {
    observe(5);
    expect(kept()).toEqual([]);
    observe(1);
    expect(kept()).toEqual([READ]);
  });

  test('also after several writes of different resources between two fetches', () => {
    observe(3);
    for (let at = 0; at < 3; at += 1) write();
    readAll();
    expect(pattern()?.same).toBe(30);
    expect(kept()).toEqual([READ]);
  });

  test.each<[string, Write]>([
    ['writes of one resource only', { resource: 'one' }],
    ['writes whose effect was not seen', { isCertain: false }],
    ['reads that tags of the write select', { tags: ['topic'] }],
    ['reads that clauses of the write select', { clauses: [{ tags: ['topic'], texts: ['same'] }] }],
    ['writes of an unknown kind', { kind: null }],
  ])('not by %s', (_, more) => {
    observe(40, more);
    expect(kept()).toEqual([]);
  });

  test('by reads whose text has no value that a clause selects', () => {
    observe(6, { clauses: [{ tags: ['topic'], texts: ['other'] }] });
    expect(kept()).toEqual([READ]);
  });

  test('by reads of one address, if more are known, after four that were the same', () => {
    const readOthers = () => {
      for (let at = 0; at < 10; at += 1) read(`o${at}`, 'same', '/other/{id}');
    };
    readAll();
    readOthers();
    // Eleven comparisons after each write.
    for (const expected of [[], [], [], ['/other/{id}'], ['/other/{id}', READ]]) {
      expect(kept()).toEqual(expected);
      write();
      readOthers();
      read('k0');
    }
  });

  test('by reads of two addresses after writes of two resources', () => {
    readAll();
    for (let round = 0; round < 15; round += 1) {
      expect(kept()).toEqual([]);
      write({ resource: `/shop/${round % 2}` });
      read('k0');
      read('k1');
    }
    expect(kept()).toEqual([READ]);
  });

  test('by the reads of its only address', () => {
    for (let round = 0; round < 31; round += 1) {
      read('one');
      write();
    }
    expect(kept()).toEqual([READ]);
  });

  test('once a response of the written resource has changed', () => {
    observe(1, { isCertain: false });
    for (let round = 0; round < 6; round += 1) {
      read('item', `${round}`, '/shop/{id}', ['item']);
      write({ isCertain: false, tags: ['item'] });
      read('item', `${round + 1}`, '/shop/{id}', ['item']);
      readAll();
    }
    expect(kept()).toEqual([READ]);
  });

  test('not by two writes of one resource, of which one may undo the other, nor by one that selects it, but by the others', () => {
    observe(1);
    write({ resource: 'r' });
    write({ resource: 'r' });
    write({ tags: ['topic'] });
    readAll();
    expect(pattern()?.same).toBe(5);
    for (const resource of ['r', 's', 'r']) write({ resource });
    write({ tags: ['topic'] });
    readAll();
    expect(pattern()?.same).toBe(10);
    write({ kind: null });
    write();
    readAll();
    expect(pattern()?.same).toBe(10);
  });

  test('not by writes that overlap a fetch, or that are not known', () => {
    observe(1);
    const overlapping = seen.startWrite(tick());
    readAll();
    seen.voidWrite(overlapping);
    write();
    seen.interrupt(tick());
    readAll();
    expect(pattern()?.same).toBe(5);
  });

  test('also after the writes before, if a response of the class was the same after each of them', () => {
    const hasLearned = (each: RecentWrite) => evidence.hasLearned(each, READ);
    readAll();
    write();
    const first = lastWrite;
    readAll();
    expect(hasLearned(first)).toBe(false);
    observe(6);
    expect(hasLearned(first)).toBe(true);
    write();
    const last = lastWrite;
    expect(hasLearned(last)).toBe(false);
    read();
    expect(hasLearned(last)).toBe(true);
    write();
    readAll('other');
    expect([first, last].map(hasLearned)).toEqual([false, false]);
  });

  test('except at each second write, which has it compared, unless it was compared meanwhile', () => {
    observe(6);
    const list = (then = () => {}): readonly number[] =>
      Array.from({ length: 8 }, () => {
        const length = write();
        then();
        return length;
      });
    expect(list()).toEqual([1, 0, 1, 0, 1, 0, 1, 0]);
    expect(list(readAll)).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  });
});

describe('the page of the written item', () => {
  const tag = (id: number) => `site ^/shop/${id}`;
  const PAGE = '/shop/{}';
  const readPages = (body = 'same') => {
    for (const id of [1, 2, 3]) read(`page ${id}`, `${body} ${id}`, PAGE, [tag(id)]);
  };
  const writeItem = (id: number) => write({ resource: `/shop/${id}`, effectTags: [tag(id)] });

  test('is kept once four such pages were the same, not with the pages of others', () => {
    observe(6);
    readPages();
    for (let round = 0; round < 4; round += 1) {
      expect(kept()).not.toContain(OWN_PAGES);
      writeItem(1 + (round % 2));
      readPages();
      readAll();
    }
    expect(kept().toSorted()).toEqual([READ, PAGE, OWN_PAGES]);
    expect(evidence.kinds.get(WRITE)?.patterns.get(PAGE)?.same).toBe(8);
  });

  test('depends on such writes although the pages of others do not', () => {
    observe(6);
    readPages();
    for (let round = 0; round < 12; round += 1) {
      writeItem(1);
      for (const id of [2, 3]) read(`page ${id}`, `same ${id}`, PAGE, [tag(id)]);
      read('page 1', round === 5 ? 'changed' : 'same 1', PAGE, [tag(1)]);
      readAll();
    }
    expect(kept()).toEqual([READ, PAGE]);
    expect(evidence.kinds.get(WRITE)?.patterns.get(OWN_PAGES)?.changes).toBe(2);
    expect(evidence.kinds.get(WRITE)?.patterns.get(PAGE)?.changes).toBe(0);
  });
});

describe('a counter-example', () => {
  beforeEach(() => observe(6));

  test('in what was kept purges the site and doubles what is needed', () => {
    write({ resource: '/shop/7' });
    read('k1', 'changed');
    expect(kept()).toEqual([]);
    expect(contradictions).toBe(1);
    expect(pattern()?.example).toEqual({ page: 'k1', write: '/shop/7', time: now });
    stored.clear();
    observe(11);
    expect(kept()).toEqual([]);
    observe(1);
    expect(kept()).toEqual([READ]);
  });

  test('is a response that is no longer public, and not a failure of the site', () => {
    write();
    const unstored = (status: number) => ({ status, requestTime: tick(), responseTime: tick() });
    seen.observeStatus('k1', stored.get('k1'), unstored(503));
    expect(contradictions).toBe(0);
    seen.observeStatus('k1', stored.get('k1'), unstored(404));
    expect(contradictions).toBe(1);
  });

  test('may come late, without another write', () => {
    write();
    read('k1');
    read('k1', 'changed');
    expect(contradictions).toBe(1);
  });

  test('of several writes is one for each, unless it is explained', () => {
    write({ kind: 'PUT /other' });
    write();
    read('k1', 'changed');
    expect(pattern()?.changes).toBe(1);
    expect(evidence.kinds.get('PUT /other')?.patterns.get(READ)?.changes).toBe(1);
    write({ kind: 'PUT /third' });
    write();
    read('k1', 'again');
    expect(evidence.kinds.get('PUT /third')?.patterns.get(READ)).toBeUndefined();
  });

  test.each<[string, Write]>([
    ['tags select', { tags: ['topic'] }],
    ['a clause selects', { clauses: [{ tags: ['topic'], texts: ['same'] }] }],
  ])('is no response that %s', (_, more) => {
    write(more);
    read('k1', 'changed');
    expect(contradictions).toBe(0);
  });
});

describe('what changes without a write', () => {
  const page = (nonce: number, state = 0) => `<p>state ${state}</p><input name="_nonce" value="${nonce}">`;

  test('at the same place twice is no effect, and other places are', () => {
    write({ kind: null });
    for (let nonce = 0; nonce < 3; nonce += 1) read('k0', page(nonce));
    write();
    read('k0', page(9));
    expect(pattern()).toMatchObject({ same: 1, changes: 0 });
    write();
    read('k0', page(10, 1));
    expect(pattern()?.changes).toBe(1);
    expect(evidence.variations.get(READ)).toMatchObject({ compared: 2, changed: 2 });
  });

  test('as the time of the last edit of any post of a feed is no difference', () => {
    const feed = (time: number) => `<rss><lastBuildDate>${time}</lastBuildDate><item>one</item></rss>`;
    read('k0', feed(1));
    write();
    read('k0', feed(2));
    expect(pattern()).toMatchObject({ same: 1, changes: 0 });
  });

  describe('as the time of its request', () => {
    const timed = (offset = 0) => `<p>one</p><script>made = '${Math.floor(now / 1_000) + offset}'</script>`;
    /** A write, and the page that a client reads after as many milliseconds. */
    const readAfterWrite = (delay: number, key = 'k0', routeClass = READ, offset = 0) => {
      write();
      now += delay;
      read(key, timed(offset), routeClass);
    };

    beforeEach(() => {
      now = 1_795_602_536_000;
      read('k0', timed());
    });

    test('is no effect once it was seen twice long after a write, in other route classes too', () => {
      readAfterWrite(4_000);
      expect(pattern()?.changes).toBe(1);
      readAfterWrite(4_000);
      expect(pattern()).toMatchObject({ same: 1, changes: 0 });
      read('other', timed(), '/other/{id}');
      readAfterWrite(1_000, 'other', '/other/{id}');
      const other = evidence.kinds.get(WRITE)?.patterns.get('/other/{id}');
      expect(other).toMatchObject({ same: 1, changes: 0 });
    });

    test.each<[string, () => string]>([
      ['milliseconds', () => `<p data-made="${now - 20}">one</p>`],
      [
        'uniqid()',
        () => `<input id="quantity_${Math.floor(now / 1_000).toString(16)}${`${now}`.slice(-5)}">`,
      ],
    ])('is also found as %s', (_, page) => {
      read('other', page(), '/other/{id}');
      for (let round = 0; round < 3; round += 1) {
        write();
        now += 4_321;
        read('other', page(), '/other/{id}');
      }
      expect(evidence.kinds.get(WRITE)?.patterns.get('/other/{id}')).toMatchObject({ same: 2, changes: 0 });
    });

    test('may be that of a write before', () => {
      for (let round = 0; round < 5; round += 1) readAfterWrite(1_500);
      expect(pattern()?.changes).toBe(5);
    });

    test('is an effect if the time is another', () => {
      for (let round = 0; round < 3; round += 1) readAfterWrite(4_000);
      readAfterWrite(4_000, 'k0', READ, -60);
      expect(pattern()?.changes).toBe(1);
    });
  });

  test('and seldom is an effect', () => {
    write({ kind: null });
    for (const nonce of [0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2]) read('k0', page(nonce));
    write();
    read('k0', page(3));
    expect(pattern()?.changes).toBe(1);
  });
});

test('another document forgets everything', () => {
  evidence.useDocument('one');
  observe(6);
  evidence.useDocument('one');
  expect(kept()).toEqual([READ]);
  evidence.useDocument('two');
  expect(pattern()).toBeUndefined();
});

test('the route classes of one kind of write are limited', () => {
  for (let word = 0; word < 700; word += 1) {
    const name = `/search?q=word${word}`;
    read(name, 'same', name);
    write();
    read(name, 'same', name);
  }
  expect(evidence.kinds.get(WRITE)?.patterns.size).toBe(500);
});

test('a difference across the times at which WordPress makes other nonces is no counter-example', () => {
  const tickOfNonces = 12 * 3_600_000;
  now = 2 * tickOfNonces - 30_000;
  const differ = () => {
    write();
    read('k0', `other ${now}`);
  };
  observe(6);
  // The clocks of the site and of the gateway may differ by a minute.
  differ();
  now += 40_000;
  differ();
  expect([kept(), contradictions]).toEqual([[READ], 0]);
  now += 60_000;
  read();
  expect(evidence.variations.get(READ)?.changed ?? 0).toBe(0);
  differ();
  expect([kept(), contradictions]).toEqual([[], 1]);
});

describe('what only a date selects that may be that of the publication', () => {
  const FIRST_EDIT = nameFirstEdit(WRITE);
  const byDate = { clauses: [{ tags: ['topic'], texts: ['same'], exceptKinds: [] }] };

  test('is kept by first edits after comparisons that are the same, and is evidence about all writes', () => {
    observe(6, byDate);
    expect(evidence.listKeptPatterns(FIRST_EDIT)).toEqual([READ]);
    expect(kept()).toEqual([READ]);
    observe(1);
    expect(evidence.kinds.get(FIRST_EDIT)?.patterns.get(READ)?.same).toBe(30);
  });

  test('is no longer kept by first edits once one has changed it', () => {
    observe(6, byDate);
    write(byDate);
    read('k0', 'changed');
    expect(evidence.listKeptPatterns(FIRST_EDIT)).toEqual([]);
    expect(kept()).toEqual([READ]);
    expect(contradictions).toBe(1);
  });

  test('is no evidence if a tag selects it too', () => {
    observe(6, { ...byDate, tags: ['topic'] });
    expect([...evidence.kinds.keys()]).toEqual([]);
  });
});

test('a write is alone if no other has run at the same time', () => {
  const first = evidence.startWrite(tick());
  const second = evidence.startWrite(tick());
  evidence.skipWrite(first, tick());
  evidence.skipWrite(second, tick());
  const third = evidence.startWrite(tick());
  const refused = evidence.startWrite(tick());
  evidence.voidWrite(refused);
  expect([first, second, third].map((each) => evidence.isAlone(each, now))).toEqual([false, false, true]);
});

describe('validators of a route class', () => {
  const DATE = 'Mon, 01 Jan 2024 00:00:00 GMT';
  /** Reads each body with its entity tag and date. */
  const readVersions = (...versions: readonly (readonly [body: string, etag: string])[]): boolean => {
    for (const [body, etag] of versions)
      read('k0', body, READ, [], [...(etag === '' ? [] : ['ETag', etag]), 'Last-Modified', DATE]);
    return seen.trustsValidators(READ);
  };

  test.each<[boolean, string, readonly (readonly [string, string])[]]>([
    [
      true,
      'changed with it twice',
      [
        ['a', '"1"'],
        ['b', '"2"'],
        ['c', '"3"'],
      ],
    ],
    [
      false,
      'changed with it once',
      [
        ['a', '"1"'],
        ['b', '"2"'],
        ['b', '"3"'],
      ],
    ],
    [
      false,
      'missed a change',
      [
        ['a', '"1"'],
        ['b', '"1"'],
        ['c', '"2"'],
        ['d', '"3"'],
        ['e', '"4"'],
      ],
    ],
    [
      false,
      'are the date that stays and the tag of the gateway',
      [
        ['a', ''],
        ['b', ''],
        ['c', ''],
      ],
    ],
  ])('are believed: %s, if they %s', (isTrusted, _, versions) => {
    expect(readVersions(...versions)).toBe(isTrusted);
  });
});
