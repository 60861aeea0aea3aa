// @ts-check
import { setTimeout as sleep } from 'node:timers/promises';
import { format } from './support.mjs';

/** @typedef {(request: import('./support.mjs').SiteRequest, site: import('./support.mjs').ScriptedSite) => unknown} Respond */

/**
 * A fault of a site: what it does with each request but those below `/healthy/`.
 *
 * @typedef {object} SiteFault
 * @property {string} name
 * @property {Respond} [respond]
 * @property {boolean} [isClosed] whether the port is closed
 * @property {string} stored what a client gets of a page that is stored and stale: `200` and `stored`, or what the site sends
 * @property {string} other what a client gets of a page that is not stored
 * @property {string} [failure] of the log line, and the kind of the metric
 * @property {boolean} [isQuick] whether it takes no time limit of the gateway, so that CI runs it
 */

/** @param {string} bytes @param {boolean} [ends] @returns {Respond} */
const send =
  (bytes, ends = false) =>
  ({ socket }) =>
    ends ? socket.end(bytes, 'latin1') : socket.write(bytes, 'latin1');

/** @param {number} status @returns {Respond} */
const fail = (status) => send(format(status, 'failed'));

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n';
const STALE = '200 stored';
const BROKEN = { stored: STALE, other: '502', failure: 'connection-broken', isQuick: true };
const LATE = { stored: STALE, other: '504', failure: 'timeout' };

/** @type {readonly SiteFault[]} */
export const SITE_FAULTS = [
  {
    name: 'refuses connections',
    isClosed: true,
    stored: STALE,
    other: '502',
    failure: 'refused',
    isQuick: true,
  },
  { name: 'sends nothing', respond: () => {}, ...LATE },
  { name: 'stops within the head', respond: send('HTTP/1.1 200 OK\r\nContent-'), ...LATE },
  { name: 'ends without a response', respond: ({ socket }) => socket.end(), ...BROKEN },
  { name: 'resets the connection', respond: ({ socket }) => socket.resetAndDestroy(), ...BROKEN },
  { name: 'ends within the head', respond: send('HTTP/1.1 200 OK\r\nContent-', true), ...BROKEN },
  {
    name: 'stops within the content',
    respond: send(`${HEAD}Content-Length: 100\r\n\r\nhalf`),
    ...{ stored: '200 broken', other: '200 broken', failure: 'timeout' },
  },
  {
    name: 'ends within the content',
    respond: send(`${HEAD}Content-Length: 100\r\n\r\nhalf`, true),
    ...{ stored: '200 broken', other: '200 broken', failure: 'connection-broken', isQuick: true },
  },
  {
    name: 'resets within the content',
    respond: ({ socket }) => {
      socket.write(`${HEAD}Content-Length: 100\r\n\r\nhalf`);
      setTimeout(() => socket.resetAndDestroy(), 50);
    },
    ...{ stored: '200 broken', other: '200 broken', failure: 'connection-broken', isQuick: true },
  },
  {
    name: 'ends within chunks',
    respond: send(`${HEAD}Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n`, true),
    ...{ stored: '200 broken', other: '200 broken', failure: 'connection-broken', isQuick: true },
  },
  {
    name: 'sends an invalid chunk',
    respond: send(`${HEAD}Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nzz\r\n`),
    ...{ stored: '200 broken', other: '200 broken', failure: 'connection-broken', isQuick: true },
  },
  {
    name: 'sends a chunk size that overflows',
    respond: send(`${HEAD}Transfer-Encoding: chunked\r\n\r\n${'f'.repeat(17)}\r\nx`),
    ...BROKEN,
  },
  {
    name: 'sends a byte now and then',
    respond: async ({ socket }) => {
      socket.write(`${HEAD}Content-Length: 5\r\n\r\n`);
      for (const letter of 'drops') await sleep(150).then(() => socket.write(letter));
    },
    ...{ stored: '200', other: '200' },
  },
  {
    name: 'sends something that is not HTTP',
    respond: send('SSH-2.0-OpenSSH_9.2\r\n'),
    ...BROKEN,
  },
  { name: 'sends random bytes', respond: send('\0\x01\xff\xfe'.repeat(500)), ...BROKEN },
  { name: 'answers as HTTP/0.9', respond: send('<html>old</html>', true), ...BROKEN },
  {
    name: 'sends a head of 100 KB',
    respond: send(`${HEAD}X: ${'x'.repeat(100_000)}\r\nContent-Length: 0\r\n\r\n`),
    ...BROKEN,
  },
  { name: 'sends a NUL in a field', respond: send(`${HEAD}X: a\0b\r\nContent-Length: 0\r\n\r\n`), ...BROKEN },
  {
    name: 'sends two lengths that differ',
    respond: send(`${HEAD}Content-Length: 4\r\nContent-Length: 5\r\n\r\nfour`),
    ...BROKEN,
  },
  {
    name: 'sends a length and chunks',
    respond: send(`${HEAD}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfour\r\n0\r\n\r\n`),
    ...BROKEN,
  },
  { name: 'sends a negative length', respond: send(`${HEAD}Content-Length: -1\r\n\r\n`), ...BROKEN },
  {
    name: 'sends more than its length',
    respond: send(`${HEAD}Content-Length: 4\r\n\r\nfour and more`),
    ...{ stored: '200', other: '200', isQuick: true },
  },
  {
    name: 'asks to wait without an end (102)',
    respond: async ({ socket }) => {
      for (let count = 0; count < 30; count += 1)
        await sleep(100).then(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'));
    },
    ...LATE,
  },
  {
    name: 'switches protocols unasked',
    respond: send('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    ...BROKEN,
  },
  { name: 'fails with 500', respond: fail(500), stored: STALE, other: '500', isQuick: true },
  { name: 'fails with 502', respond: fail(502), stored: STALE, other: '502', isQuick: true },
  { name: 'fails with 503', respond: fail(503), stored: STALE, other: '503', isQuick: true },
  { name: 'fails with 504', respond: fail(504), stored: STALE, other: '504', isQuick: true },
  {
    name: 'sends gzip that is none',
    respond: send(format(200, 'no gzip', 'Content-Encoding: gzip\r\n')),
    ...{ stored: '200', other: '200', isQuick: true },
  },
  {
    name: 'sends 304 without a reason',
    respond: send('HTTP/1.1 304 Not Modified\r\n\r\n'),
    ...{ stored: STALE, other: '304', isQuick: true },
  },
];
