import { describe, expect, it } from 'vitest';
import { classifyFailure, FAILURE_RESPONSES } from '../../src/upstream/failures.ts';

const errorWithCode = (code: string) => Object.assign(new Error('no'), { code });

describe('a transport error', () => {
  it.each([
    ['a code', errorWithCode('ECONNREFUSED'), 'refused', 502],
    [
      'a cause, as fetch wraps it',
      new TypeError('fetch failed', { cause: errorWithCode('ENOTFOUND') }),
      'dns',
      502,
    ],
    [
      'the first of several',
      new AggregateError([errorWithCode('ECONNREFUSED'), errorWithCode('ETIMEDOUT')]),
      'refused',
      502,
    ],
    [
      'a cause with several errors',
      new TypeError('x', { cause: new AggregateError([errorWithCode('ETIMEDOUT')]) }),
      'timeout',
      504,
    ],
    ['a family of codes', errorWithCode('ERR_TLS_CERT_ALTNAME_INVALID'), 'tls', 502],
    ['its name', new DOMException('x', 'TimeoutError'), 'timeout', 504],
    ['the name of an abort', new DOMException('x', 'AbortError'), 'client-gone', 499],
    ['an unknown code', errorWithCode('E_NEW'), 'connection-broken', 502],
    ['undefined', undefined, 'connection-broken', 502],
    ['the name of an inherited property', errorWithCode('constructor'), 'connection-broken', 502],
  ] as const)('is classified by %s', (_, error, kind, status) => {
    expect(classifyFailure(error)).toEqual({ kind, cause: error });
    expect(FAILURE_RESPONSES[kind].status).toBe(status);
  });

  it('can be its own cause', () => {
    const error = new Error('x');
    error.cause = error;
    expect(classifyFailure(error).kind).toBe('connection-broken');
  });
});
