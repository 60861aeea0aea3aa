import { createServer, type Server } from 'node:net';
import type { Hono } from 'hono';
import { afterAll, describe, expect, test } from 'vitest';
import { startServer } from '../../support/server.ts';
import { sendBytes, useProxy } from './serve-proxy.ts';

/** Field values of a site in UTF-8 and Latin-1, each as bytes. Downloads of WooCommerce have such names. */
const utf8 = (text: string): string => Buffer.from(text).toString('latin1');
const VALUES: readonly (readonly [field: string, value: string])[] = [
  ['Content-Disposition', utf8('attachment; filename="Účet.pdf"')],
  ['Content-Disposition', 'attachment; filename="\xdcber.pdf"'],
  ['Location', utf8('/Účet/?Über')],
  ['Set-Cookie', utf8('name=Účet; Path=/')],
  ['X-Title', utf8('Отчёт 你好 \u{1f600}')],
];

/** The heads and bodies that Node writes in different ways. */
const RESPONSES: Readonly<Record<string, string>> = {
  'a length before the field': 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nFIELD\r\n\r\nok',
  'a length after the field': 'HTTP/1.1 200 OK\r\nFIELD\r\nContent-Length: 2\r\n\r\nok',
  'no length': 'HTTP/1.1 200 OK\r\nFIELD\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
  'trailer fields':
    'HTTP/1.1 200 OK\r\nFIELD\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nFIELD\r\n\r\n',
  'a lifetime':
    'HTTP/1.1 200 OK\r\nDate: NOW\r\nCache-Control: max-age=60, public\r\nContent-Length: 2\r\nFIELD\r\n\r\nok',
  'a redirect': 'HTTP/1.1 302 Found\r\nContent-Length: 0\r\nFIELD\r\n\r\n',
  'no content': 'HTTP/1.1 204 No Content\r\nFIELD\r\n\r\n',
  'not modified': 'HTTP/1.1 304 Not Modified\r\nContent-Length: 2\r\nFIELD\r\n\r\n',
};

/** A site that sends the response and the field that the request names. */
function createByteSite(): Server {
  return createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      const [, kind = '', at = ''] = /^\w+ \/([^/]+)\/(\d+)/.exec(chunk.toString('latin1')) ?? [];
      const field = VALUES[Number(at)]?.join(': ') ?? '';
      const head =
        RESPONSES[decodeURIComponent(kind)]
          ?.replaceAll('FIELD', field)
          .replace('NOW', new Date().toUTCString()) ?? '';
      const isHead = chunk.toString('latin1').startsWith('HEAD ');
      socket.write(isHead ? head.slice(0, head.lastIndexOf('\r\n\r\n') + 4) : head, 'latin1');
    });
  });
}

const site = await startServer(createByteSite());
afterAll(site.close);

const start = useProxy(() => site.origin);
const WAYS: Readonly<Record<string, string>> = {
  GET: 'GET PATH HTTP/1.1\r\nHost: a\r\nFIELDS\r\n',
  HEAD: 'HEAD PATH HTTP/1.1\r\nHost: a\r\nFIELDS\r\n',
  'HTTP/1.0': 'GET PATH HTTP/1.0\r\nFIELDS\r\n',
};

function addObserver(app: Hono): void {
  app.use(async (call, next) => {
    await next();
    call.res.headers.set('x-seen', '1');
  });
}

describe.each(['the gateway', 'the gateway behind a middleware'])(
  'field values pass as bytes through %s',
  (name) => {
    test.each(Object.keys(RESPONSES))('with %s, first and again', async (kind) => {
      const options = name === 'the gateway' ? {} : { addTo: addObserver };
      const { lines, port } = await start({ cache: 'memory' }, options);
      for (const [way, request] of Object.entries(WAYS)) {
        if (kind === 'trailer fields' && way === 'HEAD') continue;
        for (const [at, [field, value]] of VALUES.entries()) {
          const path = `/${encodeURIComponent(kind)}/${at}/${encodeURIComponent(way)}`;
          const sent = request.replace('PATH', path).replace('FIELDS', 'Connection: close\r\n');
          const isRepeated = kind === 'a lifetime' || way === 'GET';
          for (const visit of isRepeated ? ['first', 'again'] : ['first']) {
            const received = await sendBytes(port, sent);
            expect([way, visit, field, received]).toEqual([
              ...[way, visit, field, expect.stringContaining(`: ${value}\r\n`)],
            ]);
            if (kind === 'a lifetime' && way !== 'HEAD' && visit === 'again' && field !== 'Set-Cookie')
              expect(received).toContain('waygate; hit');
          }
        }
      }
      expect(lines.filter(({ err }) => err !== undefined)).toEqual([]);
    });
  },
);
