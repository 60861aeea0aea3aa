import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type JsonObject, toJsonObject } from '../../src/base/json.ts';
import { lazy } from '../../src/base/memoize.ts';
import { readConfig, resolveReferences, SETTINGS } from '../../src/cli/config/settings.ts';
import { useFolder } from '../support/folder.ts';
import { DOCUMENTS, ROOT } from './source-files.ts';

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

const CHECKED = ['ARCHITECTURE.md', ...DOCUMENTS];

const folder = useFolder();

test.each(CHECKED.filter((document) => configurationsOf(document).length > 0))(
  'the configurations of %s are valid',
  (document) => {
    mkdirSync(join(folder(), 'secrets'));
    for (const name of ['token', 'admin-token', 'webhook', 'redis']) {
      writeFileSync(join(folder(), 'secrets', name), 'a-secret-of-the-documents');
    }
    for (const stated of configurationsOf(document)) {
      const source = { folder: folder(), env: {} };
      const { errors, value } = resolveReferences(stated, SETTINGS.serve, source);
      expect(readConfig(value, errors), JSON.stringify(stated)).toMatchObject({ ok: true });
    }
  },
);

test.each([
  'agents',
  'front-end/client',
  'front-end/nextjs',
  'front-end/vite',
  'front-end/frameworks',
  'operators/operating',
])(
  'docs/%s.md says how to install waygate before a command that npx would otherwise fetch from strangers',
  (document) => {
    const [before = '', ...rest] = readFileSync(join(ROOT, `docs/${document}.md`), 'utf8').split(
      'npx waygate',
    );
    expect([before.includes('README.md#install'), rest.length > 0]).toEqual([true, true]);
  },
);

/** Matches a code span or link target that is a path of this repository. A path with a placeholder or glob is skipped. */
const REPOSITORY_PATH = /(?:`|\]\()((?:src|test|scripts)\/[\w./-]*)(?:`|#[\w-]*\)|\))/g;

test.each(CHECKED)('%s contains only paths that exist', (document) => {
  const text = readFileSync(join(ROOT, document), 'utf8');
  const paths = [...text.matchAll(REPOSITORY_PATH)].map(([, path = '']) => path);
  if (document === 'docs/internals/security-tests.md') expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

const FILES = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((file) => existsSync(join(ROOT, file)));

/** All words of `src` and of the helpers of tests. */
const listWords = lazy(() => {
  const files = FILES.filter((file) => /^(?:src|test\/support)\/.*\.tsx?$/.test(file));
  return new Set(files.flatMap((file) => readFileSync(join(ROOT, file), 'utf8').match(/#?\w+/g) ?? []));
});

/** Matches the name of a file or a folder, or one in the code, e.g. `respond.ts`, `gateway/site/` and `SiteTags.purge`. */
const CODE_NAME =
  /`(?:((?:[\w-]+\/)*[\w.-]+\.(?:tsx?|json|mjs)|(?:[\w-]+\/)+)|(#?[A-Za-z]+[a-z][A-Z]\w*|[A-Z]\w+(?:\.\w+)?))`/g;
/** A user writes them. */
const OTHER_FILES = /^(?:gateway|waygate)\.config\.ts$/;

test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', ...DOCUMENTS.filter((name) => name.includes('internals/'))])(
  '%s names only files, functions and classes that exist',
  (document) => {
    const text = readFileSync(join(ROOT, document), 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '');
    const names = [...text.matchAll(CODE_NAME)];
    const paths = names.flatMap(([, path]) => path ?? []).filter((path) => !OTHER_FILES.test(path));
    const words = names.flatMap(([, , name]) => name?.split('.') ?? []);
    const missing = [
      ...paths.filter((path) => !FILES.some((file) => `/${file}`.includes(`/${path}`))),
      ...words.filter((word) => !listWords().has(word)),
    ];
    expect(missing).toEqual([]);
  },
);

/** Matches a command that runs a program of this repository, such as `npm run bench` and `node scripts/mix/main.mjs`. */
const REPOSITORY_COMMAND = /npm run (?<name>[\w:]+)|node (?<file>scripts\/[\w./-]+\.mjs)/g;

test.each(CHECKED)('%s names only programs of the repository that exist', (document) => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const commands = readFileSync(join(ROOT, document), 'utf8').matchAll(REPOSITORY_COMMAND);
  const missing = [...commands].filter(({ groups: { name = '', file = '' } = {} }) =>
    file === '' ? !Object.hasOwn(scripts, name) : !existsSync(join(ROOT, file)),
  );
  expect(missing.map(([command]) => command)).toEqual([]);
});

test.each(CHECKED)('%s links only to files and headings that exist', (document) => {
  const links = readFileSync(join(ROOT, document), 'utf8').matchAll(
    /\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g,
  );
  const missing = [...links].filter(([, path = '', heading]) => {
    const target = path === '' ? join(ROOT, document) : join(ROOT, dirname(document), path);
    return !existsSync(target) || (heading !== undefined && !anchorsOf(target).includes(heading));
  });
  expect(missing.map(([link]) => link)).toEqual([]);
});

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '');
  return Array.from(text.matchAll(/^#+ (.+)$/gm), ([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
