import { beforeEach, describe, expect, test } from 'vitest';
import { DependencyLearning, WIDE_READ_KIND } from '../../../src/cache/dependencies/dependency-learning.ts';
import { storedResponse } from '../stores/store-contract.ts';

/** What observations teach about one kind of write, `PUT /shop/{id}`, and one kind of read, `/forum/{id}`. */

const WRITE = 'PUT /shop/{id}';
const READ = '/forum/{id}';
const GROUP = 'site other';
const OBSERVATIONS = 20;

let now: number;
let contradictions: number;
let learning: DependencyLearning;

beforeEach(() => {
  now = 1000;
  contradictions = 0;
  learning = create();
});

const tick = (): number => {
  now += 10;
  return now;
};

const create = () =>
  new DependencyLearning({
    observations: OBSERVATIONS,
    onContradiction: () => {
      contradictions += 1;
    },
  });

interface Write {
  readonly kind?: string | null;
  readonly tags?: readonly string[];
  readonly effectTags?: readonly string[];
  readonly resource?: string;
  readonly isCertain?: boolean;
  readonly wide?: { readonly kind: string; readonly group: string } | null;
}

function write({
  kind = WRITE,
  tags = ['item'],
  effectTags = tags,
  resource = 'r',
  isCertain = true,
  wide = null,
}: Write = {}): void {
  const logged = learning.startWrite(tick());
  const groups = [GROUP];
  const observed = {
    kind,
    tags,
    effectTags,
    namespace: 'shop',
    wide,
    resource,
    groups,
    hasCertainEffect: isCertain,
  };
  learning.finishWrite(logged, observed, tick());
}

interface Read {
  readonly key?: string;
  readonly routeClass?: string;
  readonly body?: string;
  readonly tags?: readonly string[];
}

function read({ key = 'k', routeClass = READ, body = 'same', tags = ['topic'] }: Read = {}): void {
  const requestTime = tick();
  const responseTime = tick();
  const response = storedResponse(requestTime, {
    responseTime,
    body: new TextEncoder().encode(body),
    tags,
    group: { name: GROUP, routeClass },
  });
  learning.observeStored(key, response);
}

/** Repeats write and read with enough different resources and keys. */
function observe(rounds: number, more: Write & Read = {}): void {
  for (let round = 0; round < rounds; round += 1) {
    const key = `k${round % 6}`;
    read({ key, ...more });
    write({ resource: `r${round % 6}`, ...more });
    read({ key, ...more });
  }
}

/** Makes one observation in each round: between two fetches there is one write. */
function alternate(rounds: number, first = 0): void {
  const keys = [0, 1, 2, 3, 4, 5].map((key) => `k${key}`);
  for (let round = first; round < first + rounds; round += 1) {
    if (round === first) for (const key of keys) read({ key });
    const key = keys[round % keys.length] ?? '';
    write({ resource: `r${round % 6}` });
    read({ key });
    // With this write, nothing can be said about the others.
    for (const other of keys) if (other !== key) hide(other);
  }
}

/** The next fetch of a key is not compared with the last. */
function hide(key: string): void {
  learning.observeStored(key, storedResponse(now, { group: { name: GROUP, routeClass: '' } }));
  read({ key });
}

const independent = () => learning.pairs.listIndependentKinds(WRITE, true);

/** Makes the log non-empty: nothing is remembered before the first write. */
function begin(): void {
  write({ kind: null });
}

