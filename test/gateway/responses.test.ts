import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/ports.ts';
import type { ResponseValidationReport } from '../../src/validation/response/index.ts';
import { type RunningGateway, TRANSPORTS } from '../support/gateway.ts';
import { recordedIndex, type StubSite, startStubSite } from '../support/stub-site.ts';

const TOKEN = 'token';

/** A post as the site writes it: its meta is empty, and its author is nobody. */
const POST = { id: 1, author: null, meta: [], title: { rendered: 'Hello' } };

let site: StubSite;
let body: Buffer;
let coding: string | undefined;
let status: number;
beforeAll(async () => {
  site = await startStubSite({
    index: recordedIndex(),
    help: recordedIndex('help'),
    intercept({ route }, response) {
      if (route !== '/wp/v2/posts') return false;
      response.writeHead(status, {
        'content-type': 'application/json; charset=UTF-8',
        ...(coding === undefined ? {} : { 'content-encoding': coding }),
      });
      response.end(body);
      return true;
    },
  });
  return () => site.close();
});

let running: RunningGateway;
beforeEach(() => {
  body = Buffer.from(JSON.stringify([POST, POST]));
  coding = undefined;
  status = 200;
});
afterEach(() => running.stop());

describe.each(Object.entries(TRANSPORTS))('by %s', (name, start) => {
  const serving = async (responses: 'off' | 'sample' | 'all', random = () => 0.5): Promise<void> => {
    running = await start({
      sites: [
        {
          url: site.url,
          name: 'site',
          discover: { include: ['/wp/v2/posts'] },
          validation: { mode: 'observe', responses },
        },
      ],
      admin: { token: TOKEN },
      // Time that does not pass is never used up: what the limits do is a test of their own.
      clock: { ...systemClock, now: () => 0 },
      random,
    });
  };
  const ask = async (query = ''): Promise<Buffer> => {
    const answer = await running.ask(`/site/wp/v2/posts${query}`, {
      headers: { 'accept-encoding': 'identity' },
    });
    return Buffer.from(await answer.arrayBuffer());
  };
  const report = async (): Promise<ResponseValidationReport | null> => {
    const answer = await running.ask('/-/sites/site/validation', {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    const { responses }: { responses: ResponseValidationReport | null } = await answer.json();
    return responses;
  };
  /** The report when so many answers have been looked at, which happens after they have gone out. */
  const reportOf = async (answers: number): Promise<ResponseValidationReport> => {
    for (let tries = 0; tries < 500; tries += 1) {
      const found = await report();
      const unjudged = Object.values(found?.skipped ?? {}).reduce((sum, count) => sum + count, 0);
      if (found !== null && found.validated + unjudged >= answers) return found;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error('the answers were never judged');
  };

  test('what is found in the answers stands in the report, by operation, place and kind', async () => {
    await serving('all');
    for (let time = 0; time < 3; time += 1) expect(await ask()).toEqual(body);
    expect(await reportOf(3)).toMatchObject({
      judged: 3,
      unjudged: {},
      operations: [
        {
          operation: 'listPosts',
          judged: 3,
          right: 0,
          findings: [
            { kind: 'null', pointer: '/*/author', weight: 'wrong', answers: 3 },
            { kind: 'empty-array-for-object', pointer: '/*/meta', weight: 'tolerated', answers: 3 },
          ],
        },
      ],
    });
  });

  test('a coded answer goes out as it came, and is judged where the coding is known', async () => {
    await serving('all');
    const plain = body;
    coding = 'gzip';
    body = gzipSync(plain);
    await ask();
    coding = 'br';
    body = brotliCompressSync(plain);
    await ask();
    // `fetch` has decoded it before anyone sees it.
    const decoded = name === 'the portable app';
    expect(await reportOf(2)).toMatchObject(decoded ? { judged: 2 } : { judged: 1, unjudged: { coded: 1 } });
  });

  test('an error of the site is not judged', async () => {
    await serving('all');
    status = 500;
    await ask();
    expect(await reportOf(1)).toMatchObject({ judged: 0, unjudged: { status: 1 } });
  });

  test('of answers that are sampled, one in a hundred is looked at', async () => {
    const drawn = [0.5, 0.001, 0.5, 0.5];
    await serving('sample', () => drawn[0] ?? 0.5);
    for (drawn.unshift(0.5); drawn.length > 1; drawn.shift()) await ask();
    expect(await reportOf(1)).toMatchObject({ judged: 1 });
  });

  test('where they are not looked at, there is nothing to report', async () => {
    await serving('off');
    await ask();
    expect(await report()).toBeNull();
  });
});
