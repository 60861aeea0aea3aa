import { Context } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EventStreams } from '../../../src/gateway/console/event-streams.ts';
import { createGateway, type Gateway } from '../../../src/gateway/index.ts';
import { serve } from '../../../src/node/index.ts';
import { type Clock, systemClock } from '../../../src/ports.ts';
import { readSeed } from '../../support/documents.ts';
import { ASSETS, signIn } from './support/console-client.ts';

/** A request of a page for its stream. */
const call = () => new Context(new Request('http://gateway.example.com/'));

/** A clock that the test moves, by three seconds. */
function createSteps() {
  let now = 0;
  const pending = new Map<() => void, number>();
  return {
    clock: {
      now: () => now,
      after(delay: number, task: () => void) {
        pending.set(task, now + delay);
        return () => pending.delete(task);
      },
    },
    pending,
    async step(count = 1) {
      const settle = () => new Promise((resolve) => setImmediate(resolve));
      await settle();
      for (let steps = 0; steps < count; steps += 1) {
        now += 3_000;
        for (const [task, at] of [...pending]) if (at <= now && pending.delete(task)) task();
        await settle();
      }
    },
  };
}

/** Opens the only stream. */
function openStream(
  clock: Clock,
  render: () => Promise<Map<string, string> | null>,
  isAllowed = () => true,
): Response | null {
  const streams = new EventStreams(clock, new AbortController().signal);
  return streams.open(call(), { owner: 'a', isAllowed, render });
}

function readText(response: Response | null): () => Promise<string> {
  const reader = response?.body?.getReader();
  return async () => new TextDecoder().decode((await reader?.read())?.value);
}

const section = (id: string, html: string): string =>
  `event: section\ndata: ${JSON.stringify({ id, html })}\n\n`;

describe('a stream of a page', () => {
  test('sends each section once, and again when it changes', async () => {
    const { clock, step } = createSteps();
    const sections = new Map([
      ['one', '<p>1</p>'],
      ['two', '<p>\n2</p>'],
    ]);
    const read = readText(openStream(clock, async () => sections));
    expect((await read()) + (await read())).toBe(section('one', '<p>1</p>') + section('two', '<p>\n2</p>'));
    sections.set('two', '<p>3</p>');
    const next = read();
    await step();
    expect(await next).toBe(section('two', '<p>3</p>'));
  });

  test('is kept alive while nothing changes', async () => {
    const { clock, step } = createSteps();
    const read = readText(openStream(clock, async () => new Map([['a', '1']])));
    await read();
    const next = read();
    await step(5);
    expect(await next).toBe(': alive\n\n');
  });

  test.each<[string, () => boolean, () => Promise<Map<string, string> | null>]>([
    ['the session has ended', () => false, async () => new Map()],
    ['the page no longer exists', () => true, async () => null],
    ['the page cannot be rendered', () => true, async () => Promise.reject(new Error('broken'))],
  ])('ends when %s', async (_, isAllowed, render) => {
    const { clock, pending } = createSteps();
    const response = openStream(clock, render, isAllowed);
    expect(await response?.text()).toBe('event: end\ndata: \n\n');
    expect(pending.size).toBe(0);
  });
});

describe('a client that does not read', () => {
  const open = (isAllowed = () => true) => {
    const { clock, pending, step } = createSteps();
    let count = 0;
    const render = async (): Promise<Map<string, string>> => {
      count += 1;
      return new Map([['a', String(count)]]);
    };
    return { response: openStream(clock, render, isAllowed), pending, step, count: () => count };
  };

  test('has one event before it, and one rendered after that', async () => {
    const { count, step } = open();
    await step(10);
    expect(count()).toBe(2);
  });

  test('sees no more after the end of its session', async () => {
    let isAllowed = true;
    const { response, step } = open(() => isAllowed);
    await step(2);
    isAllowed = false;
    const text = response?.text();
    await step(2);
    expect(await text).toBe(`${section('a', '1')}${section('a', '2')}event: end\ndata: \n\n`);
  });

  test('loses its stream after a minute, so that it takes no place from others', async () => {
    const { pending, response, step } = open();
    // The second event is written after the first step.
    await step(20);
    expect(pending.size).toBe(1);
    await step();
    expect(pending.size).toBe(0);
    expect(await response?.text()).toBe(section('a', '1'));
  });
});

describe('the streams of a gateway', () => {
  const idle = { isAllowed: () => true, render: async () => new Map<string, string>() };
  const openAll = (streams: EventStreams, count: number): (Response | null)[] =>
    Array.from({ length: count }, (_, index) => streams.open(call(), { ...idle, owner: String(index) }));

  test('are limited, and a client that goes makes room', async () => {
    const { clock, pending } = createSteps();
    const stopping = new AbortController();
    const streams = new EventStreams(clock, stopping.signal);
    const opened = openAll(streams, 21);
    expect(opened.filter((response) => response === null)).toHaveLength(1);
    await opened[0]?.body?.cancel();
    expect(streams.open(call(), { ...idle, owner: '' })).not.toBeNull();
    stopping.abort();
    expect([pending.size, streams.open(call(), { ...idle, owner: '' })]).toEqual([0, null]);
  });

  test('are four of one session: another one ends the oldest, which is told not to open again', async () => {
    const { clock, pending, step } = createSteps();
    const stopping = new AbortController();
    const streams = new EventStreams(clock, stopping.signal);
    const open = (owner: string) => streams.open(call(), { ...idle, owner });
    const [oldest, ...others] = [open('a'), open('b'), open('a'), open('a'), open('a'), open('a')];
    await step();
    expect(await oldest?.text()).toContain('event: end');
    expect([others.includes(null), pending.size]).toEqual([false, 5]);
    stopping.abort();
    // A browser opens it again, at the next process.
    expect(await others[0]?.text()).not.toContain('event: end');
  });
});

describe('on a server', () => {
  const TOKEN = 'a-token-of-the-tests';
  let gateway: Gateway;
  let server: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    const site = { url: 'https://content.example.com/', discovery: 'off', name: 'content' } as const;
    gateway = createGateway({
      sites: [{ ...site, document: readSeed('content') }],
      admin: { token: TOKEN },
      docs: () => ASSETS,
      clock: systemClock,
    });
    server = await serve(gateway, { port: 0, shutdownGrace: 600_000 });
  });
  afterAll(() => server.stop());
  const send = (path: string, init?: RequestInit): Promise<Response> =>
    fetch(server.url + path, { redirect: 'manual', ...init });

  test('a stream needs a session', async () => {
    expect((await send('/-/console/events?page=')).status).toBe(403);
  });

  test('a stream of no page ends, whatever its address', async () => {
    const { get } = await signIn(send, TOKEN);
    for (const page of ['nothing', '../../x', 'https://evil.example.com/', '//evil']) {
      const response = await get(`/-/console/events?page=${encodeURIComponent(page)}`);
      expect(await response.text()).toContain('event: end');
    }
  });

  test('a stream sends the live sections of the overview, and ends as soon as the server stops', async () => {
    const { get } = await signIn(send, TOKEN);
    const response = await get('/-/console/events?page=');
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const read = readText(response);
    expect(await read()).toContain('event: section\ndata: {"id":"gateway"');
    // The grace is longer than a test may take.
    await server.stop();
    await expect(fetch(server.url)).rejects.toThrow();
  });
});
