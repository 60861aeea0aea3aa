import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from './modules.ts';

/**
 * Each command that the README shows, and the file by which it is run: a test, or CI itself. A command may be a
 * pattern, as what stands for an address or a name differs between a page and a test.
 */
const PROVEN: readonly (readonly [command: RegExp, by: string, trace: RegExp])[] = [
  [/^npm ci$/, '.ci/run', /\bnpm ci\b/],
  [/^npm run build$/, 'package.json', /"prepare": "npm run build"/],
  [/^npm run check$/, '.ci/run', /\bnpm run check\b/],
  [/^npm run generate$/, '.ci/run', /\bnpm run generate\b/],
  [/^npm test$/, '.ci/run', /^suite default$/m],
  [/^npm run test:package$/, '.ci/run', /^suite package$/m],
  [/^npm run test:real$/, '.ci/run', /^ *suite real$/m],
  [/^npm run test:browser$/, '.ci/run', /^ *suite browser$/m],
  [/^\.ci\/run$/, '.ci/run', /./],
  [/^npm ci && npm start$/, 'test/cli/example.test.ts', /As `npm start` runs it/],
  [/^npm cit$/, '.ci/run', /\bnpm ci\b[\s\S]*^suite default$/m],
  [/^npm run bench$/, '.ci/run', /\bnpm run bench\b/],
  [/^npm run bench:validation$/, '.ci/run', /\bnpm run bench:validation\b/],
  [/^npx waygate reconcile \S+ --out \S+ --name \S+$/, 'test/cli/reconcile.test.ts', /'reconcile'/],
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
    /^WAYGATE_ADMIN_TOKEN=\S+ npx waygate serve --site \S+ --state \S+ --mode enforce --after-agreement \d+$/,
    'test/cli/validation.test.ts',
    /'--after-agreement'/,
  ],
  [/^npx waygate serve --site \S+ --cache memory$/, 'test/cli/serve.test.ts', /'--cache', 'memory'/],
  [
    /^npx waygate serve --site \S+ --cache redis:\S+$/,
    'test/cli/redis.real.test.ts',
    /'--cache', redis\.url/,
  ],
  [
    /^npx waygate serve --site \S+ --discovery off --passthrough --cache memory$/,
    'test/cli/serve.test.ts',
    /'--passthrough',\s+'--cache',\s+'memory'/,
  ],
  [/^npx waygate generate \S+ --out \S+ --name \S+( --check)?$/, 'test/cli/generate.test.ts', /'--check'/],
  [/^npx waygate serve --site \S+ --rediscover \S+$/, 'test/cli/serve.test.ts', /'--rediscover'/],
  [/^npx waygate serve --config \S+$/, 'test/cli/serve.test.ts', /'--config'/],
  [/^npx waygate serve --help-config$/, 'test/cli/generate.test.ts', /'--help-config'/],
  [/^npm run wordpress\b/, 'test/project/wordpress.real.test.ts', /startWordPress/],
  [/^npx waygate --help$/, 'test/project/package.package.test.ts', /'--help'/],
];

/** The lines of the README's `sh` blocks: one command each, without prompts, comments and continued lines. */
function commands(): readonly string[] {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  return [...readme.matchAll(/^```sh\n((?:.|\n)*?)^```$/gm)]
    .flatMap(([, block = '']) => block.replace(/\\\n\s*/g, '').split('\n'))
    .map((line) =>
      line
        .replace(/^\$ /, '')
        .replace(/(^|\s+)#.*$/, '')
        .trim(),
    )
    .filter((line) => line !== '');
}

describe('the README', () => {
  test('shows commands', () => {
    expect(commands().length).toBeGreaterThan(1);
  });

  test('shows none that nothing runs', () => {
    expect(commands().filter((command) => !PROVEN.some(([pattern]) => pattern.test(command)))).toEqual([]);
  });
});

test.each(PROVEN)('%s is run by %s', (_, by, trace) => {
  expect(existsSync(join(ROOT, by))).toBe(true);
  expect(readFileSync(join(ROOT, by), 'utf8')).toMatch(trace);
});
