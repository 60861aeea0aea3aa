import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect } from 'vitest';
import type { UpstreamFailure } from '../../../../src/base/http/message.ts';
import type { SiteCacheOptions } from '../../../../src/base/option-types.ts';
import type { Gateway } from '../../../../src/gateway/index.ts';
import { DispatchTransport } from '../../../../src/gateway/upstream/dispatch-transport.ts';
import { createSettledGateway } from '../../../support/gateway.ts';
import { GatewayClock } from '../../../support/gateway-clock.ts';
import { createRoutesIndex } from '../../../support/index-routes.ts';
import { toAddress } from '../../../support/run.ts';
import { listStored } from '../../../support/stored-responses.ts';
import {
  EDITOR,
  type StubRequest,
  type StubResponse,
  type StubSite,
  startStubSite,
} from '../../../support/stub-site.ts';

/** A write and the site's response to it. */
export interface Sent extends RequestInit {
  readonly path: string;
  readonly response?: Partial<StubResponse>;
  /** Failure of the transport in place of a response. */
  readonly failure?: UpstreamFailure;
}

interface WritingSite {
  readonly routes: Readonly<Record<string, string>>;
  /** Addresses that are stored before each write. */
  readonly reads: readonly string[];
  readonly cache: SiteCacheOptions;
  readonly respondToRead: (request: StubRequest, response: ServerResponse) => void;
}

/** Starts a site for the tests of a file. @returns a function that lists the reads whose responses a write purges */
export function useWritingSite({ cache, reads, respondToRead, routes }: WritingSite) {
  let site: StubSite;
  let written: Sent = { path: '/' };
  /** By their options. */
  const gateways = new Map<string, Gateway>();
  const clock = new GatewayClock();
  beforeAll(async () => {
    site = await startStubSite({
      index: createRoutesIndex(routes),
      intercept(request, response) {
        if (request.route === '/') return false;
        // The clock is ahead of that of Node.
        response.sendDate = false;
        if (request.method === 'GET' && reads.includes(request.url)) respondToRead(request, response);
        else {
          const { body = '', headers = {}, status = 200 } = written.response ?? {};
          const isText = typeof body === 'string';
          const type = isText ? 'text/html; charset=UTF-8' : 'application/json';
          response.writeHead(status, { 'content-type': type, ...headers });
          response.end(isText ? body : JSON.stringify(body));
        }
        return true;
      },
    });
  });
  afterAll(async () => {
    for (const gateway of gateways.values()) await gateway.stop();
    await site.close();
  });

  async function start(more: SiteCacheOptions): Promise<Gateway> {
    const gateway = createSettledGateway({
      sites: [{ url: site.url, passthrough: true, cache: { ...cache, ...more } }],
      cache: 'memory',
      // What is purged again later would be so in another case.
      clock: { now: clock.now, after: (delay, run) => (delay < 1_000 ? clock.after(delay, run) : () => {}) },
      transport: ({ origin }) => {
        const transport = new DispatchTransport({ origin });
        return {
          send(request, sink) {
            const { failure } = written;
            if (failure === undefined || request.method === 'GET') return transport.send(request, sink);
            sink.fail(failure);
            return { resume() {}, abort() {} };
          },
          close: () => transport.close(),
          destroy: () => transport.destroy(),
        };
      },
    });
    await gateway.rediscover();
    gateways.set(JSON.stringify(more), gateway);
    return gateway;
  }

  return async (write: Sent, more: SiteCacheOptions = {}): Promise<readonly string[]> => {
    const { failure: _, path, response: __, ...init } = write;
    const { app } = gateways.get(JSON.stringify(more)) ?? (await start(more));
    // Each write is one of another hour.
    clock.pass(HOUR);
    for (const read of reads) {
      clock.tick();
      await (await app.request(toAddress(read))).text();
    }
    clock.tick();
    expect(await listStored(app, reads)).toEqual(reads);
    written = write;
    await (await app.request(toAddress(path), { method: 'POST', redirect: 'manual', ...init })).text();
    const left = new Set(await listStored(app, reads));
    return reads.filter((read) => !left.has(read));
  };
}

const HOUR = 3_600_000;

type Response = NonNullable<Sent['response']>;

export const form = (path: string, body: string, response: Response = {}, headers = {}): Sent => ({
  ...{ path, body, response },
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
});

export const json = (path: string, body: unknown, response: Response = {}, headers = {}): Sent => ({
  ...{ path, response },
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
});

export const AJAX = '/wp-admin/admin-ajax.php';

/** The same, sent by a user. */
export const byEditor = (sent: Sent): Sent => ({
  ...sent,
  headers: { ...Object(sent.headers), cookie: EDITOR.cookie },
});
