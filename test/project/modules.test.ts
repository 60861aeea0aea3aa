import { describe, expect, test } from 'vitest';
import { moduleOf, readSourceFiles, type SourceFile } from './source-files.ts';

const sourceFiles = readSourceFiles();

/** Files that every module may import. They import only one another. */
const SHARED = [
  'read-file.ts',
  'config/option-types.ts',
  'nearest-name.ts',
  'count-of.ts',
  'diagnostics.ts',
  'document-extensions.ts',
  'errors.ts',
  'glob.ts',
  'group-by.ts',
  'hash.ts',
  'json.ts',
  'memoize.ts',
  'omit-undefined.ts',
  'ports.ts',
  'steps.ts',
  'unique-names.ts',
];

/** Layers of the core, lowest first. A module imports modules of lower layers only, none of its own layer. */
const LAYERS = [
  ['http', 'php', 'pcre'],
  ['discovery'],
  ['model'],
  ['openapi'],
  ['types', 'changes', 'router'],
  ['validation'],
  ['client', 'example-values', 'rest-server'],
];
const CORE = LAYERS.flat();

/** Modules and files that each module may import besides itself and {@link SHARED}. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(SHARED.map((file) => [file, []])),
  ...Object.fromEntries(
    LAYERS.flatMap((names, layer) => names.map((module) => [module, LAYERS.slice(0, layer).flat()] as const)),
  ),
  // The cache uses HTTP. It knows neither PHP nor WordPress.
  cache: ['http'],
  // What a cache in front of WordPress knows: keys, personal requests, tags, writes. Neither it nor the transports use OpenAPI.
  wordpress: ['http', 'php', 'pcre', 'cache'],
  upstream: ['http', 'php', 'discovery/site.ts'],
  // What the documentation and the console share: shell, tables, forms, styles. It knows no document.
  ui: [],
  // Samples encode paths as the client does.
  docs: ['ui', 'model', 'openapi', 'example-values', 'client/runtime/client.ts', 'router/target.ts'],
  // A configuration imports the package.
  config: [...CORE, 'index.ts', 'cache', 'gateway', 'node', 'site', 'define-config.ts'],
  // What a user's program imports; no other module does.
  'define-config.ts': [],
  // Tools for agents, made from a document and a function that sends a request.
  mcp: [...CORE, 'ui', 'docs'],
  // What every response of the gateway itself is made with, the bodies of requests, and the relay of the site's response.
  exchange: [...CORE, 'upstream'],
  // One site: what the gateway knows of it and decides for it. It handles no request.
  site: [...CORE, 'cache', 'wordpress', 'upstream', 'ui', 'docs', 'exchange'],
  // Its operations and pages show the state of the sites.
  admin: [...CORE, 'cache', 'wordpress', 'upstream', 'ui', 'exchange', 'site'],
  console: [...CORE, 'cache', 'wordpress', 'upstream', 'ui', 'docs', 'exchange', 'site', 'admin'],
  // The life of a request. The only module that composes the others.
  gateway: [
    ...CORE,
    'cache',
    'wordpress',
    'upstream',
    'ui',
    'docs',
    'exchange',
    'site',
    'admin',
    'console',
    'mcp',
  ],
  // The entry points and the modules around the gateway.
  node: [...CORE, 'cache', 'upstream', 'exchange', 'site', 'admin', 'gateway'],
  example: CORE,
  mock: [...CORE, 'upstream', 'gateway'],
  'generate.ts': [...CORE, 'docs/reference.ts'],
  reconcile: CORE,
  'index.ts': [
    ...CORE,
    'cache',
    'upstream',
    'ui',
    'config/create-gateway.ts',
    'gateway',
    'define-config.ts',
    'generate.ts',
    'mock',
    'reconcile',
  ],
  // What a Vite configuration imports: generate --watch and mock within a development server.
  vite: ['cli', 'mock'],
  cli: [
    ...CORE,
    'cache',
    'wordpress',
    'upstream',
    'ui',
    'docs',
    'site',
    'admin',
    'gateway',
    'node',
    'config',
    'define-config.ts',
    'example',
    'generate.ts',
    'mcp',
    'reconcile',
    'mock',
  ],
};

describe('modules', () => {
  test('each have an entry in the table', () => {
    const names = new Set(sourceFiles.map(({ file }) => moduleOf(file)));
    expect([...names].filter((module) => ALLOWED[module] === undefined)).toEqual([]);
  });

  test('import allowed modules only', () => {
    const violations = sourceFiles.flatMap(({ file, imports }) => {
      const module = moduleOf(file);
      const allowed = [module, ...SHARED, ...(ALLOWED[module] ?? [])];
      return imports
        .flatMap(({ target }) => target ?? [])
        .filter((target) => !allowed.includes(moduleOf(target)) && !allowed.includes(target))
        .map((target) => `${file} imports ${target}`);
    });
    expect(violations).toEqual([]);
  });

  test('contain no import cycles, imports of types included', () => {
    expect(cycles(sourceFiles)).toEqual([]);
  });
});

/** Folders and files of `site/` from the ground up: each imports those of the lines above its own only. */
const SITE_LAYERS = [
  'options', // what a user configures
  'site-upstream.ts', // the server of a site
  'mounted-site-settings.ts', // the settings of a mounted site
  'snapshot', // the immutable state of a site, and its replacement
  'limiting', // which clients may send requests, and how many
  'cors.ts', // which origins may read the responses
  'traffic', // what is recorded about requests, for the operator
  'caching', // which requests the cache serves, and what writes invalidate
  'purge-notifier.ts', // other systems that are told what is purged
  'validating', // validation of requests
  'documents', // the documents and the documentation
  'agent-tokens.ts', // tokens of an issuer that stand for credentials of the site
  'target-memos.ts', // what is remembered of repeated targets
  'shared-parts.ts', // what the sites of a gateway share
  'mounted-site.ts', // the site: its settings and parts
  'served-hosts.ts', // which host leads to which site
];

describe('the folders of `site/`', () => {
  const site = sourceFiles.filter(({ file }) => file.startsWith('site/'));
  const layerOf = (file: string) => SITE_LAYERS.indexOf(file.split('/')[1] ?? '');

  test('are those of the table', () => {
    expect(site.filter(({ file }) => layerOf(file) < 0).map(({ file }) => file)).toEqual([]);
  });

  test('import in one direction', () => {
    const violations = site.flatMap(({ file, imports }) =>
      imports
        .flatMap(({ target }) => target ?? [])
        .filter((target) => target.startsWith('site/') && layerOf(target) > layerOf(file))
        .map((target) => `${file} imports ${target}`),
    );
    expect(violations).toEqual([]);
  });
});

describe('dependencies', () => {
  test('of the documentation and the console are loaded by their first request, not by a gateway', () => {
    const reached = filesLoadedBy('gateway/index.ts');
    expect(reached.size).toBeGreaterThan(100);
    const isPage = (file: string) => moduleOf(file) === 'docs' || file.endsWith('.tsx');
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
    const serving = filesLoadedBy('cli/serve/command.ts', 'cli/serve/run-gateway.ts');
    expect([...serving].filter((file) => ['types', 'example', 'reconcile'].includes(moduleOf(file)))).toEqual(
      [],
    );
  });

  test('on environment variables exist in cli/ and config/ only', () => {
    const readers = sourceFiles
      .filter(({ text }) => /\bprocess\s*\.\s*env\b/.test(text))
      .map(({ file }) => moduleOf(file));
    expect(readers.filter((module) => module !== 'cli' && module !== 'config')).toEqual([]);
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
