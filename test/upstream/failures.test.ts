import { describe, expect, it } from 'vitest';
import { classifyFailure, FAILURE_RESPONSES } from '../../src/upstream/failures.ts';

const coded = (code: string) => Object.assign(new Error('no'), { code });

describe('an error of a transport', () => {
  it.each([
    ['a code', coded('ECONNREFUSED'), 'refused', 502],
    ['a cause, as fetch wraps it', new TypeError('fetch failed', { cause: coded('ENOTFOUND') }), 'dns', 502],
    ['the first of several', new AggregateError([coded('ECONNREFUSED'), coded('ETIMEDOUT')]), 'refused', 502],
    ['both', new TypeError('x', { cause: new AggregateError([coded('ETIMEDOUT')]) }), 'timeout', 504],
    ['a family of codes', coded('ERR_TLS_CERT_ALTNAME_INVALID'), 'tls', 502],
    ['its name', new DOMException('x', 'TimeoutError'), 'timeout', 504],
    ['the name of an abort', new DOMException('x', 'AbortError'), 'client-gone', 499],
    ['nothing that is known', coded('E_NEW'), 'connection-broken', 502],
    ['nothing at all', undefined, 'connection-broken', 502],
    ['the name of an inherited property', coded('constructor'), 'connection-broken', 502],
  ] as const)('is sorted by %s', (_, error, kind, status) => {
    expect(classifyFailure(error)).toEqual({ kind, cause: error });
    expect(FAILURE_RESPONSES[kind].status).toBe(status);
  });

  it('may be its own cause', () => {
    const error = new Error('x');
    error.cause = error;
    expect(classifyFailure(error).kind).toBe('connection-broken');
  });
});
