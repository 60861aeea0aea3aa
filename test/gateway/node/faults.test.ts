import { ServerResponse } from 'node:http';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { endsWithin, systemClock } from '../../../src/base/ports.ts';
import { Compressor } from '../../../src/gateway/cache/compressor.ts';
import { CollapsedFetch } from '../../../src/gateway/cache/engine/collapsed-fetch.ts';
import { LeaderStream } from '../../../src/gateway/cache/engine/fetch-clients.ts';
import { BufferedResponse } from '../../../src/gateway/cache/engine/shareability.ts';
import { HttpCache } from '../../../src/gateway/cache/http-cache.ts';
import { MemoryStore } from '../../../src/gateway/cache/stores/memory-store.ts';
import { ResponseRelay } from '../../../src/gateway/exchange/response-relay.ts';
import { ForwardedRequest, GatewayRequest } from '../../../src/gateway/gateway-request.ts';
import { SITE_UPSTREAM } from '../../../src/gateway/respond.ts';
import { WriteObserver } from '../../../src/gateway/site/caching/write-observer.ts';
import { startGateway } from '../../support/gateway.ts';
import { PLAIN } from '../../support/run.ts';
import { sendBytes } from './serve-proxy.ts';

/** What takes part in a response: the writer, the relay and its observers, the rewriting, the cache and the store. */
const MEMBERS: readonly (readonly [{ readonly name: string; readonly prototype: object }, string])[] = [
  [ServerResponse, 'writeHead write end'],
  [ResponseRelay, 'head write end'],
  [GatewayRequest, 'recordUpstream'],
  [ForwardedRequest, 'toHeaders toRelayedHead'],
  [{ name: 'SITE_UPSTREAM', prototype: SITE_UPSTREAM }, 'fetch pass'],
  [HttpCache, 'serve serveStored retry'],
  [CollapsedFetch, 'start join head write end'],
  [LeaderStream, 'start write end'],
  [BufferedResponse, 'canServe createStatus toCompleteResponse'],
  [Compressor, 'selectRepresentation'],
  [MemoryStore, 'get put addForm replaceAll hasLater'],
  [WriteObserver, 'createBodyValidator head end'],
];
const PLACES = MEMBERS.flatMap(([{ name, prototype }, members]) =>
  members.split(' ').map((member) => ({ name, member, prototype: prototype as Record<string, () => void> })),
);

/** Requests for one address of the site: each of them and the one before can be the one that fails. */
const get = (version: string, fields = ''): string =>
  `GET PATH HTTP/${version}\r\nHost: a\r\n${fields}Connection: close\r\n\r\n`;
const VISITS: readonly (readonly string[])[] = [
  [get('1.1'), get('1.1')],
  [get('1.0'), get('1.1', 'Accept-Encoding: gzip\r\n')],
  [get('1.1', 'Range: bytes=0-9\r\n'), get('1.1', 'If-None-Match: "1"\r\n')],
  [get('1.1', 'Cookie: wordpress_logged_in_1=a\r\n'), get('1.1').replace('GET', 'HEAD')],
  [`POST PATH HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nConnection: close\r\n\r\na=b`, get('1.1')],
];

afterEach(() => vi.restoreAllMocks());

test('whatever throws while a response is made ends the connection and leaves a line in the log', async () => {
  const { lines, port } = await startGateway({ ...PLAIN, isNew: true }, ({ url }, _, response) => {
    const body = `<html><body>${'<p>http://127.0.0.1/a</p>'.repeat(200)}</body></html>`;
    const type = { 'content-type': 'text/html', 'cache-control': 'max-age=60' };
    if (url.includes('length')) response.writeHead(200, { ...type, 'content-length': body.length });
    else response.writeHead(url.includes('missing') ? 404 : 200, { ...type, etag: '"1"' });
    response.write(body.slice(0, 100));
    setTimeout(() => response.end(body.slice(100)), url.includes('slow') ? 5 : 0);
    return undefined;
  });
  let count = 0;
  const reached = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...PLACES),
      fc.integer({ min: 1, max: 2 }),
      fc.constantFrom(...VISITS),
      fc.constantFrom('length', 'slow', 'missing', 'chunks'),
      async ({ member, name, prototype }, nth, visits, kind) => {
        const path = `/${kind}/${count}`;
        count += 1;
        const original = prototype[member];
        let calls = 0;
        const thrown = new Error(`${member}, call ${nth}`);
        const spy = vi.spyOn(prototype, member).mockImplementation(function (this: unknown, ...args: []) {
          // The site is a server of Node too.
          if (this instanceof ServerResponse && this.req.headers.via !== undefined)
            return original?.apply(this, args);
          calls += 1;
          if (calls === nth) throw thrown;
          return original?.apply(this, args);
        });
        // Two clients at once, so that one follows the other.
        const responses: string[] = [];
        for (const visit of visits) {
          const bytes = visit.replace('PATH', path);
          const both = Promise.all([sendBytes(port, bytes), sendBytes(port, bytes)]);
          const ended = await endsWithin(10_000, both, systemClock);
          expect([name, member, visit, ended]).toEqual([name, member, visit, true]);
          responses.push(...(await both));
        }
        spy.mockRestore();
        if (calls < nth) return;
        reached.add(`${name}.${member}`);
        const isUnharmed = responses.every((response) => /^HTTP\/1\.1 (?:[23]|404)/.test(response));
        if (!isUnharmed) expect(lines.map(({ err }) => err)).toContain(thrown);
        // The next visitor gets the page.
        const next = await sendBytes(port, get('1.1').replace('PATH', path));
        expect(next).toMatch(/^HTTP\/1\.1 (?:200|404) [\s\S]*<\/html>/);
      },
    ),
    { numRuns: 100, endOnFailure: true },
  );
  expect(reached.size).toBeGreaterThan(15);
});
