import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import METRICS from '../../src/gateway/report/metrics.json' with { type: 'json' };
import { ROOT } from '../project/source-files.ts';
import { useFolder } from '../support/folder.ts';
import { runCommand } from './run-command.ts';
import { MAIN, useReadyProcesses } from './serve-process.ts';
import { useSmallSite } from './small-site.ts';

const TOKEN = 'a-long-secret-text';
const site = useSmallSite({
  intercept({ route, url }, response) {
    if (route !== undefined || url.includes('wp-json')) return false;
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>a page</p>');
    return true;
  },
});
const folder = useFolder('file');
const serve = useReadyProcesses({ WAYGATE_ADMIN_TOKEN: TOKEN });
const GUIDES = join(ROOT, 'docs/operators');
const readGuide = (name: string): string => readFileSync(join(GUIDES, name), 'utf8');

/** The shell commands of a guide. A line that ends in a backslash continues on the next one. */
const commandsOf = (name: string): readonly string[] =>
  [...readGuide(name).matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
    block.trim().split(/(?<!\\)\n/),
  );

const yamlOf = (name: string): readonly string[] =>
  Array.from(readGuide(name).matchAll(/^```yaml\n([\s\S]*?)^```$/gm), ([, block = '']) => block);

/** What the output of a command contains, by a part of the command, and its exit code if that is not 0. */
const EXPECTED: readonly (readonly [part: string, output: RegExp, code?: number])[] = [
  ['export', /^$/],
  ['openssl', /^$/],
  [' serve ', /"msg":"listening"/],
  [' plugin ', /^<\?php/],
  ['status $GATEWAY', /^ready\./],
  ['health $GATEWAY --ready', /^200 .*"ready"/],
  ['health $GATEWAY', /^200 .*"alive"/],
  ['/-/ready', /"ready"/],
  ['why $GATEWAY', /^Store: /],
  ['why $(curl', /^Request: /],
  ['/-/metrics', /^waygate_/m],
  ['for _ in 1 2 3', /^cache-status: waygate; hit/im],
  ['-D - $GATEWAY', /^HTTP\/1\.1 200/],
  ['purge $GATEWAY', /^purged \d+ response/],
  ['check', /no problems/],
  ['reload $GATEWAY', /^changed: nothing/],
  ['/-/rediscover', /^\{/],
  ['tar', /^$/],
  ['--version', /^\d+\.\d+\.\d+ \(commit /],
];

const env: Record<string, string> = { WAYGATE_ADMIN_TOKEN: TOKEN };
/** The gateway has the configuration of whole-site.md, and the secret that caching.md adds for the plugin. */
beforeAll(async () => {
  mkdirSync(join(folder(), '.waygate'));
  const [configuration = ''] = yamlOf('whole-site.md');
  const served = join(folder(), 'served.yaml');
  const secret = `pages: 60s\n      webhook: ${TOKEN}`;
  writeFileSync(
    served,
    configuration.replace('http://127.0.0.1:8081', site.url).replace('pages: 60s', secret),
  );
  env['GATEWAY'] = (await serve('--config', served)).url;
  const plain = `{ url: ${site.origin}, discovery: 'off', passthrough: true, cache: { webhook: ${TOKEN} } }`;
  for (const file of ['waygate.yaml', 'trial.yaml'])
    writeFileSync(join(folder(), file), `port: 0\nsites: [${plain}]\n`);
  writeFileSync(join(folder(), 'npx'), `#!/bin/sh\nshift\nexec ${process.execPath} ${MAIN} "$@"\n`, {
    mode: 0o755,
  });
});

test.each(readdirSync(GUIDES).filter((name) => commandsOf(name).length > 0))(
  'each command of docs/operators/%s does what it says',
  async (name) => {
    for (const command of commandsOf(name)) {
      const [, output, code = 0] = EXPECTED.find(([part]) => command.includes(part)) ?? [];
      expect(output, `nothing is expected of: ${command}`).toBeDefined();
      const result = await runLine(command);
      expect(result.text, command).toMatch(output ?? /$^/);
      expect(result.code, command).toBe(code);
    }
  },
);

/** Runs a line in a shell. The shell only expands the arguments of a command that can run in this process. */
async function runLine(line: string): Promise<{ code: number; text: string }> {
  const [, words] = /^npx waygate (?!serve)([^>]*)/.exec(line) ?? [];
  if (words === undefined) return run(line, { PATH: `${folder()}:${process.env['PATH']}` });
  const { text } = await run(`printf '%s\\n' ${words}`, {});
  const { code, err, out } = await runCommand(text.trimEnd().split('\n'), { cwd: folder(), env });
  return { code, text: out + err };
}

function run(command: string, more: NodeJS.ProcessEnv): Promise<{ code: number; text: string }> {
  return new Promise((resolve) => {
    const options = { cwd: folder(), env: { ...process.env, ...env, ...more }, detached: true };
    const child = spawn('sh', ['-c', command], options);
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        text += String(chunk);
        if (text.includes('"msg":"listening"')) process.kill(-(child.pid ?? Number.NaN));
      });
    }
    child.on('close', (code) => resolve({ code: code ?? 0, text }));
  });
}

