import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fieldValue } from '../../../../src/base/http/fields.ts';
import { type Clock, systemClock } from '../../../../src/base/ports.ts';
import type { Gateway } from '../../../../src/gateway/index.ts';
import { type RunningServer, serve } from '../../../../src/gateway/node/index.ts';
import { openGateway } from '../../../../src/open-gateway.ts';
import { startServer, type TestServer } from '../../../support/server.ts';
import { waitUntil } from '../../../support/wait.ts';
import { type Case, formatValue, parseFields, parseSite, type Step } from './case.ts';
import { DECLINED } from './cases/declined.ts';
import { RESPONSE_DIRECTIVES, SPELLING, TARGETED } from './cases/directives.ts';
import { ADDRESSES, AUTHORIZATION, COOKIES, FIELDS, INCOMPLETE } from './cases/fields.ts';
import { AGE, FRESHNESS, STATUS } from './cases/freshness.ts';
import { CONDITIONS, HEAD, INVALIDATION, RANGES, REQUEST_DIRECTIVES } from './cases/requests.ts';
import { STALE, STALE_WHILE_REVALIDATE } from './cases/stale.ts';
import { VALIDATION } from './cases/validation.ts';
import { VARY } from './cases/vary.ts';

/** The rules of a shared cache, by topic. They run over sockets: a client, a plain caching reverse proxy of Node, and a site. */
const TABLE: Readonly<Record<string, readonly Case[]>> = {
  freshness: FRESHNESS,
  spelling: SPELLING,
  'statuses and heuristics': STATUS,
  age: AGE,
  'response directives': RESPONSE_DIRECTIVES,
  'targeted fields': TARGETED,
  'request directives': REQUEST_DIRECTIVES,
  'stale responses': STALE,
  'stale-while-revalidate': STALE_WHILE_REVALIDATE,
  vary: VARY,
  validation: VALIDATION,
  'conditions of the client': CONDITIONS,
  ranges: RANGES,
  head: HEAD,
  invalidation: INVALIDATION,
  'stored fields': FIELDS,
  authorization: AUTHORIZATION,
  cookies: COOKIES,
  'incomplete responses': INCOMPLETE,
  addresses: ADDRESSES,
  'declined cases': DECLINED,
};

/** Milliseconds between cases: longer than a gateway remembers anything of a site. */
const BETWEEN_CASES = 24 * 3600 * 1000;

/** A whole second, because HTTP dates have no fractions. The test sets the time; timers run in real time. */
let time: number = Date.UTC(2031, 10, 1, 12, 0, 0);
const clock: Clock = { now: () => time, after: systemClock.after };
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let site: TestServer;
let gateway: Gateway;
let server: RunningServer;
/** The running step, with the fields of each request that was forwarded in it. */
let current: { step: Step; number: number; start: number; forwarded: string[][]; finished: number };

beforeAll(async () => {
  site = await startServer((incoming, response) => {
    const running = current;
    running.forwarded.push(incoming.rawHeaders);
    time += (running.step.delay ?? 0) * 1000;
    response.on('close', () => {
      running.finished += 1;
    });
    incoming.resume().on('end', () => respond(incoming, response));
  });
  // Fields of requests that the cases use to vary by.
  const cache = { harmlessHeaders: ['foo', 'bar', 'x-*'] };
  const sites = [{ url: site.origin, discovery: 'off', passthrough: true, cache }] as const;
  gateway = openGateway({ sites, cache: 'memory', clock, random: () => 0 });
  server = await serve({ gateway, port: 0, settings: { shutdownGrace: 200 } });
});
afterAll(async () => {
  agent.destroy();
  await server.stop();
  await site.close();
});

describe.each(Object.entries(TABLE))('gateway: %s', (_topic, cases) => {
  test.each(cases)('$name ($rfc)', async ({ steps }) => {
    await gateway.parts.cache?.store.purge({ kind: 'all' }, 'hard');
    time += BETWEEN_CASES - (time % 1000);
    const start = time;
    for (const [index, step] of steps.entries()) {
      time += (step.after ?? 0) * 1000;
      current = { step, number: index + 1, start, forwarded: [], finished: 0 };
      const outcome = await send(step, start);
      if (step.refreshes !== undefined) await waitUntil(() => current.finished > 0);
      // A client has its response before the gateway has ended the request to the site, which may be sent again.
      await waitUntil(() => gateway.parts.cache?.openFetches === 0);
      expectOutcome(steps, outcome);
    }
  });
});

