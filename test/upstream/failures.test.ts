import { describe, expect, it } from 'vitest';
import type { UpstreamFailure } from '../../src/http/exchange.ts';
import {
  classifyFailure,
  describeFailureCause,
  FAILURE_RESPONSES,
  toFailureResponse,
} from '../../src/upstream/failures.ts';

const errorWithCode = (code: string) => Object.assign(new Error('no'), { code });

describe('a transport error', () => {
  const several = new AggregateError([errorWithCode('ETIMEDOUT'), errorWithCode('ECONNREFUSED')]);
  const wrap = (cause: unknown) => new TypeError('fetch failed', { cause });
  it.each([
    ['a code', errorWithCode('ECONNREFUSED'), 'refused', 502],
    ['a cause, as fetch wraps it', wrap(errorWithCode('ENOTFOUND')), 'dns', 502],
    ['the first of several', several, 'timeout', 504],
    ['a cause with several errors', wrap(several), 'timeout', 504],
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

function tlsFailure(code: string, message: string): UpstreamFailure {
  return { kind: 'tls', cause: Object.assign(new Error(message), { code }) };
}

describe('a failed exchange', () => {
  it.each([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /not trusted: self-signed certificate\.$/, /upstream\.ca/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /issuer is unknown/, /authority in PEM/],
    ['SELF_SIGNED_CERT_IN_CHAIN', /issuer is unknown/, /authority in PEM/],
    ['CERT_HAS_EXPIRED', /expired/, /Renew/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /another host name/, /upstream\.host/],
  ])('with %s says what is wrong, and what to do in the log only', (code, message, remedy) => {
    const failure = tlsFailure(code, 'details for 127.0.0.1');
    const response = toFailureResponse(failure);
    expect(response).toMatchObject({ status: 502, code: 'gateway_tls' });
    expect(response.message).toMatch(message);
    expect(response.message).not.toContain('details');
    expect(describeFailureCause(failure)).toMatch(remedy);
    expect(describeFailureCause(failure)).toContain('details');
  });
});
