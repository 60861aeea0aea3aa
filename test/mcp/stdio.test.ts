import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { contentSite } from '../../src/example/index.ts';
import { runCommand } from '../cli/run-command.ts';
import { MAIN } from '../cli/serve-process.ts';
import { closeAfterTest } from '../support/close-after-test.ts';
import { useFolder } from '../support/folder.ts';
import { runServer } from '../support/run.ts';
import { callTool } from './agent.ts';

const folder = useFolder();

test('waygate mcp serves a site over stdio as its user, who may upload the files of a folder', async () => {
  const site = contentSite();
  const { origin } = await runServer(getRequestListener(site.fetch, { overrideGlobalObjects: false }));
  const [user] = site.users;
  const files = join(folder(), 'photos');
  mkdirSync(files);
  writeFileSync(join(files, 'a.txt'), 'text');
  writeFileSync(join(folder(), 'secret.txt'), 'secret');
  symlinkSync(join(folder(), 'secret.txt'), join(files, 'link.txt'));
  const client = new Client({ name: 'test', version: '1' });
  const args = [
    MAIN,
    'mcp',
    `${origin}/`,
    '--files',
    files,
    '--writes',
    'createMedia',
    '--writes',
    'updatPost',
  ];
  const env = { WAYGATE_AUTH: `${user?.login}:${user?.password}`, PATH: process.env['PATH'] ?? '' };
  const transport = new StdioClientTransport({ command: process.execPath, args, env, stderr: 'pipe' });
  let err = '';
  transport.stderr?.on('data', (chunk) => {
    err += chunk;
  });
  await client.connect(transport);
  closeAfterTest(() => client.close());

  expect(err).toContain(
    '--reads, --writes: the document has no operation "updatPost"; did you mean "updatePost"?',
  );
  const me = await callTool(client, 'read_operation', {
    id: 'listPosts',
    query: { status: 'draft', context: 'edit' },
    fields: ['id'],
  });
  expect(me.text).toMatch(/^HTTP 200\. total: \d+/);
  const uploaded = await callTool(client, 'upload_file', { path: join(files, 'a.txt') });
  expect(uploaded).toMatchObject({ isError: false, text: 'HTTP 201' });
  for (const path of ['link.txt', '../secret.txt', '..', 'none.txt']) {
    const { isError, text } = await callTool(client, 'upload_file', { path: join(files, path) });
    expect({ path, isError, text }).toEqual({
      path,
      isError: true,
      text: expect.stringContaining('--files'),
    });
  }
}, 40_000);

test('waygate mcp sends no credentials to another host that a page names', async () => {
  const site = contentSite();
  const { origin } = await runServer(getRequestListener(site.fetch, { overrideGlobalObjects: false }));
  const page = await runServer((_, response) => {
    response.setHeader('link', `<${origin}/wp-json/>; rel="https://api.w.org/"`).end();
  });
  const { code, err } = await runCommand(['mcp', page.origin], { env: { WAYGATE_AUTH: 'ada:a password' } });
  expect({ code, err }).toEqual({
    code: 2,
    err: expect.stringContaining(`leads to ${origin}, which would get the credentials. Give that address`),
  });
});

test('waygate mcp says what is missing', async () => {
  expect(await runCommand(['mcp'])).toMatchObject({
    code: 2,
    err: 'waygate: give the URL of the site, or --document\n',
  });
});