describe('a kind of read becomes independent of a kind of write', () => {
  test('after enough observations, and not before', () => {
    begin();
    alternate(OBSERVATIONS - 1);
    expect(independent()).toEqual([]);
    alternate(1, OBSERVATIONS - 1);
    expect(independent()).toEqual([READ]);
  });

  test('with three observations for each of its addresses', () => {
    begin();
    for (let key = 0; key < 4; key += 1) read({ key: `extra ${key}` });
    alternate(29);
    expect(independent()).toEqual([]);
    alternate(1, 29);
    expect(independent()).toEqual([READ]);
  });

  test.each([
    ['writes of fewer than five resources', { resource: 'one' }],
    ['reads of fewer than five addresses', { key: 'one' }],
    ['writes whose effect was not seen', { isCertain: false }],
    ['reads that the write purges by a tag', { tags: ['item'] }],
    ['writes of an unknown kind', { kind: null }],
  ])('not by %s', (_, more) => {
    begin();
    observe(200, more);
    expect(independent()).toEqual([]);
  });

  /** Reads all keys before and after some writes. @returns the number of observations */
  function countObservations(resources: readonly string[], more: Write = {}): number {
    begin();
    for (let key = 0; key < 6; key += 1) read({ key: `k${key}` });
    for (const resource of resources) write({ resource, ...more });
    for (let key = 0; key < 6; key += 1) read({ key: `k${key}` });
    return learning.pairs.find(WRITE, READ)?.observations ?? 0;
  }

  test('with an observation for each of several writes between two fetches', () => {
    expect(countObservations(['a'])).toBe(6);
    learning = create();
    expect(countObservations(['a', 'b', 'c'])).toBe(18);
  });

  test.each<[string, readonly string[], Write]>([
    ['one resource was written twice', ['a', 'b', 'a'], {}],
    ['the effect of one of them is unknown', ['a', 'b'], { kind: null }],
  ])('with no observation by several writes if %s', (_, resources, last) => {
    begin();
    read();
    for (const resource of resources) write({ resource });
    write({ resource: 'last', ...last });
    read();
    expect(learning.pairs.find(WRITE, READ)).toBeUndefined();
  });

  test('not by writes that two requests for a read are apart, which could cancel each other out', () => {
    begin();
    for (let round = 0; round < 200; round += 1) {
      read({ key: `k${round % 6}` });
      write({ resource: `r${round % 6}` });
      write({ resource: `r${round % 7}` });
    }
    expect(independent()).toEqual([]);
  });

  test('not by writes that run while a response is fetched', () => {
    begin();
    for (let round = 0; round < 200; round += 1) {
      read({ key: `k${round % 6}` });
      const logged = learning.startWrite(now);
      read({ key: `k${round % 6}` });
      const observed = {
        kind: WRITE,
        tags: [],
        effectTags: [],
        namespace: 'shop',
        wide: null,
        resource: `r${round % 6}`,
        groups: [GROUP],
      };
      learning.finishWrite(logged, { ...observed, hasCertainEffect: true }, tick());
    }
    expect(independent()).toEqual([]);
  });

  test('with a single address, if the kind has only one', () => {
    begin();
    observe(OBSERVATIONS, { key: 'one', routeClass: '/forum/settings?view=short' });
    expect(independent()).toEqual(['/forum/settings?view=short']);
  });

  test('by writes whose effect another response shows', () => {
    begin();
    for (let round = 0; round < 60; round += 1) {
      const key = `k${round % 6}`;
      read({ key });
      read({ key: 'item', routeClass: '/shop/{id}', tags: ['item'], body: `${round}` });
      write({ resource: `r${round % 6}`, isCertain: false });
      read({ key });
      read({ key: 'item', routeClass: '/shop/{id}', tags: ['item'], body: `${round + 1}` });
    }
    expect(independent()).toEqual([READ]);
  });

  /** Writes without a certain effect, after each of which a summary changes. */
  function changeSummary(rounds: number, routeClass: string): void {
    for (let round = 0; round < rounds; round += 1) {
      const key = `k${round % 6}`;
      read({ key });
      write({ resource: `r${round % 6}`, isCertain: false });
      read({ key });
      read({ key: 'summary', routeClass, tags: ['summary'], body: `${round + 1}` });
    }
  }

  test('by writes after which a response of their namespace changes that never changed by itself', () => {
    begin();
    for (let fetch = 0; fetch < 7; fetch += 1) {
      read({ key: 'summary', routeClass: '/shop/summary', tags: ['summary'], body: '0' });
    }
    changeSummary(60, '/shop/summary');
    expect(independent()).toEqual([READ]);
  });

  test.each([
    ['was fetched too seldom without a write', '/shop/summary', ['0', '0', '0', '0', '0']],
    ['has changed without a write', '/shop/summary', ['0', '0', '0', '0', '0', '0', '0', '1', '0']],
    ['is of another namespace', '/shopping/summary', ['0', '0', '0', '0', '0', '0', '0']],
  ])('not by writes after which a response changes that %s', (_, routeClass, bodies) => {
    begin();
    for (const body of bodies) read({ key: 'summary', routeClass, tags: ['summary'], body });
    changeSummary(60, routeClass);
    expect(independent()).toEqual([]);
  });

  test.each([
    ['is unrelated', { tags: ['clock'] }],
    ['has a tag that the write purges by chance', { tags: ['#any'] }],
  ])('not by writes without effect while a response changes that %s', (_, clock) => {
    begin();
    let ticks = 0;
    const readClock = () => read({ key: 'clock', routeClass: '/clock', body: `${ticks++}`, ...clock });
    for (let round = 0; round < 200; round += 1) {
      const key = `k${round % 6}`;
      read({ key });
      write({
        resource: `r${round % 6}`,
        tags: ['item', '#any'],
        effectTags: ['item'],
        isCertain: false,
      });
      read({ key });
      readClock();
    }
    expect(independent()).toEqual([]);
  });

  test('and the kinds of read of one kind of write are limited', () => {
    begin();
    for (let word = 0; word < 700; word += 1) {
      const routeClass = `/search?q=word${word}`;
      read({ key: routeClass, routeClass });
      write();
      read({ key: routeClass, routeClass });
    }
    expect(learning.pairs.size).toBe(500);
  });
});

