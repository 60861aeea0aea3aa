import { expect, test } from 'vitest';
import type { SiteOptions } from '../../src/gateway/index.ts';
import { networks, perMinute, startGateway } from '../support/gateway.ts';
import { runStubSite } from '../support/run.ts';
import { createSmallIndex } from '../support/small-index.ts';

/** Statuses, or what else shows that a setting holds. */
type Probe = (send: (path: string, init?: RequestInit) => Promise<Response>) => Promise<unknown>;

const callAgent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };

/** Sends a request several times. */
const repeat =
  (path: string, read: (response: Response) => unknown, init?: RequestInit): Probe =>
  async (send) => {
    const seen: unknown[] = [];
    for (let at = 0; at < 5; at += 1) seen.push(read(await send(path, init)));
    return seen;
  };

const readStatus = ({ status }: Response): number => status;
const isHit = ({ headers }: Response): boolean => headers.get('cache-status')?.includes('; hit') === true;
/** Reads an address until its response is stored. */
const readStored: Probe = async (send) => {
  for (let at = 0; at < 2; at += 1) await (await send('/a/')).text();
  return (await send('/a/')).text();
};
const RULE = { match: '/a/', ttl: 60 };

/** Settings before and after a reload, and what tells them apart. Each is of another part of a site. */
const CHANGES: Readonly<Record<string, readonly [Partial<SiteOptions>, Partial<SiteOptions>, Probe]>> = {
  'a limit that is higher': [
    { limits: { client: perMinute(1) } },
    { limits: { client: perMinute(3) } },
    repeat('/a/', readStatus),
  ],
  'passthrough, by which the limited tools for agents move': [
    { passthrough: false, mcp: true, limits: { rules: [{ match: '/-/mcp', client: perMinute(2) }] } },
    { passthrough: true, mcp: true, limits: { rules: [{ match: '/-/mcp', client: perMinute(2) }] } },
    repeat('/-/mcp', ({ status }) => status === 429, callAgent),
  ],
  'a rule of the cache': [{ cache: { rules: [] } }, { cache: { rules: [RULE] } }, repeat('/a/', isHit)],
  'no cache any more': [{ cache: { rules: [RULE] } }, { cache: 'off' }, repeat('/a/', isHit)],
  'validation of requests': [
    { validation: { mode: 'off' } },
    { validation: { mode: 'strict' } },
    repeat('/wp-json/demo/v1/notes?order=none', readStatus),
  ],
  'fields for the site, by which its responses differ': [
    { upstream: { headers: { 'X-Shop': 'one' } }, cache: { rules: [RULE] } },
    { upstream: { headers: { 'X-Shop': 'two' } }, cache: { rules: [RULE] } },
    readStored,
  ],
  'the host that the site is told': [
    { upstream: { host: 'one.example' }, cache: { rules: [RULE] } },
    { upstream: { host: 'two.example' }, cache: { rules: [RULE] } },
    readStored,
  ],
  'the protocol of the public URL': [
    { hosts: ['localhost'], publicUrl: 'http://localhost', cache: { rules: [RULE] } },
    { hosts: ['localhost'], publicUrl: 'https://localhost', cache: { rules: [RULE] } },
    readStored,
  ],
  'origins that can read': [
    { cors: { origins: ['https://a.example'] } },
    { cors: { origins: ['https://b.example'] } },
    repeat('/a/', ({ headers }) => headers.get('access-control-allow-origin'), {
      headers: { origin: 'https://b.example' },
    }),
  ],
  'an access list': [{}, { access: { allow: networks('192.0.2.1') } }, repeat('/a/', readStatus)],
  'the address of the reference': [
    {},
    { docs: '/reference' },
    repeat('/reference', ({ headers }) => headers.has('content-security-policy')),
  ],
};

test.each(Object.entries(CHANGES))('a reload gives what a restart gives: %s', async (_, change) => {
  const { url } = await runStubSite({
    index: createSmallIndex(),
    intercept({ headers, route, url }, response) {
      if (url === '/' || route === '/') return false;
      const told = [headers.host, headers['x-shop'], headers['x-forwarded-proto']];
      response.writeHead(200, { 'content-type': 'text/html' }).end(told.join(' '));
      return true;
    },
  });
  const [before, after, probe] = change;
  const withSettings = (settings: Partial<SiteOptions>) => ({
    sites: [{ url, passthrough: true, ...settings }],
  });
  const start = (settings: Partial<SiteOptions>) =>
    startGateway({ inMemory: true, isNew: true, gateway: withSettings(settings) });
  const reloaded = await start(before);
  const ofReplaced = await probe(reloaded.request);
  await reloaded.replace(withSettings(after));
  const ofRestarted = await probe((await start(after)).request);
  expect(ofRestarted).not.toEqual(ofReplaced);
  expect(await probe(reloaded.request)).toEqual(ofRestarted);
});
