import { request as sendRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { waitUntil } from '../../../support/wait.ts';

const SWAPS = 12;
const CLIENTS = 6;

const route = (methods: string, args: object): object => ({
  namespace: 'demo/v1',
  methods: [methods],
  endpoints: [{ methods: [methods], args }],
});

/**
 * The index of one version. Even versions allow what is small and red, odd ones what is large and blue, so `small` and `blue`
 * together violate exactly one rule of each.
 */
function createIndex(version: number): object {
  const isEven = version % 2 === 0;
  const one = (value: string): object => ({ type: 'string', enum: [value] });
  const choice = { size: one(isEven ? 'small' : 'large'), colour: one(isEven ? 'red' : 'blue') };
  return {
    name: `Version ${version}`,
    description: `Version ${version}`,
    namespaces: ['demo/v1'],
    routes: {
      '/demo/v1/steady': route('GET', { page: { type: 'integer' } }),
      '/demo/v1/choice': route('GET', choice),
      '/demo/v1/orders': route('POST', choice),
    },
  };
}

const INVALID = { size: 'Invalid.', colour: 'Invalid.' };

interface Subject extends TestGateway {
  /** What the site responds with to a request for its index. */
  index: () => unknown;
}

async function startSubject(): Promise<Subject> {
  const state: Pick<Subject, 'index'> = { index: () => createIndex(0) };
  const cache = {
    rules: [{ match: ['/demo/v1/steady'], ttl: 3600 }],
    writes: [{ match: 'POST /demo/v1/orders', purges: 'nothing' }],
  } as const;
  // Refusals that the gateway forwards to test a rule agree with both documents.
  const refusal = { code: 'rest_invalid_param', message: 'No.', data: { status: 400, params: INVALID } };
  const running = await startGateway(
    { index: () => state.index(), validation: { mode: 'strict' }, cache },
    ({ route: requested }) =>
      requested === '/demo/v1/steady' ? { body: { steady: true } } : { status: 400, body: refusal },
  );
  return Object.assign(state, running);
}

async function send(url: string, body: string | null = null) {
  const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  const response = await fetch(url, body === null ? {} : sent);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** The parameters that a refusal names, and whether the gateway or the site wrote it. */
function readRefusal(
  text: string,
  type: unknown,
): { readonly params: readonly string[]; readonly isOwn: boolean } {
  const { data } = JSON.parse(text) as { data: { params: object } };
  return { params: Object.keys(data.params), isOwn: String(type).includes('problem+json') };
}

/** Whether a refusal names one rule, of the one version by which the gateway validated, or both, which the site refuses. */
function isWhole({ headers, status, text }: Awaited<ReturnType<typeof send>>): boolean {
  const { isOwn, params } = readRefusal(text, headers.get('content-type'));
  return status === 400 && params.length === (isOwn ? 1 : 2);
}

describe('a document that is replaced again and again under load', () => {
  test('fails no request, mixes no two versions, and keeps the stored responses of unchanged operations', async () => {
    const subject = await startSubject();
    const { gateway, origin: url, received } = subject;
    await send(`${url}/wp-json/demo/v1/steady?page=1`);
    let isRunning = true;
    let isInvalid = false;
    const counts = { steady: 0, choice: 0, orders: 0, document: 0 };
    const requests: Readonly<Record<keyof typeof counts, () => Promise<boolean>>> = {
      async steady() {
        const { headers, status, text } = await send(`${url}/wp-json/demo/v1/steady?page=1`);
        return (
          status === 200 &&
          text === '{"steady":true}' &&
          /^waygate; hit/.test(headers.get('cache-status') ?? '')
        );
      },
      choice: async () => isWhole(await send(`${url}/wp-json/demo/v1/choice?size=small&colour=blue`)),
      async orders() {
        const sent = JSON.stringify({ size: 'small', colour: 'blue' });
        return isWhole(await send(`${url}/wp-json/demo/v1/orders`, sent));
      },
      async document() {
        const { status, text } = await send(`${url}/-/openapi.json`);
        const { info, paths } = JSON.parse(text);
        const version = Number(info.title.replace('Version ', ''));
        const [size] = paths['/demo/v1/choice'].get.parameters.filter(
          ({ name }: { name: string }) => name === 'size',
        );
        return status === 200 && size.schema.enum[0] === (version % 2 === 0 ? 'small' : 'large');
      },
    };
    const kinds = Object.keys(requests) as (keyof typeof counts)[];
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      for (let turn = client; isRunning; turn += 1) {
        const kind = kinds[turn % kinds.length] ?? 'steady';
        if (!(await requests[kind]())) isInvalid = true;
        counts[kind] += 1;
      }
    });
    let served = 0;
    for (let version = 1; version <= SWAPS; version += 1) {
      subject.index = () => createIndex(version);
      await gateway.rediscover();
      // Rediscoveries that fail or are held back leave what is served alone.
      if (version % 10 === 3) {
        subject.index = () => null;
        await gateway.rediscover();
      }
      if (version % 10 === 7) {
        subject.index = () => ({ ...createIndex(version), routes: {} });
        await gateway.rediscover();
      }
      const { text } = await send(`${url}/-/openapi.json`);
      if (JSON.parse(text).info.title === `Version ${version}`) served += 1;
    }
    await waitUntil(() => Object.values(counts).every((count) => count > 5));
    isRunning = false;
    await Promise.all(clients);
    expect(served).toBe(SWAPS);
    expect(isInvalid).toBe(false);
    expect(received.filter(({ route: requested }) => requested === '/demo/v1/steady')).toHaveLength(1);
  });
});

test('a request whose body arrives after a swap is validated by the document that it began with', async () => {
  const subject = await startSubject();
  const { gateway, origin: url } = subject;
  const answered = new Promise<string>((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': 33 };
    const request = sendRequest(`${url}/wp-json/demo/v1/orders`, { method: 'POST', headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk;
      });
      response.on('end', () => resolve(text));
    });
    request.on('error', reject);
    request.write('{"size":"small",');
    void (async () => {
      // The gateway has the head when a later request of another connection is answered.
      await (await fetch(`${url}/a/page/`)).text();
      subject.index = () => createIndex(1);
      await gateway.rediscover();
      request.end('"colour":"blue"} ');
    })();
  });
  expect(readRefusal(await answered, 'application/problem+json').params).toEqual(['colour']);
});
