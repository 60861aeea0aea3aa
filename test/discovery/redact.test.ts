import type { RequestListener } from 'node:http';
import { inspect } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { discover } from '../../src/discovery/index.ts';
import { createRedactor, redactError } from '../../src/discovery/redact.ts';
import { DiscoveryError } from '../../src/errors.ts';
import { startServer } from '../support/server.ts';

async function serve(listener: RequestListener): Promise<string> {
  const { close, origin } = await startServer(listener);
  onTestFinished(close);
  return `${origin}/`;
}

const AUTH = { user: 'bob', password: 'abcd EFGH ijkl' };
const HEADERS = { 'X-Key': 'tok/en+777' };
const SECRETS = /abcd.?EFGH|abcd%20|Ym9iO|tok.?(?:2F)?en/;

test.each<[string, RequestListener]>([
  [
    'an error',
    ({ headers }, response) => {
      const sent = `${headers.authorization} ${headers['x-key']} bob:${AUTH.password} abcdEFGHijkl`;
      response.statusCode = 401;
      response.end(JSON.stringify({ code: `no ${sent}`, message: sent, data: { status: 401 } }));
    },
  ],
  [
    'a redirect target',
    ({ headers, url }, response) => {
      const sent = new URLSearchParams({ a: `${headers.authorization}`, k: `${headers['x-key']}` });
      response.statusCode = url?.includes('a=') === true ? 404 : 302;
      response.setHeader('Location', `/x?${sent}&p=${encodeURIComponent(AUTH.password)}`);
      response.end();
    },
  ],
])('credentials that a site repeats in %s are redacted', async (_, listener) => {
  const url = await serve(listener);
  const failure = await discover(url, { auth: AUTH, headers: HEADERS }).catch((error: unknown) => error);
  const { message, attempts } = failure as { message: string; attempts: unknown };
  expect(message).toContain('***');
  expect(JSON.stringify([message, attempts])).not.toMatch(SECRETS);
});

test('credentials that a site repeats in its index are redacted in diagnostics', async () => {
  const url = await serve(({ headers }, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(`Notice: ${headers.authorization} ${headers['x-key']}\n{"name":"x","routes":[]}`);
  });
  const { diagnostics } = await discover(url, { auth: AUTH, headers: HEADERS });
  expect(JSON.stringify(diagnostics)).not.toMatch(SECRETS);
});

test('credentials in the causes of an error are redacted, with all members that are not known', () => {
  const redact = createRedactor(AUTH, [['X-Key', HEADERS['X-Key']]]);
  const parserError = Object.assign(
    new Error(`bad ${AUTH.password}`, { cause: `sent ${HEADERS['X-Key']}` }),
    {
      code: 'HPE_INVALID',
      data: AUTH.password,
    },
  );
  const cause = new AggregateError([parserError], 'failed', { cause: parserError });
  const error = new DiscoveryError('m', { reason: 'network-error', cause });
  const redacted = redactError(error, redact);
  const shown = inspect(redacted, { depth: 10, showHidden: true });
  expect(shown).not.toMatch(SECRETS);
  expect(shown).toContain('bad ***');
  expect(redacted.cause).toMatchObject({
    message: 'failed',
    cause: { message: 'bad ***', code: 'HPE_INVALID' },
  });
});
