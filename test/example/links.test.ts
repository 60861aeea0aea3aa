import { describe, expect, test } from 'vitest';
import { boardDefinition } from '../../src/example/boards/index.ts';
import { contentDefinition } from '../../src/example/content/index.ts';
import { createSite, type ExampleSite } from '../../src/example/site/create-site.ts';
import { createAuthorizationHeader, type Login } from './gateway/running.ts';

const BASE = 'http://localhost';
const INDEX = `${BASE}/index.php?rest_route=`;

const faults: unknown[] = [];
const options = { base: BASE, onError: (fault: unknown): void => void faults.push(fault) };
const SITES: readonly (readonly [name: string, site: ExampleSite])[] = [
  ['content', createSite(contentDefinition, options)],
  ['boards', createSite(boardDefinition, options)],
];

/** Who follows the links, and how many of each kind: the addresses that differ in numbers and in slugs. */
const LOGINS: readonly (readonly [login: Login | null, most: number])[] = [
  [null, 40],
  ['subscriber', 8],
  ['editor', 8],
  ['admin', 8],
];

/** The most addresses that a site may have: one whose links never end fails. */
const LIMIT = 4000;

/** The addresses of the site in a page or a response. The templates of permalinks are none. */
function findAddresses(text: string, type: string): readonly string[] {
  const found = type.includes('json')
    ? [...text.replaceAll('\\/', '/').matchAll(/"(https?:[^"\\]*)"/g)].map(([, address = '']) => address)
    : [...text.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address = '']) =>
        address.replaceAll('&amp;', '&'),
      );
  return found
    .map((address) => new URL(address, `${BASE}/`).href.replace(/#.*/, ''))
    .filter((address) => address.startsWith(`${BASE}/`) && !/%7B|%(?:post|page)name%/i.test(address));
}

/** The routes that can be read. Their parameters are guesses: the numbers 1 and 3. */
async function listStarts(site: ExampleSite): Promise<Set<string>> {
  const { routes } = await (await site.request(`${INDEX}/`)).json();
  const readable = Object.entries<{ methods: string[] }>(routes).filter(([, { methods }]) =>
    methods.includes('GET'),
  );
  const guess = (route: string, value: string): string =>
    INDEX + route.replace(/\(\?P<\w+>(?:[^()[\]]|\[[^\]]*\])*\)/g, value);
  return new Set([`${BASE}/`, ...readable.flatMap(([route]) => [guess(route, '1'), guess(route, '3')])]);
}

/** Whether an address shows an index, whose links name the routes for writing and the patterns too. */
function isIndex(address: string): boolean {
  return address.startsWith(INDEX) && /^\/[\w-]*(?:\/v?[\d.]+)?$/.test(address.slice(INDEX.length));
}

/** Follows the links from the home page and from the routes, and returns those that lead nowhere. */
async function crawl(site: ExampleSite, login: Login | null, most: number): Promise<[number, string[]]> {
  const headers = login === null ? {} : createAuthorizationHeader(login);
  const starts = await listStarts(site);
  const pending = new Map([...starts].map((start) => [start, 'the index']));
  const counts = new Map<string, number>();
  const dead: string[] = [];
  // A Map visits what is added while it is walked.
  for (const [address, from] of pending) {
    const response = await site.request(address, { headers });
    const { status } = response;
    const isGuess = starts.has(address) && status === 404;
    if ((status === 404 && !isGuess) || status >= 500) dead.push(`${status} ${address} of ${from}`);
    const type = response.headers.get('content-type') ?? '';
    const location = response.headers.get('location');
    const links = location === null ? [] : [new URL(location, address).href];
    if (/json|html/.test(type) && !isIndex(address))
      links.push(...findAddresses(await response.text(), type));
    for (const link of links) {
      const kind = link.replace(/\d+/g, '1').replace(/[\w-]+\/$|[\w-]+(?=\.\w+$)/, '');
      const count = counts.get(kind) ?? 0;
      if (pending.has(link) || count >= most) continue;
      counts.set(kind, count + 1);
      pending.set(link, address);
    }
    if (pending.size > LIMIT) throw new Error(`more than ${LIMIT} addresses: ${address}`);
  }
  return [pending.size, dead];
}

describe.each(SITES)('the links of the %s site', (_, site) => {
  test.each(LOGINS)('lead somewhere for %s', async (login, most) => {
    const [count, dead] = await crawl(site, login, most);
    expect(dead).toEqual([]);
    expect(faults).toEqual([]);
    expect(count).toBeGreaterThan(60);
  });
});
