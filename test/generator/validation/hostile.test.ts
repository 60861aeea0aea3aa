import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { startOnce } from '../../support/close-after-test.ts';
import { startGateway } from '../../support/gateway.ts';
import { sendRaw } from '../../support/run.ts';
import { documentOf, readSmallIndex } from '../../support/stub-site.ts';

/** Patterns and schemas that take a backtracking engine or a recursive parser exponential time. */
const PATTERNS = {
  nested: { type: 'string', pattern: '^(a+)+$' },
  list: { type: 'array', items: { type: 'string', pattern: '^(a+)+$' }, uniqueItems: true },
  tree: {
    type: 'object',
    patternProperties: { '^(a+)+$': { type: 'integer' } },
    additionalProperties: false,
  },
};
const route = (methods: readonly string[], args: object): object => ({
  ...{ namespace: 'evil/v1', methods, endpoints: [{ methods, args }] },
});
const { routes, ...INDEX } = readSmallIndex();
const DOCUMENT = documentOf({
  ...INDEX,
  routes: {
    ...Object(routes),
    '/evil/v1/patterns': route(['GET', 'POST'], PATTERNS),
    '/evil/v1/(?P<name>(?:[a-z]+)+)/end': route(['GET'], {}),
  },
});
const SETTINGS = { document: DOCUMENT, discovery: 'off', validation: { mode: 'strict' } } as const;
const start = startOnce(() =>
  startGateway({ ...SETTINGS, passthrough: false, gateway: { cache: 'off' } }, () => ({ body: {} })),
);

const POSTS = '/wp-json/wp/v2/posts';
const EVIL = '/wp-json/evil/v1/patterns';
const LONG = 'a'.repeat(12_000);
const FORM = 'application/x-www-form-urlencoded';
const prototypes = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';

/** Target, allowed statuses, and a body. Without a status of 200, the gateway must not forward the request. */
const CASES: [name: string, target: string, statuses: number[], body?: string, type?: string][] = [
  // Patterns with catastrophic backtracking.
  ['nested repetition', `${EVIL}?nested=${LONG}!`, [400]],
  ['a pattern for list items', EVIL, [400], JSON.stringify({ list: [`${LONG}!`] })],
  ['a pattern for names', EVIL, [400], JSON.stringify({ tree: { [`${LONG}!`]: 1 } })],
  ['a pattern in a route', `/wp-json/evil/v1/${LONG}/END!`, [200, 404]],
  ['a million parameters in a body', POSTS, [200], 'a=1&'.repeat(1e6), FORM],
  ['a name of ten thousand brackets', `${POSTS}?a${'[b]'.repeat(5_000)}=1`, [200, 400]],
  ['NUL in a query value', `${POSTS}?order=asc%00`, [400]],
  ['prototypes in the query', `${POSTS}?__proto__[polluted]=1&constructor[prototype][polluted]=1`, [200]],
  ['prototypes in JSON', POSTS, [200], prototypes],
];

describe('a hostile request keeps no other waiting:', () => {
  /** Checks that a valid request is forwarded and an invalid one refused without delay. */
  async function expectUnaffected(origin: string): Promise<void> {
    expect((await sendRaw(origin, `${POSTS}?per_page=5`)).status).toBe(200);
    expect((await sendRaw(origin, `${POSTS}?per_page=0`)).status).toBe(400);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  }

  test.each(CASES)('%s', async (_, target, statuses, body, type = 'application/json') => {
    const { origin, received } = await start();
    const before = received.length;
    const write = body !== undefined && { method: 'POST', headers: { 'content-type': type }, body };
    expect(statuses).toContain((await sendRaw(origin, target, write || {})).status);
    if (!statuses.includes(200)) expect(received).toHaveLength(before);
    await expectUnaffected(origin);
  });

  test('clients that disconnect in the middle of a body', async () => {
    const { origin, port } = await start();
    const part = `POST ${POSTS} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"a`;
    for (let count = 0; count < 20; count++) {
      const socket = connect(port, '127.0.0.1', () => socket.write(part, () => socket.destroy()));
      await once(socket, 'close');
    }
    await expectUnaffected(origin);
  });
});
