import { describe, expect, test } from 'vitest';
import type { RouteRequest } from '../../../src/gateway/snapshot/resolved-request.ts';
import { inspectBody } from '../../../src/gateway/validating/body-inspection.ts';
import type { BodyParameters } from '../../../src/validation/request/index.ts';

const resolved: RouteRequest = {
  kind: 'route',
  address: '/wp-json/some/v1',
  match: { kind: 'none' },
  target: {
    kind: 'route',
    route: '/some/v1',
    method: 'POST',
    query: '',
    routeOffset: null,
    spelling: 'pretty',
    hasFormBody: false,
  },
};

interface Sent {
  readonly types: readonly string[];
  readonly hasBody?: boolean;
  readonly more?: readonly string[];
  /** Whether a body that is too long is refused. */
  readonly refuses?: boolean;
}

function begin({ types, hasBody = true, more = [], refuses = false }: Sent): {
  readonly kind: string;
  readonly validated: string[];
} {
  const validated: string[] = [];
  const head = {
    method: 'POST',
    target: '/some/v1',
    headers: [...types.flatMap((type) => ['Content-Type', type]), ...more],
    peer: '',
    protocol: 'http',
    httpVersion: '1.1',
  } as const;
  const beginning = inspectBody({ resolved, head }, hasBody, {
    validate(body: BodyParameters) {
      validated.push(body.kind);
      return null;
    },
    limit: 1000,
    tooLargeProblem: ({ status, code, message }) => (refuses ? { status, code, message } : null),
  });
  if (beginning.kind === 'refused') return { kind: `${beginning.problem.status}`, validated };
  return { kind: beginning.inspection?.kind ?? 'none', validated };
}

describe('how a body is read is told by one content type', () => {
  test.each([
    ['JSON', ['application/json'], true, 'whole', []],
    ['a form of parts', ['multipart/form-data; boundary=b'], true, 'parts', []],
    ['what no parameter stands in', ['image/png'], true, 'none', ['complete']],
    ['no body', ['application/json'], false, 'none', ['complete']],
    ['the same type twice', ['application/json', 'application/json'], true, 'none', ['uncertain']],
    ['two types', ['text/plain', 'application/json'], true, 'none', ['uncertain']],
    ['two types and no body', ['text/plain', 'application/json'], false, 'none', ['complete']],
  ])('%s', (_, types, hasBody, kind, validated) => {
    expect(begin({ types, hasBody })).toEqual({ kind, validated });
  });
});

describe('a body that is coded some servers decode, and others hand on as it is', () => {
  test.each([
    ['gzip', 'none', ['uncertain']],
    ['identity', 'whole', []],
    [' Identity ', 'whole', []],
    ['', 'whole', []],
    ['identity, gzip', 'none', ['uncertain']],
  ])('%j', (coding, kind, validated) => {
    const more = ['Content-Encoding', coding];
    expect(begin({ types: ['application/json'], more })).toEqual({ kind, validated });
  });
});

describe('a body that is said to be too long is refused before it is read', () => {
  test.each([
    ['1000', true, 'whole'],
    ['1001', true, '413'],
    ['1001', false, 'whole'],
  ])('%s bytes, refused: %s', (length, refuses, kind) => {
    const more = ['Content-Length', length];
    expect(begin({ types: ['application/json'], more, refuses })).toEqual({ kind, validated: [] });
  });

  test('a form of parts is not, for files count for nothing', () => {
    const types = ['multipart/form-data; boundary=b'];
    expect(begin({ types, more: ['Content-Length', '100000'], refuses: true }).kind).toBe('parts');
  });
});
