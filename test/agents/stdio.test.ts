import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ElicitResult } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { runCommand } from '../cli/run-command.ts';
import { MAIN } from '../cli/serve-process.ts';
import { closeAfterTest } from '../support/close-after-test.ts';
import { useFolder } from '../support/folder.ts';
import { runServer } from '../support/run.ts';
import { findFreePort } from '../support/server.ts';
import { failed, runExample } from './agent.ts';
import { connectLocal } from './local.ts';

const folder = useFolder();

test('waygate mcp serves a site over stdio as its user, and logs each call', async () => {
  const { auth, url } = await runExample();
  const log = join(folder(), 'calls.jsonl');
  const args = [url, '--writes', 'updatPost', '--log', log];
  const { call, err } = await connectLocal(args, { WAYGATE_AUTH: auth });
  const drafts = { id: 'listPosts', query: { status: 'draft', context: 'edit' }, fields: ['id'] };
  const me = await call('read_operation', drafts);
  expect(me.text).toMatch(/^HTTP 200\. total: \d+/);
  expect(err()).toContain('the document has no operation "updatPost"; did you mean "updatePost"?');
  await call('write_operation', { id: 'createPost', body: { title: 'words of the body' } });
  const lines = readFileSync(log, 'utf8').trim();
  expect(lines).not.toContain('words of the body');
  const calls = lines.split('\n').map((line) => JSON.parse(line));
  const user = auth.split(':')[0];
  const session = calls[0].session;
  const read = { tool: 'read_operation', operation: 'listPosts', level: 'read', outcome: 200, user };
  expect(calls[0]).toMatchObject({ ...read, session: expect.stringMatching(/^\w{12}$/) });
  expect(calls[0]).toMatchObject({ client: 'test 1', time: expect.stringMatching(/^\d{4}-/), site: url });
  expect(calls.at(-1)).toMatchObject({
    operation: 'createPost',
    level: 'draft',
    outcome: 'refused',
    session,
  });
});

test('waygate mcp sends no credentials to another host that a page names', async () => {
  const { url } = await runExample();
  const seen: unknown[] = [];
  const page = await runServer((request, response) => {
    seen.push(request.headers.authorization);
    response.setHeader('link', `<${url}wp-json/>; rel="https://api.w.org/"`).end();
  });
  const { call } = await connectLocal([page.origin], { WAYGATE_AUTH: 'ada:a password' });
  const refused = await call('search_operations', { query: 'posts' });
  expect(refused).toMatchObject(failed(`leads to ${new URL(url).origin}, which would get the credentials.`));
  expect(refused.text).not.toContain('tries it again');
});

test('the list of tools comes before the site does, a later call works, and its document serves while the site is down again', async () => {
  const port = await findFreePort();
  const args = [`http://127.0.0.1:${port}/`, '--state', join(folder(), 'state')];
  const first = await connectLocal(args);
  expect((await first.client.listTools()).tools.map(({ name }) => name)).toContain('read_operation');
  expect(await first.call('search_operations', { query: 'posts' })).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^The site cannot be read: .* tries it again/),
  });
  const { close } = await runExample(port);
  expect(await first.call('search_operations', { query: 'posts' })).toMatchObject({ isError: false });
  await first.client.close();
  await close();
  const second = await connectLocal(args);
  const found = await second.call('search_operations', { query: 'list posts' });
  expect(found.content).toContain('listPosts');
});

// What each revision does with each answer, and with none, is shown over HTTP: `consent.test.ts`.
test.each<[era: 'auto' | 'legacy', answers: readonly ElicitResult['action'][]]>([
  ['auto', ['decline', 'accept']],
  ['legacy', ['cancel', 'accept']],
])('over stdio, a client (%s) asks its person, whose answers are %j', async (era, answers) => {
  const { auth, url } = await runExample();
  const options = { versionNegotiation: { mode: era }, capabilities: { elicitation: { form: {} } } };
  const { call, client } = await connectLocal([url, '--writes', 'publish'], { WAYGATE_AUTH: auth }, options);
  let asked = 0;
  client.setRequestHandler('elicitation/create', (): ElicitResult => {
    asked += 1;
    return { action: answers[asked - 1] ?? 'cancel', content: { send: true } };
  });
  const args = { id: 'createPost', body: { title: 'Announced', status: 'publish' } };
  for (const [at, action] of answers.entries()) {
    expect([(await call('write_operation', args)).isError, asked]).toEqual([action !== 'accept', at + 1]);
    const listed = await fetch(`${url}wp-json/core/v2/posts?search=Announced`);
    expect(JSON.parse(await listed.text())).toHaveLength(action === 'accept' ? 1 : 0);
  }
});

test('a batch gets an error, and the messages after it their responses', async () => {
  const { url } = await runExample();
  const child = spawn(process.execPath, [MAIN, 'mcp', url], { stdio: ['pipe', 'pipe', 'ignore'] });
  closeAfterTest(() => void child.kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const message = { jsonrpc: '2.0', id: 1, method: 'ping' };
  child.stdin.write(`${JSON.stringify([message])}\n${JSON.stringify(message)}\n`);
  expect(JSON.parse((await lines.next()).value)).toMatchObject({ id: null, error: { code: -32_600 } });
  expect(JSON.parse((await lines.next()).value)).toMatchObject({ id: 1, result: {} });
});

test('waygate mcp says what is missing', async () => {
  expect(await runCommand(['mcp'])).toMatchObject({
    code: 2,
    err: 'waygate: give the URL of the site, or --document\n',
  });
  const file = join(folder(), 'wrong.json');
  writeFileSync(file, '{}');
  const wrong = await runCommand(['mcp', 'https://example.com', '--document', file]);
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('expected OpenAPI 3.1') });
  const env = { WAYGATE_AUTH: 'no-colon' };
  expect(await runCommand(['mcp', 'https://example.com'], { env })).toMatchObject({ code: 2 });
  for (const name of ['*', 'content', 'wc/v3', 'wc/v3!']) {
    const refused = await runCommand(['mcp', 'https://example.com', '--writes', name]);
    expect(refused).toMatchObject({
      code: 2,
      err: expect.stringContaining('--writes must be draft, publish'),
    });
  }
});
