import { describe, expect, test } from 'vitest';
import type { RouteReading } from '../../../src/gateway/reading.ts';
import { beginBody } from '../../../src/gateway/validating/body.ts';
import type { BodyValues } from '../../../src/validation/request/index.ts';

const reading: RouteReading = {
  kind: 'route',
  address: '/wp-json/some/v1',
  match: { kind: 'none' },
  target: {
    kind: 'route',
    route: '/some/v1',
    method: 'POST',
    query: '',
    routeAt: null,
    spelling: 'pretty',
    formBody: false,
  },
};

function begin(
  types: readonly string[],
  hasBody = true,
): { readonly kind: string; readonly judged: string[] } {
  const judged: string[] = [];
  const head = {
    method: 'POST',
    target: '/some/v1',
    headers: types.flatMap((type) => ['Content-Type', type]),
    peer: '',
    protocol: 'http',
    httpVersion: '1.1',
  } as const;
  const beginning = beginBody({ reading, head, requestId: '1' }, hasBody, {
    judge(body: BodyValues) {
      judged.push(body.kind);
      return null;
    },
    tooLong: () => null,
  });
  if (beginning.kind === 'refused') throw new Error('nothing is refused here');
  return { kind: beginning.inspection?.kind ?? 'none', judged };
}

describe('how a body is read is told by one content type', () => {
  test.each([
    ['JSON', ['application/json'], true, 'whole', []],
    ['a form of parts', ['multipart/form-data; boundary=b'], true, 'parts', []],
    ['what no parameter stands in', ['image/png'], true, 'none', ['values']],
    ['no body', ['application/json'], false, 'none', ['values']],
    ['the same type twice', ['application/json', 'application/json'], true, 'none', ['unknown']],
    ['two types', ['text/plain', 'application/json'], true, 'none', ['unknown']],
    ['two types and no body', ['text/plain', 'application/json'], false, 'none', ['values']],
  ])('%s', (_, types, hasBody, kind, judged) => {
    expect(begin(types, hasBody)).toEqual({ kind, judged });
  });
});