describe('a kind of read is no longer independent', () => {
  beforeEach(() => {
    begin();
    observe(60);
    expect(independent()).toEqual([READ]);
  });

  test('after a response that differs', () => {
    read({ key: 'k1' });
    write();
    read({ key: 'k1', body: 'changed' });
    expect(independent()).toEqual([]);
    expect(contradictions).toBe(1);
  });

  test('after a response that is no longer public', () => {
    read({ key: 'k1' });
    write();
    learning.observeNotStored('k1', 404, tick(), tick());
    expect(independent()).toEqual([]);
  });

  test('after a response that differs late, without another write', () => {
    read({ key: 'k1' });
    write({ resource: 'late' });
    read({ key: 'k1' });
    read({ key: 'k1', body: 'changed' });
    expect(independent()).toEqual([]);
  });

  test('after a response that differs late, for each of the writes before', () => {
    read({ key: 'k1' });
    write({ resource: 'late' });
    write({ resource: 'later', kind: 'PUT /other' });
    read({ key: 'k1' });
    read({ key: 'k1', body: 'changed' });
    expect(independent()).toEqual([]);
    expect(learning.pairs.find('PUT /other', READ)?.changes).toBe(1);
  });

  test('and needs more observations than before', () => {
    read({ key: 'k1' });
    write();
    read({ key: 'k1', body: 'changed' });
    for (let key = 0; key < 6; key += 1) hide(`k${key}`);
    alternate(2 * OBSERVATIONS - 1);
    expect(independent()).toEqual([]);
    observe(60);
    expect(independent()).toEqual([READ]);
  });

  test('when its operations change, and no other', () => {
    const useDocument = (changed: string): void =>
      learning.useDocument({
        version: changed,
        ofRead: (kind) => (kind === changed ? 'changed' : 'same'),
        ofWrite: (kind) => (kind === changed ? 'changed' : 'same'),
      });
    useDocument('');
    expect(independent()).toEqual([READ]);
    useDocument('/wp/v2/others');
    expect(independent()).toEqual([READ]);
    useDocument(READ);
    expect(independent()).toEqual([]);
  });

  test('for good after one mistake, if only some writes change it, as those of the posts in a sidebar do', () => {
    learning = create();
    begin();
    let sidebar = 0;
    const readAll = () => {
      for (let key = 0; key < 6; key += 1) read({ key: `k${key}`, body: `sidebar ${sidebar}` });
    };
    readAll();
    for (let round = 0; round < 200; round += 1) {
      const post = round % 10;
      write({ resource: `r${post}` });
      // Posts 7, 8 and 9 are shown on all pages.
      if (post > 6) sidebar += 1;
      readAll();
    }
    expect(contradictions).toBe(1);
    expect(independent()).toEqual([]);
  });

  test('but a failure of the site proves nothing', () => {
    read({ key: 'k1' });
    write();
    learning.observeNotStored('k1', 503, tick(), tick());
    expect(independent()).toEqual([READ]);
  });
});

describe('a wider kind of write', () => {
  const wide = { kind: 'WordPress posts', group: GROUP };
  const isKept = () => learning.pairs.listIndependentKinds(wide.kind, true).includes(WIDE_READ_KIND);

  /** Writes of as many kinds as there are rounds, each followed by all reads, of two kinds. */
  const sweep = (rounds: number, body = 'same', more: Write = { wide }) => {
    const reads = [0, 1, 2, 3, 4, 5].map((at) => ({
      key: `w${at}`,
      routeClass: at < 3 ? READ : '/news/{id}',
    }));
    for (let round = 0; round < rounds; round += 1) {
      for (const each of reads) read({ ...each, body });
      write({ kind: `PUT /posts field${round}`, resource: `r${round}`, tags: ['post'], ...more });
      for (const each of reads) read({ ...each, body });
    }
  };

  test('is observed with all reads of its group together', () => {
    begin();
    // Five observations for each of six addresses.
    sweep(4);
    expect(isKept()).toBe(false);
    sweep(6);
    expect(isKept()).toBe(true);
    expect(learning.pairs.listIndependentKinds('PUT /posts field1', true)).toEqual([]);
  });

  test.each<[string, Write]>([
    ['writes of another group', { wide: { ...wide, group: 'site pages' } }],
    ['writes whose effect was not seen', { wide, isCertain: false }],
    ['writes of one resource', { wide, resource: 'r' }],
    ['writes that purge the reads by a tag', { wide, tags: ['topic'] }],
  ])('is not observed by %s', (_, more) => {
    begin();
    sweep(30, 'same', more);
    expect(isKept()).toBe(false);
  });

  test('is forgotten after one response that differs', () => {
    begin();
    sweep(20);
    expect(isKept()).toBe(true);
    write({ kind: 'PUT /posts last', tags: ['post'], wide });
    read({ key: 'w1', body: 'filtered' });
    expect(isKept()).toBe(false);
    expect(contradictions).toBe(1);
  });
});

describe('an independent kind', () => {
  test('is purged all the same by one write in fifty', () => {
    begin();
    observe(60);
    const purges = Array.from({ length: 200 }, independent).filter((kinds) => kinds.length === 0);
    expect(purges).toHaveLength(4);
  });
});