test('the installation of docs/operators/runbook.md copies files that exist', async () => {
  const [, block = ''] = /^```bash\n([\s\S]*?)^```$/m.exec(readGuide('runbook.md')) ?? [];
  const root = join(folder(), 'root');
  mkdirSync(root);
  for (const name of ['npm', 'systemctl', 'systemd-sysusers']) {
    writeFileSync(join(root, name), '#!/bin/sh\n', { mode: 0o755 });
  }
  mkdirSync(join(root, 'etc/systemd/system'), { recursive: true });
  mkdirSync(join(root, 'usr/lib/sysusers.d'), { recursive: true });
  const script = `cd ${ROOT} && set -e\n${block.replaceAll(/ \/(?=etc|usr)/g, ` ${root}/`)}`;
  const result = await run(script, { PATH: `${root}:${process.env['PATH']}` });
  expect(result).toEqual({ code: 0, text: '' });
  expect(readdirSync(join(root, 'etc/waygate'))).toEqual(['admin-token', 'waygate.yaml']);
  // The unit has `--state`.
  const { state: _, ...guide } = parse(yamlOf('whole-site.md')[0] ?? '');
  expect(parse(readFileSync(join(root, 'etc/waygate/waygate.yaml'), 'utf8'))).toEqual(guide);
});

test('each public whole site of the guides has a limit of its own, which check asks for', () => {
  const examples = ['whole-site.md', 'runbook.md'].flatMap(yamlOf).map((text) => parse(text));
  const isPublic = ({ publicUrl, sites }: Record<string, unknown>) =>
    publicUrl !== undefined && Array.isArray(sites);
  const sites = examples.filter(isPublic).flatMap((example) => example.sites);
  expect(sites.length).toBeGreaterThan(1);
  for (const each of sites)
    expect(each).toMatchObject({ passthrough: true, concurrency: expect.any(Number) });
});

test('the alerts of docs/operators/runbook.md are those of deploy/prometheus', () => {
  const rules = readFileSync(join(ROOT, 'deploy/prometheus/waygate.rules.yaml'), 'utf8');
  const alerts = Array.from(rules.matchAll(/alert: (\w+)/g), ([, name]) => name);
  const named = readGuide('runbook.md').match(/(?<=^\| .*`)Waygate\w+/gm) ?? [];
  expect([...named].sort()).toEqual(alerts.sort());
});

test('the metrics that the guides for operators name exist', () => {
  const plugin = readFileSync(join(ROOT, 'src/cli/plugin/waygate.php'), 'utf8');
  const named = readdirSync(GUIDES)
    .flatMap((name) => readGuide(name).match(/\bwaygate_[a-z_]+/g) ?? [])
    .filter((name) => !new RegExp(`function ${name}\\(|'${name}'`).test(plugin));
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !Object.hasOwn(METRICS, name))).toEqual([]);
});
