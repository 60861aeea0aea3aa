import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/config/config.ts';
import { resolveReferences } from '../../src/config/references.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import { type JsonObject, toJsonObject } from '../../src/json.ts';
import { useFolder } from '../support/folder.ts';
import { ROOT } from './source-files.ts';

/**
 * For each command, the test or CI file that runs it, and a pattern that this file contains. Commands are patterns because URLs and
 * names differ between the documents and the tests. The test of the package runs the commands of waygate in the README as written.
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
    /'install',\s+\.\.\.FLAGS,\s+tarball,/,
  ],
  [/^npm install @opentelemetry\/api /, 'package.json', /"@opentelemetry\/resources"/],
  [/^node --import \S+tracing\.mjs \S+ serve /, 'test/cli/otlp.test.ts', /--import/],
  [/^npm cit$/, '.ci/run', /\bnpm ci\b[\s\S]*\bsuite default\b/],
  [/^npm run bench$/, '.ci/run', /\bnpm run bench\b/],
  [
    /^WAYGATE_ADMIN_TOKEN=\S+ npx waygate serve --site \S+ --state \S+$/,
    'test/cli/validation.test.ts',
    /'--state'/,
  ],
  [/^curl -s -X POST -H \S+ \S+ \S+ \S+\/-\/reload$/, 'test/cli/operations.test.ts', /'\/-\/reload'/],
  [/^WAYGATE_ADMIN_TOKEN=\S+ npx waygate why \S+$/, 'test/cli/why.test.ts', /'why'/],
  [
    /^WAYGATE_ADMIN_TOKEN=\S+ npx waygate serve --site \S+ --state \S+ --mode observe$/,
    'test/cli/validation.test.ts',
    /'--mode',\s*'observe'/,
  ],
  [
    /^npx waygate serve --site \S+ --cache redis:\S+$/,
    'test/cli/redis.real.test.ts',
    /'--cache', redis\.url/,
  ],
  [
    /^npx waygate serve --site \S+ --discovery off --passthrough$/,
    'test/cli/upstream.test.ts',
    /'--discovery',\s+'off',\s+'--passthrough'/,
  ],
  [/^npx waygate serve --site \S+$/, 'test/cli/serve.test.ts', /'--site'/],
  [/^npx waygate serve --config \S+$/, 'test/cli/serve.test.ts', /'--config'/],
  [
    /^npx waygate check \S+( --offline --format github)?$/,
    'test/cli/check.test.ts',
    /'check'[\s\S]*'--offline'[\s\S]*'github'/,
  ],
  [/^npx waygate config print( \S+)?$/, 'test/cli/check.test.ts', /'config', 'print'/],
  [/^npx waygate plugin \S+ --config \S+ > waygate\.php$/, 'test/cli/plugin/command.test.ts', /'--config'/],
  [/^npx waygate serve --help-config$/, 'test/cli/generate.test.ts', /'--help-config'/],
  [
    /^npx waygate generate \S+ --out src\/api --name site --client$/,
    'test/cli/generate-config.test.ts',
    /'--client'/,
  ],
  [/^npm run places\b/, 'test/project/places.test.ts', /npm run places/],
  [/^node scripts\/scale\/main\.mjs$/, 'test/project/scale.test.ts', /scripts\/scale/],
  [/^npm run wordpress\b/, 'test/project/wordpress.real.test.ts', /startWordPress/],
];

/** The documents with commands, but for docs/operations.md, whose commands `test/cli/operations.test.ts` runs as they are written. */
const COMMANDS = ['operating', 'whole-site', 'caching', 'scale', 'nextjs', 'places'];

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

describe.each(['README', ...COMMANDS.map((name) => `docs/${name}`)].map((name) => `${name}.md`))(
  '%s',
  (document) => {
    test('contains commands', () => {
      expect(commandsOf(document).length).toBeGreaterThan(0);
    });

    test('contains only commands that a test or CI runs', () => {
      const isRun = (command: string): boolean =>
        (document === 'README.md' && /^(?:\w+=\S+ )?npx waygate /.test(command)) ||
        COVERAGE.some(([pattern]) => pattern.test(command));
      expect(commandsOf(document).filter((command) => !isRun(command))).toEqual([]);
    });
  },
);

const SITE = { url: 'https://example.com' };

/** The configurations of a document: its blocks of YAML. A part of one gets the site that it is without. */
function configurationsOf(document: string): readonly JsonObject[] {
  const text = readFileSync(join(ROOT, document), 'utf8').replaceAll('/run/secrets/', 'secrets/');
  return [...text.matchAll(/^```yaml\n((?:.|\n)*?)^```$/gm)].flatMap(([, block = '']) =>
    parseAllDocuments(block).map((each): JsonObject => {
      const stated = toJsonObject(each.toJS());
      return 'rules' in stated ? { sites: [{ ...SITE, cache: stated }] } : { sites: [SITE], ...stated };
    }),
  );
}

const folder = useFolder();

test.each(
  ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)].filter(
    (document) => document.endsWith('.md') && configurationsOf(document).length > 0,
  ),
)('the configurations of %s are valid', (document) => {
  mkdirSync(join(folder(), 'secrets'));
  for (const name of ['token', 'admin-token', 'webhook', 'redis']) {
    writeFileSync(join(folder(), 'secrets', name), 'a-secret-of-the-documents');
  }
  for (const stated of configurationsOf(document)) {
    const source = { folder: folder(), env: {} };
    const { errors, value } = resolveReferences(stated, SETTINGS.serve, source);
    expect(readConfig(value, errors), JSON.stringify(stated)).toMatchObject({ ok: true });
  }
});

/** Matches a code span or link target that is a path of this repository. A path with a placeholder or glob is skipped. */
const REPOSITORY_PATH = /(?:`|\]\()((?:src|test|scripts)\/[\w./-]*)(?:`|#[\w-]*\)|\))/g;

test.each([
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'],
  ...['security', 'caching', 'client', 'commands', 'operating', 'operations'].map(
    (name) => `docs/${name}.md`,
  ),
])('%s contains only paths that exist', (document) => {
  const text = readFileSync(join(ROOT, document), 'utf8');
  const paths = [...text.matchAll(REPOSITORY_PATH)].map(([, path = '']) => path);
  if (document === 'docs/security.md') expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test.each(COVERAGE)('%s is run by %s', (_, by, evidence) => {
  expect(existsSync(join(ROOT, by))).toBe(true);
  expect(readFileSync(join(ROOT, by), 'utf8')).toMatch(evidence);
});
