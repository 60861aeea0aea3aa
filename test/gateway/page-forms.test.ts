import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { startOnce } from '../support/close-after-test.ts';
import { startGateway } from '../support/gateway.ts';
import { giveTurns } from '../support/wait.ts';

const URLENCODED = 'application/x-www-form-urlencoded';
const part = (disposition: string, value = '/core/v2/posts', boundary = 'X'): string =>
  `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`;

describe('through a gateway', () => {
  const start = startOnce(async () => {
    /** Addresses of complete requests: PHP runs no others. */
    const received: string[] = [];
    const { request } = await startGateway({}, ({ url }, _count, response) => {
      response.req
        .on('error', () => {})
        .resume()
        .once('end', () => {
          received.push(url);
          response.end();
        });
      return undefined;
    });
    return { received, request };
  });

  const MULTIPART = 'multipart/form-data; boundary=X';
  const ROUTE = part('name="rest_route"');
  // How PHP reads names is in `test/base/php`, and in the table of `router/target-cases.ts`.
  const ROUTES_IN_FORMS: readonly (readonly [why: string, body: string, type?: string])[] = [
    ['the name itself', 'rest_route=/core/v2/posts'],
    ['the 1,500th field', `${'a=1&'.repeat(1500)}rest_route=/core/v2/posts`],
    ['300 KiB later', `a=${'x'.repeat(300 * 1024)}&rest_route=/core/v2/posts`],
    ['300 KiB of spaces later', `${'+'.repeat(300 * 1024)}rest_route=/core/v2/posts`],
    ['a long subscript', `rest_route[${'x'.repeat(300 * 1024)}]=/core/v2/posts`],
    ['a type with a charset', 'rest_route=/core/v2/posts', `${URLENCODED};charset=utf-16`],
    ['a part', `${ROUTE}--X--`, MULTIPART],
    ['a part whose field is folded', `${part('\r\n name="rest_route"')}--X--`, MULTIPART],
    ['a part behind the last delimiter', `--X--\r\n${ROUTE}--X--`, MULTIPART],
    [
      'a part behind a file of 300 KiB',
      `${part('name="f"; filename="f"', 'x'.repeat(300 * 1024))}${ROUTE}--X--`,
      MULTIPART,
    ],
    ['the 1,500th part', `${part('name="a"').repeat(1500)}${ROUTE}--X--`, MULTIPART],
    ['a part without its end', ROUTE.trimEnd(), MULTIPART],
  ];
  const routesInForms = ROUTES_IN_FORMS.map(([why, body, type = URLENCODED]) => [why, body, type] as const);

  test.each(routesInForms)('a form that names a route is refused: %s', async (_why, body, type) => {
    const init = { method: 'POST', body, headers: { 'Content-Type': type } };
    const { received, request } = await start();
    const response = await request('/my-account/', init);
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'rest_ambiguous_route' }),
    ]);
    expect(received).toEqual([]);
  });

  test.each<readonly [why: string, headers: Record<string, string>, body: string]>([
    ['in a content coding', { 'Content-Type': URLENCODED, 'Content-Encoding': 'gzip' }, 'a=1'],
    [
      'a part with a header of 20 KB',
      { 'Content-Type': 'multipart/form-data; boundary=X' },
      `--X\r\nX-A: ${'x'.repeat(20_000)}\r\nContent-Disposition: form-data; name="rest_route"\r\n\r\n/a\r\n--X--`,
    ],
    [
      'a boundary of 6 KB',
      { 'Content-Type': `multipart/form-data; boundary=${'X'.repeat(6_000)}` },
      part('name="a"', '1', 'X'.repeat(6_000)),
    ],
  ])('a form that sites may read differently is refused: %s', async (_why, headers, body) => {
    const { received, request } = await start();
    const response = await request('/my-account/', { method: 'POST', headers, body });
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'gateway_unclear_form' }),
    ]);
    expect(received).toEqual([]);
  });
});

test('no byte of a form that names a route reaches the site, however slowly it arrives', async () => {
  let received = '';
  const { port } = await startGateway({}, (_, _count, response) => {
    response.req.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
    });
    response.req.on('end', () => response.writeHead(404).end());
    return undefined;
  });
  const pieces = [part('name="a"'), part('name="rest_route"'), part('name="b"'), part('name="c"'), '--X--'];
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (data) => {
    answer += data.toString('latin1');
  });
  socket.write(
    `POST /a/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: multipart/form-data; boundary=X\r\nContent-Length: ${pieces.join('').length}\r\n\r\n`,
  );
  const closed = new Promise((resolve) => socket.on('close', resolve));
  for (const piece of pieces) {
    socket.write(piece, 'latin1');
    await giveTurns(20);
  }
  await closed;
  expect(answer).toMatch(/^HTTP\/1.1 400 /);
  expect(received).toBe('');
});