function siteBody(step: Step, number: number): string {
  const isEmpty = step.method === 'HEAD' || [204, 304].includes(parseSite(step).status);
  return isEmpty ? '' : (step.siteBody ?? `body of step ${number}`);
}

function respond({ socket }: IncomingMessage, response: ServerResponse): void {
  const { number, start, step } = current;
  if (step.failure === 'unreachable') return void socket.destroy();
  const { fields, status } = parseSite(step);
  const body = siteBody(step, number);
  const date = /(?:^| \| )Date: /.test(fields) ? [] : ['Date', new Date(time).toUTCString()];
  // A 304 and the response to HEAD update another response.
  const stamp = status === 304 || step.method === 'HEAD' ? [] : ['X-Step', String(number)];
  const head = [...date, ...parseFields(fields, start), ...stamp];
  response.sendDate = false;
  if (step.failure !== 'cut') return void response.writeHead(status, head).end(body);
  response.writeHead(status, [...head, 'Content-Length', String(Buffer.byteLength(body) + 1)]);
  response.write(body, () => socket.destroy());
}

interface Outcome {
  readonly status: number;
  readonly headers: readonly string[];
  /** As far as it was received. */
  readonly body: string;
}

function send({ method = 'GET', path = '/', request: fields = '' }: Step, start: number): Promise<Outcome> {
  const { host, hostname, port } = new URL(server.url);
  const headers = ['Host', host, ...parseFields(fields, start)];
  return new Promise((resolve, reject) => {
    const outgoing = request({ agent, hostname, port, method, path, headers }, (incoming) => {
      const { rawHeaders, statusCode: status = 0 } = incoming;
      let body = '';
      const finish = (): void => resolve({ status, headers: rawHeaders, body });
      incoming.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      incoming.on('end', finish).on('error', finish);
    });
    outgoing.on('error', reject).end();
  });
}

function expectOutcome(steps: readonly Step[], { body, headers, status }: Outcome): void {
  const { number, start, step } = current;
  // A request may be sent again after a connection without a response was closed.
  const forwarded = step.failure === 'unreachable' ? current.forwarded.slice(0, 1) : current.forwarded;
  const from = step.from ?? step.confirms ?? step.refreshes ?? number;
  const isForced = step.forwards ?? ((step.confirms ?? step.refreshes) === undefined ? undefined : true);
  const forwards = isForced ?? from === number;
  const label = `step ${number} (${status} ${JSON.stringify(headers)})`;
  expect(forwarded.length, `${label}: forwarded requests`).toBe(forwards ? 1 : 0);

  const source = steps[from - 1];
  const sourceStatus = source === undefined ? 200 : parseSite(source).status;
  expect(status, `${label}: status`).toBe(step.status ?? sourceStatus);
  const isHead = step.method === 'HEAD';
  if (from > 0 && !isHead && source?.method !== 'HEAD') {
    const stamp = from === number && sourceStatus === 304 ? undefined : String(from);
    expect(fieldValue(headers, 'x-step'), `${label}: step of the response`).toBe(stamp);
  }
  const isWhole = ![206, 416].includes(status) && source?.failure !== 'cut';
  const whole = source !== undefined && isWhole ? siteBody(source, from) : body;
  expect(body, `${label}: body`).toBe(step.body ?? (isHead || status === 304 ? '' : whole));

  // RFC 9211 §2.1: a hit is a request that was not forwarded.
  const cacheStatus = fieldValue(headers, 'cache-status') ?? '';
  if (cacheStatus !== '' && forwards !== (from !== number))
    expect(/; hit\b/.test(cacheStatus), `${label}: a hit`).toBe(!forwards && from > 0);

  const expected = parseFields(step.expects ?? '', start);
  for (let at = 0; at < expected.length; at += 2) {
    const name = expected[at] ?? '';
    expect(fieldValue(headers, name.toLowerCase()), `${label}: ${name}`).toBe(expected[at + 1]);
  }
  for (const name of step.absentFields ?? [])
    expect(fieldValue(headers, name.toLowerCase()), `${label}: ${name}`).toBeUndefined();
  for (const [name, value] of Object.entries(step.forwardedFields ?? {})) {
    const sent = fieldValue(forwarded[0] ?? [], name.toLowerCase());
    expect(sent, `${label}: sent ${name}`).toBe(value === null ? undefined : formatValue(value, start));
  }
}
