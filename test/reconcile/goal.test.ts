import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenApiDocument, readServedApi } from '../../src/openapi/index.ts';
import type { ReconcileReport } from '../../src/reconcile/index.ts';
import { OperationMatcher } from '../../src/router/matcher.ts';
import { runSteps } from '../../src/steps.ts';
import { ResponseValidator } from '../../src/validation/response/validator.ts';
import { runCommand } from '../cli/run-command.ts';
import type { RunningExample } from '../example/gateway/running.ts';
import { PROOFS, runCalls } from '../example/support/operation-calls.ts';
import { useFolder } from '../support/folder.ts';
import { ADMIN_TOKEN, startObservedExample } from './example-site.ts';

/** A response that a client received through the gateway. */
interface TrafficResponse {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: Uint8Array;
}

let example: RunningExample;
const folder = useFolder('file');
beforeAll(async () => {
  // The index states no schemas, as the seeds show the sites.
  example = await startObservedExample(false);
});
afterAll(async () => {
  await example.stop();
});

describe.each(['content', 'boards'] as const)('%s, whose index has no schemas', (mount) => {
  let report: ReconcileReport;
  let document: OpenApiDocument;
  const traffic: TrafficResponse[] = [];
  beforeAll(async () => {
    let isChanged = false;
    for (const { calls } of PROOFS[mount]) {
      if (isChanged) example[mount].reset();
      isChanged = false;
      await runCalls(example, mount, calls, async (address, init) => {
        isChanged ||= (init.method ?? 'GET') !== 'GET';
        const response = await fetch(`${example.origin}/${mount}${address}`, init);
        traffic.push(await toTrafficResponse(address, init, response.clone()));
        return response;
      });
    }
    const [user] = example[mount].users;
    const site = [example.siteUrls[mount], '--out', folder(), '--name', mount];
    const auth = ['--auth', `${user?.login}:${user?.password}`];
    const from = ['--from', `${example.origin}/${mount}`];
    report = JSON.parse(await run('reconcile', ...site, ...auth, ...from, '--json', '--max-requests', '500'));
    await run('generate', ...site, ...auth);
    document = JSON.parse(await readFile(join(folder(), `${mount}.openapi.json`), 'utf8'));
  }, 60_000);

  test('has described responses of every read operation that can be responded to, and of nine tenths of all', () => {
    const { after, before } = report.typed;
    expect(before.described / before.operations).toBeLessThan(0.15);
    expect(after.describedReads).toBe(after.reads);
    expect(after.described / after.operations).toBeGreaterThanOrEqual(0.9);
    expect(after.operations - after.described).toBe(report.untyped.length);
  });

  test('no call has made a handler of the site throw', () => {
    expect(example.faults).toEqual([]);
  });

  test('every sampled response is valid', () => {
    const { responses } = report.sampled.after;
    expect(responses).toBeGreaterThan(50);
    expect(report.sampled.after).toEqual({ responses, described: responses, correct: responses });
    expect(report.remaining).toEqual([]);
  });

  test('every response that clients received is valid: none lacks a required property', () => {
    const validator = new ResponseValidator(document);
    const matcher = runSteps(OperationMatcher.create(runSteps(readServedApi(document))));
    const findings = traffic.flatMap(({ method, route, ...response }) => {
      const match = matcher.match(method, route);
      if (match.kind !== 'found') return [];
      const requested = { method, context: null, hasFieldFilter: false, isEnveloped: false };
      const result = validator.validate({ ...response, operation: match.operation, requested });
      return result.kind === 'validated'
        ? result.findings.map(({ kind, pointer }) => `${method} ${route} ${kind} ${pointer}`)
        : [];
    });
    expect(findings).toEqual([]);
  });
});

async function toTrafficResponse(
  address: string,
  { method = 'GET' }: RequestInit,
  response: Response,
): Promise<TrafficResponse> {
  const query = new URLSearchParams(address.slice(address.indexOf('?')));
  // A response to another context, to chosen fields or in an envelope has another shape.
  const isChanged = ['context', '_fields', '_envelope', '_method'].some((name) => query.has(name));
  return {
    method: isChanged ? 'CHANGED' : method,
    route: query.get('rest_route') ?? '/',
    status: response.status,
    headers: [...response.headers].flat(),
    body: new Uint8Array(await response.arrayBuffer()),
  };
}

async function run(...args: readonly string[]): Promise<string> {
  const { code, err, out } = await runCommand(args, { env: { WAYGATE_ADMIN_TOKEN: ADMIN_TOKEN } });
  // 1: the sites have more items than requests are allowed.
  const isReconcile = args[0] === 'reconcile';
  expect(code).toBeOneOf(isReconcile ? [0, 1] : [0]);
  expect(err).toMatch(isReconcile ? /^(?:waygate: \d+ of at most \d+ requests\n)*$/ : /^$/);
  return out;
}
