import { describe, expect, test } from 'vitest';
import { readSourceFiles, type SourceFile } from './source-files.ts';

const sourceFiles = readSourceFiles();

/** All of `gateway/` that operations and console import: plain data, and functions for what an operator does. */
const OPERATED = ['surfaces.ts', 'report/operated-gateway.ts', 'report/operated-site.ts'].map(
  (file) => `gateway/${file}`,
);

/**
 * The drawing of `src/`, from the ground up: each part, and what it imports besides the parts of its own wing that stand above it
 * here. A wing is a folder of `src/`.
 */
const PARTS: readonly (readonly [part: string, ...imports: readonly string[]])[] = [
  ['base'], // values, errors, ports
  ['base/http'], // the grammar of header fields
  ['base/php'], // PHP's treatment of input
  ['base/pcre'], // patterns of routes and arguments
  ['generator/discovery', 'base'], // finds and reads a root index
  ['generator/model', 'base'], // routes to paths, arguments to schemas
  ['generator/openapi', 'base'], // model to document, document to operations
  ['generator/validation', 'base'], // WordPress's rules of requests, and JSON Schema for responses
  ['generator/types', 'base'], // document to types
  ['generator/client', 'base'], // document to a client
  ['generator/changes', 'base'], // compares two documents
  ['generator/example-values', 'base'], // valid examples of requests and responses
  ['generator/reference', 'base'], // document to a tree of resources, with samples and a search
  ['generator/reconcile', 'base'], // learns what an index lacks
  ['gateway/router', 'base', 'generator'], // request target to route
  ['gateway/cache', 'base/http', 'base'], // a shared cache for HTTP, which knows nothing of PHP and WordPress
  ['gateway/wordpress', 'base'], // what the cache must know of WordPress
  ['gateway/upstream', 'base', 'generator/discovery'], // requests to a site
  ['gateway/exchange', 'base', 'generator'], // problems, bodies, the relay of a response
  ['gateway/site', 'base', 'generator'], // one site: what the gateway knows of it and decides for it
  ['gateway', 'base', 'generator'], // the life of a request
  ['gateway/node', 'base', 'generator'], // the adapter for Node servers
  ['gateway/report', 'base', 'generator'], // what the operator is told of sites, requests and the store, and does with them
  ['pages/ui', 'base'], // shell, tables, forms, styles
  ['pages/docs', 'base', 'generator', 'gateway/surfaces.ts'], // the pages of the reference
  ['pages/admin', 'base', ...OPERATED], // operations of the gateway
  ['pages/console', 'base', 'generator/model', ...OPERATED], // the pages of the operator
  ['agents', 'base', 'generator', 'gateway/surfaces.ts'], // tools for assistants
  ['sites', 'base', 'generator'], // sites in memory: a REST server, two examples, a mock
  ['cli', 'base', 'generator', 'gateway', 'agents', 'sites', 'entries'], // commands and settings
  ['entries', 'base', 'generator', 'gateway', 'pages', 'agents', 'sites', 'cli/config'], // what a program imports
];

/** Folders and files of `gateway/site/` from the ground up: each imports those before it only. */
const SITE_LAYERS = [
  ...['hosts.ts', 'settings.ts'], // settings
  ...['snapshot', 'limiting', 'cors.ts', 'traffic', 'caching', 'purge-notifier.ts', 'validating'],
  ...['agent-tokens.ts', 'target-memos.ts'],
  ...['keep.ts', 'site-place.ts', 'shared-parts.ts'], // what sites share
  'mounted-site.ts', // the site: its settings and parts
];

describe('modules', () => {
  test('each have a place in the drawing', () => {
    expect(sourceFiles.map(({ file }) => file).filter((file) => partOf(file) === undefined)).toEqual([]);
  });

  test('are in at most eight folders and six files', () => {
    const names = [...new Set(sourceFiles.map(({ file }) => file.split('/', 1)[0] ?? ''))];
    const files = names.filter((name) => name.includes('.'));
    expect(files.length).toBeLessThanOrEqual(6);
    expect(names.length - files.length).toBeLessThanOrEqual(8);
  });

  test('import what the drawing shows', () => {
    const violations = sourceFiles.flatMap(({ file, imports }) => {
      const part = partOf(file) ?? '';
      const place = PARTS.findIndex(([name]) => name === part);
      const [, ...others] = PARTS[place] ?? [''];
      const own = PARTS.slice(0, place + 1).map(([name]) => name);
      const isAllowed = (target: string): boolean => {
        const to = partOf(target) ?? '';
        return (
          (own.includes(to) && wingOf(to) === wingOf(part)) ||
          others.some((each) => to === each || `${target}/`.startsWith(`${each}/`))
        );
      };
      return imports
        .flatMap(({ target }) => target ?? [])
        .filter((target) => !isAllowed(target))
        .map((target) => `${file} imports ${target}`);
    });
    expect(violations).toEqual([]);
  });

  test('contain no import cycles, imports of types included', () => {
    expect(cycles(sourceFiles)).toEqual([]);
  });
});

