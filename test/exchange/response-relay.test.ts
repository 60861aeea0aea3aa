import { expect, test } from 'vitest';
import { ResponseRelay } from '../../src/exchange/response-relay.ts';
import type { ResponseSink } from '../../src/http/exchange.ts';

/** Relays one response, and returns the calls of the sink. */
function relay(length: string | null, send: (relay: ResponseRelay<never>) => void): string[] {
  const calls: string[] = [];
  const sink: ResponseSink = {
    head: ({ status }) => void calls.push(`head ${status}`),
    complete: ({ status }, body) => void calls.push(`complete ${status} ${body.byteLength}`),
    write: (chunk) => calls.push(`write ${chunk.byteLength}`) > 0,
    end: (trailers) => void calls.push(`end ${trailers.join(': ')}`.trim()),
    fail: ({ kind }) => void calls.push(`fail ${kind}`),
  };
  const request = {
    isHead: false,
    client: '192.0.2.1',
    now: () => 0,
    toRelayedHead: ({ headers }: { readonly headers: readonly string[] }) => ({ headers: [...headers] }),
    recordUpstream() {},
    recordUpstreamFailure() {},
  };
  const created = new ResponseRelay<never>(request, [], undefined, sink);
  created.head({ status: 200, reason: '', headers: length === null ? [] : ['Content-Length', length] });
  send(created);
  return calls;
}

const TEN = new Uint8Array(10);

test.each<[string, string | null, (relay: ResponseRelay<never>) => void, string[]]>([
  [
    'a body of one chunk is written with its head',
    '10',
    (site) => {
      site.write(TEN);
      site.end([]);
    },
    ['complete 200 10'],
  ],
  [
    'the last of several chunks is written at the end',
    '20',
    (site) => {
      site.write(TEN);
      site.write(TEN);
      site.end([]);
    },
    ['head 200', 'write 10', 'write 10', 'end'],
  ],
  [
    'an unknown length is relayed at once, with its trailers',
    null,
    (site) => {
      site.write(TEN);
      site.end(['X-Sum', '1']);
    },
    ['head 200', 'write 10', 'end X-Sum: 1'],
  ],
  ['an empty body has a head and an end', '0', (site) => site.end([]), ['head 200', 'end']],
  [
    'a failure before the first chunk is a failure without a head',
    '10',
    (site) => site.fail({ kind: 'connection-broken' }),
    ['fail connection-broken'],
  ],
  [
    'a failure after a chunk breaks the response off',
    '20',
    (site) => {
      site.write(TEN);
      site.fail({ kind: 'connection-broken' });
    },
    ['head 200', 'write 10', 'fail connection-broken'],
  ],
])('%s', (_, length, send, calls) => {
  expect(relay(length, send)).toEqual(calls);
});
