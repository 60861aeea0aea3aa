import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { useFolder } from '../support/folder.ts';
import { runStubSite } from '../support/run.ts';
import { createSmallIndex } from '../support/small-index.ts';
import { runCommand } from './run-command.ts';

const folder = useFolder();

test('waygate alone asks for a task and a site at a terminal, and runs the command that it prints', async () => {
  const site = await runStubSite(createSmallIndex());
  const { code, err } = await runCommand([], {
    cwd: folder(),
    replies: ['Generate types and a client', site.url],
  });
  expect(code).toBe(0);
  expect(err).toContain(
    `What do you want to do?\nURL of the site\n\nnpx waygate generate ${site.url} --client\n`,
  );
  expect(await readdir(folder())).toContainEqual(expect.stringMatching(/\.client\.ts$/));
});

test('waygate alone refuses the URL of no site', async () => {
  const { code, err } = await runCommand([], { replies: ['Run a gateway in front of a site', 'example'] });
  expect([code, err]).toEqual([2, expect.stringContaining('example')]);
});

test('waygate alone prints the help where nobody can be asked', async () => {
  const { err, out } = await runCommand([]);
  expect(out + err).toMatch(/^Usage: waygate/m);
});