/** The longest name of the drawing that is a folder of the file; `entries` for the files of `src/` itself. */
function partOf(file: string): string | undefined {
  if (!file.includes('/')) return 'entries';
  const folders = PARTS.map(([name]) => name).filter((name) => file.startsWith(`${name}/`));
  return folders.sort((one, other) => other.length - one.length)[0];
}

const wingOf = (part: string): string => part.split('/', 1)[0] ?? part;

describe('the folders of `gateway/site/`', () => {
  const site = sourceFiles.filter(({ file }) => file.startsWith('gateway/site/'));
  const layerOf = (file: string) => SITE_LAYERS.indexOf(file.split('/')[2] ?? '');

  test('are those of the table', () => {
    expect(site.filter(({ file }) => layerOf(file) < 0).map(({ file }) => file)).toEqual([]);
  });

  test('import in one direction', () => {
    const violations = site.flatMap(({ file, imports }) =>
      imports
        .flatMap(({ target }) => target ?? [])
        .filter((target) => target.startsWith('gateway/site/') && layerOf(target) > layerOf(file))
        .map((target) => `${file} imports ${target}`),
    );
    expect(violations).toEqual([]);
  });
});

describe('dependencies', () => {
  test('of the documentation and the console are loaded by their first request, not by a gateway', () => {
    const reached = filesLoadedBy('open-gateway.ts');
    expect(reached.size).toBeGreaterThan(100);
    const isPage = (file: string) => partOf(file) === 'pages/docs' || file.endsWith('.tsx');
    expect([...reached].filter(isPage)).toEqual([]);
  });

  test('of a command are loaded by it, and `--help` needs commander alone', () => {
    const reached = filesLoadedBy('cli/main.ts');
    expect([...reached].filter((file) => file.endsWith('/command.ts'))).toEqual([]);
    const packages = sourceFiles
      .filter(({ file }) => reached.has(file))
      .flatMap(({ imports }) => imports.filter(({ kind }) => kind === 'value'))
      .filter(({ specifier, target }) => target === undefined && !specifier.startsWith('node:'));
    expect(new Set(packages.map(({ specifier }) => specifier))).toEqual(new Set(['commander']));
    const serving = filesLoadedBy('cli/serve/run-gateway.ts');
    expect([...serving].filter((file) => /^(?:generator\/(?:types|reconcile)|sites)\//.test(file))).toEqual(
      [],
    );
  });

  test('on environment variables exist in cli/ and createGateway only', () => {
    const readers = sourceFiles.filter(({ text }) => /\bprocess\s*\.\s*env\b/.test(text));
    expect(readers.map(({ file }) => file).filter((file) => !file.startsWith('cli/'))).toEqual([
      'create-gateway.ts',
    ]);
  });
});

/** Lists files and all files that are loaded with them, before any `import()` runs. */
function filesLoadedBy(...entries: readonly string[]): ReadonlySet<string> {
  const byFile = new Map(sourceFiles.map((module) => [module.file, module]));
  const reached = new Set<string>();
  const visit = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const { kind, target } of byFile.get(file)?.imports ?? []) {
      if (kind === 'value' && target !== undefined) visit(target);
    }
  };
  for (const entry of entries) visit(entry);
  return reached;
}

/** Finds import cycles, each as `a.ts → b.ts → a.ts`. */
function cycles(all: readonly SourceFile[]): readonly string[] {
  const targets = new Map(
    all.map(({ file, imports }) => [file, imports.flatMap(({ target }) => target ?? [])]),
  );
  const found: string[] = [];
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]): void => {
    const from = path.indexOf(file);
    if (from !== -1) found.push([...path.slice(from), file].join(' → '));
    if (from !== -1 || done.has(file)) return;
    for (const target of targets.get(file) ?? []) walk(target, [...path, file]);
    done.add(file);
  };
  for (const file of targets.keys()) walk(file, []);
  return found;
}
