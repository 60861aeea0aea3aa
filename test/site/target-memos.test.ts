import { describe, expect, test } from 'vitest';
import type { RequestHead } from '../../src/http/exchange.ts';
import { createProvisionalSnapshot } from '../../src/site/snapshot/snapshot.ts';
import { TargetMemos } from '../../src/site/target-memos.ts';

const snapshot = createProvisionalSnapshot('http://127.0.0.1/', {
  mount: '',
  passthrough: true,
});

function head(method: string, target: string, ...headers: string[]): RequestHead {
  return { method, target, headers };
}

const JSON_POST = head('POST', '/contact', 'Content-Type', 'application/json');

describe('what is known of a target', () => {
  test.each<[string, RequestHead]>([
    ['a read', head('GET', '/contact')],
    ['JSON', JSON_POST],
    ['a form', head('POST', '/contact', 'Content-Type', 'application/x-www-form-urlencoded')],
    ['an upload', head('POST', '/contact', 'content-type', 'multipart/form-data; boundary=x')],
    ['another method', head('DELETE', '/contact')],
    ['a header that overrides the method', head('POST', '/contact', 'X-HTTP-Method-Override', 'PUT')],
    ['a read of a target with the name of a method', head('GET', 'POST /contact')],
  ])('%s means the same after requests of all other kinds', (_, requested) => {
    const targets = new TargetMemos();
    for (const other of [JSON_POST, head('GET', '/contact'), head('DELETE', '/contact'), requested]) {
      for (let count = 0; count < 3; count++) targets.find(snapshot, other);
    }
    expect(targets.find(snapshot, requested).resolved).toEqual(snapshot.resolveRequest(requested));
  });

  test('is kept for a write that is repeated', () => {
    const targets = new TargetMemos();
    targets.find(snapshot, JSON_POST);
    const known = targets.find(snapshot, JSON_POST);
    expect(targets.find(snapshot, { ...JSON_POST })).toBe(known);
  });
});
