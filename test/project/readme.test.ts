import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../src/config/config.ts';
import { ROOT } from './source-files.ts';

/**
 * For each command of the README, the test or CI file that runs it, and a pattern that this file contains. Commands are
 * patterns because URLs and names differ between the README and the tests.
 */
const COVERAGE: readonly (readonly [command: RegExp, by: string, evidence: RegExp])[] = [
  [/^npm ci$/, '.ci/run', /\bnpm ci\b/],
  [/^npm run build$/, 'package.json', /"prepare": "npm run build"/],
  [/^npm run check$/, '.ci/run', /\bnpm run check\b/],
  [/^npm run generate$/, '.ci/run', /\bnpm run generate\b/],
  [/^npm test$/, '.ci/run', /\bsuite default\b/],
  [/^npm run test:package$/, '.ci/run', /\bsuite package\b/],
  [/^npm run test:real$/, '.ci/run', /\bsuite real-1\b/],
  [/^npm run test:browser$/, '.ci/run', /\bsuite browser\b/],
  [/^\.ci\/run$/, '.ci/run', /./],
  [/^npm ci && npm start$/, 'test/cli/example.test.ts', /'example', '--port'/],
  [/^npm ci && npm pack$/, 'test/project/package.package.test.ts', /'npm', \['pack'/],
  [
    /^npm install --save-dev \S+\.tgz$/,
    'test/project/package.package.test.ts',
    /'npm', \['install', .*tarball/,
  ],
  [/^npx waygate --version$/, 'test/project/package.package.test.ts', /readmeCommands/],
  [/^npm cit$/, '.ci/run', /\bnpm ci\b[\s\S]*\bsuite default\b/],
  [/^npm run bench$/, '.ci/run', /\bnpm run bench\b/],
  [/^npx waygate init --url \S+$/, 'test/cli/init.test.ts', /'init'/],
  [/^npx waygate generate( --check)?$/, 'test/cli/generate-config.test.ts', /'--check'/],
  [
    /^npx waygate generate \S+ --out \S+ --name \S+ --client$/,
    'test/cli/generate-config.test.ts',
    /'--client'/,
  ],
  [/^npx waygate generate --watch( \d+\w+)?$/, 'test/cli/generate-offline.test.ts', /'--watch'/],
  [/^npx waygate generate --from \S+( --client)?$/, 'test/cli/generate-offline.test.ts', /'--from'/],
  [/^npx waygate reconcile$/, 'test/cli/reconcile.test.ts', /\['reconcile'\]/],
  [
    /^npx waygate reconcile \S+ --out \S+ --name \S+ --from \S+$/,
    'test/cli/reconcile-sources.test.ts',
    /'--from'/,
  ],
  [/^npx waygate mock --document \S+$/, 'test/mock/mock.test.ts', /startMock/],
  [
    /^npx waygate generate \S+ --out \S+ --name \S+ --overlay \S+$/,
    'test/cli/reconcile.test.ts',
    /'--overlay'/,
  ],
  [
    /^WAYGATE_ADMIN_TOKEN=\S+ npx waygate serve --site \S+ --state \S+$/,
    'test/cli/validation.test.ts',
    /'--state'/,
  ],
  [/^WAYGATE_ADMIN_TOKEN=\S+ npx waygate report \S+$/, 'test/cli/report.test.ts', /'report'/],
  [
    /^WAYGATE_ADMIN_TOKEN=\S+ npx waygate serve --site \S+ --state \S+ --mode observe$/,
    'test/cli/validation.test.ts',
    /'--mode',\s*'observe'/,
  ],
  [/^npx waygate calibrate \S+ --state \S+$/, 'test/cli/calibrate.test.ts', /'calibrate'/],
  [
    /^npx waygate calibrate \S+ --for \S+ --state \S+ --methods all --yes$/,
    'test/cli/calibrate.test.ts',
    /'--yes'/,
  ],
  [
    /^npx waygate serve --site \S+ --mode observe --cache off$/,
    'test/cli/serve.test.ts',
    /'--mode', 'observe', '--cache', 'off'/,
  ],
  [
    /^npx waygate serve --site \S+ --cache redis:\S+$/,
    'test/cli/redis.real.test.ts',
    /'--cache', redis\.url/,
  ],
  [
    /^npx waygate serve --site \S+ --discovery off --passthrough$/,
    'test/cli/serve.test.ts',
    /'--discovery',\s+'off',\s+'--passthrough'/,
  ],
  [/^npx waygate generate \S+ --out \S+ --name \S+( --check)?$/, 'test/cli/generate.test.ts', /'--check'/],
  [/^npx waygate serve --site \S+$/, 'test/cli/serve.test.ts', /'--site'/],
  [/^npx waygate serve --site \S+ --rediscover \S+$/, 'test/cli/serve.test.ts', /'--rediscover'/],
  [/^npx waygate serve --config \S+$/, 'test/cli/serve.test.ts', /'--config'/],
  [
    /^npx waygate serve --config \S+ --workers \d+ --state \S+$/,
    'test/cli/workers.test.ts',
    /'--config', file, '--workers', '2'/,
  ],
  [
    /^WAYGATE_ADMIN_TOKEN=\S+ npx waygate accept( \S+ --gateway \S+ --reject)?$/,
    'test/gateway/snapshot/held-document.test.ts',
    /'accept'/,
  ],
  [/^npx waygate serve --help-config$/, 'test/cli/generate.test.ts', /'--help-config'/],
  [/^npm run wordpress\b/, 'test/project/wordpress.real.test.ts', /startWordPress/],
  [/^npx waygate --help$/, 'test/project/package.package.test.ts', /'--help'/],
];

/** Reads the commands of a document's `sh` blocks, without prompts and comments and with continued lines joined. */
function commandsOf(document: string): readonly string[] {
  const text = readFileSync(join(ROOT, document), 'utf8');
  return [...text.matchAll(/^```sh\n((?:.|\n)*?)^```$/gm)]
    .flatMap(([, block = '']) => block.replace(/\\\n\s*/g, '').split('\n'))
    .map((line) =>
      line
        .replace(/^\$ /, '')
        .replace(/(^|\s+)#.*$/, '')
        .trim(),
    )
    .filter((line) => line !== '');
}

describe.each(['README.md', 'docs/operating.md', 'docs/whole-site.md'])('%s', (document) => {
  test('contains commands', () => {
    expect(commandsOf(document).length).toBeGreaterThan(1);
  });

  test('contains only commands that a test or CI runs', () => {
    expect(
      commandsOf(document).filter((command) => !COVERAGE.some(([pattern]) => pattern.test(command))),
    ).toEqual([]);
  });
});

/** The configurations of a document: blocks of YAML with sites and more than a part of one. */
function configurationsOf(document: string): readonly string[] {
  const text = readFileSync(join(ROOT, document), 'utf8');
  return [...text.matchAll(/^```yaml\n((?:.|\n)*?)^```$/gm)]
    .map(([, block = '']) => block)
    .filter((block) => /^sites:/m.test(block));
}

test.each(['README.md', 'docs/operating.md', 'docs/whole-site.md', 'docs/caching.md'])(
  'the configurations of %s are valid',
  (document) => {
    const configurations = configurationsOf(document);
    expect(configurations.length).toBeGreaterThan(0);
    for (const text of configurations) expect(readConfig(parse(text)), text).toMatchObject({ ok: true });
  },
);

test.each(COVERAGE)('%s is run by %s', (_, by, evidence) => {
  expect(existsSync(join(ROOT, by))).toBe(true);
  expect(readFileSync(join(ROOT, by), 'utf8')).toMatch(evidence);
});
