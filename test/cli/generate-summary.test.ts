import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createSmallIndex } from '../support/small-index.ts';
import { runCommand } from './run-command.ts';
import { MAIN } from './serve-process.ts';
import { useSmallSite } from './small-site.ts';

const site = useSmallSite({ respond: () => ({ body: { title: 'a' } }) }, () =>
  createSmallIndex({
    order: { type: 'string', required: 'yes' },
    date: { type: 'string', readonly: true, context: ['view'] },
    broken: 5,
  }),
);
const { folder } = site;

describe('the summary of waygate generate', () => {
  test.each([
    ['a command line', ['--out', "it's api", '--include', '/demo/v1/*']],
    ['a configuration', []],
  ])('names a command that can be pasted into a shell as it stands, with %s', async (kind, flags) => {
    const config = `export default { sites: [{ url: '${site.url}', out: "it's api", name: 'site', include: ['/demo/v1/*'] }] };`;
    if (flags.length === 0) await writeFile(join(folder(), 'waygate.config.mjs'), config);
    const args = flags.length === 0 ? ['generate'] : ['generate', site.url, '--name', 'site', ...flags];
    const { out } = await runCommand(args, { cwd: folder() });
    const [, line = ''] = /^ {2}(npx waygate reconcile.*)$/m.exec(out) ?? [];
    if (kind === 'a configuration') expect(line).toBe('npx waygate reconcile');
    // The program in place of the installed package.
    await writeFile(join(folder(), 'npx'), `#!/bin/sh\nshift\nexec "${process.execPath}" "${MAIN}" "$@"\n`, {
      mode: 0o755,
    });
    const { stdout } = await promisify(execFile)('sh', ['-c', line], {
      cwd: folder(),
      env: { ...process.env, PATH: `${folder()}:${process.env['PATH']}` },
    });
    expect(stdout).toContain("Written: it's api/site.overlay.json, 1 action");
    const again = await runCommand(args, { cwd: folder() });
    expect(again.out).toMatch(/^it's api\/site.*: 1 operation, 1 with a typed response\nAttention: /);
    expect(again.out).toContain('1 overlay action applied');
  });
});
