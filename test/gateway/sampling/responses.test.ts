import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/ports.ts';
import type { ResponseValidationReport } from '../../../src/validation/response/validator.ts';
import { ADAPTERS, type RunningGateway } from '../../support/gateway.ts';
import { readRecordedIndex, type StubSite, startStubSite } from '../../support/stub-site.ts';
import { waitUntil } from '../../support/wait.ts';

const TOKEN = 'token';

/** A post as the site writes it, with empty `meta` and without an author. */
const POST = {
  id: 1,
  date: '2026-01-01T10:00:00',
  date_gmt: '2026-01-01T10:00:00',
  guid: { rendered: 'https://example.com/?p=1' },
  modified: '2026-01-01T10:00:00',
  modified_gmt: '2026-01-01T10:00:00',
  slug: 'hello',
  status: 'publish',
  type: 'post',
  link: 'https://example.com/hello/',
  class_list: [],
  title: { rendered: 'Hello' },
  content: { rendered: '', protected: false },
  excerpt: { rendered: '', protected: false },
  author: null,
  featured_media: 0,
  comment_status: 'open',
  ping_status: 'open',
  sticky: false,
  template: '',
  format: 'standard',
  meta: [],
  categories: [],
  tags: [],
  _links: { self: [], collection: [], about: [] },
};

let site: StubSite;
let body: Buffer;
let coding: string | undefined;
beforeAll(async () => {
  site = await startStubSite({
    index: readRecordedIndex(),
    helpIndex: readRecordedIndex('help'),
    intercept({ route }, response) {
      if (route !== '/wp/v2/posts') return false;
      response.writeHead(200, {
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
});
afterEach(() => running.stop());

describe.each(Object.entries(ADAPTERS))('by %s', (name, start) => {
  const startGateway = async (responses: 'off' | 'sample' | 'all'): Promise<void> => {
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
      // A stopped clock disables the time budget, which `sampling.test.ts` covers.
      clock: { ...systemClock, now: () => 0 },
    });
  };
  const requestPosts = async (query = ''): Promise<Buffer> => {
    const response = await running.request(`/site/wp/v2/posts${query}`, {
      headers: { 'accept-encoding': 'identity' },
    });
    return Buffer.from(await response.arrayBuffer());
  };
  const report = async (): Promise<ResponseValidationReport | null> => {
    const response = await running.request('/-/sites/site/validation', {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    const { responses }: { responses: ResponseValidationReport | null } = await response.json();
    return responses;
  };
  /** Polls the report until it covers a number of responses: validation runs after the response. */
  const waitForReport = async (responses: number): Promise<ResponseValidationReport> => {
    let found: ResponseValidationReport | null = null;
    await waitUntil(async () => {
      found = await report();
      const { skipped = {}, validated = 0 } = found ?? {};
      return Object.values(skipped).reduce((sum, count) => sum + count, validated) >= responses;
    });
    if (found === null) throw new Error('the gateway has no report');
    return found;
  };

  test('the report lists findings by operation, location and kind', async () => {
    await startGateway('all');
    for (let time = 0; time < 3; time += 1) expect(await requestPosts()).toEqual(body);
    expect(await waitForReport(3)).toMatchObject({
      validated: 3,
      skipped: {},
      operations: [
        {
          operation: 'listPosts',
          validated: 3,
          correct: 0,
          findings: [
            { kind: 'null', pointer: '/*/author', severity: 'wrong', responses: 3 },
            { kind: 'empty-array-for-object', pointer: '/*/meta', severity: 'tolerated', responses: 3 },
          ],
        },
      ],
    });
  });

  test('a response with content coding is relayed unchanged, and validated if the coding is supported', async () => {
    await startGateway('all');
    const plain = body;
    coding = 'gzip';
    body = gzipSync(plain);
    await requestPosts();
    coding = 'br';
    body = brotliCompressSync(plain);
    await requestPosts();
    // `fetch` decodes the body.
    const decoded = name === 'the portable app';
    expect(await waitForReport(2)).toMatchObject(
      decoded ? { validated: 2 } : { validated: 1, skipped: { 'content-coding': 1 } },
    );
  });

  test('the report is null if responses are not validated', async () => {
    await startGateway('off');
    await requestPosts();
    expect(await report()).toBeNull();
  });
});
