import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { moduleOf, readSourceFiles, type SourceFile } from './source-files.ts';

const sourceFiles = readSourceFiles();

/** Files that every module may import. They import only one another. */
const SHARED = [
  'builtin-modules.ts',
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
  'removed.json',
  'state.ts',
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
  ['client', 'validators', 'example-values', 'rest-server'],
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
  docs: ['ui', 'model', 'openapi', 'changes', 'example-values'],
  config: ['define-config.ts', 'cache/stores/redis/servers.ts'],
  // A list for the entry points.
  'port-types.ts': [...CORE, 'cache', 'wordpress', 'upstream', 'gateway'],
  // What a user's program imports; no other module does.
  'define-config.ts': [],
  // The pages of the console show the state of the gateway.
  console: [...CORE, 'cache', 'wordpress', 'upstream', 'ui', 'docs', 'gateway'],
  // The only module that composes the others.
  gateway: [...CORE, 'cache', 'wordpress', 'upstream', 'ui', 'docs', 'console'],
  // The entry points and the modules around the gateway.
  node: [...CORE, 'cache', 'wordpress', 'upstream', 'gateway', 'port-types.ts'],
  example: CORE,
  mock: [...CORE, 'gateway'],
  'generate.ts': [...CORE, 'docs/reference.ts'],
  reconcile: CORE,
  'index.ts': [
    ...CORE,
    'cache',
    'wordpress',
    'upstream',
    'ui',
    'gateway',
    'define-config.ts',
    'generate.ts',
    'mock',
    'port-types.ts',
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
    'gateway',
    'node',
    'config',
    'define-config.ts',
    'example',
    'generate.ts',
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

  test('import files that exist', () => {
    const files = new Set(sourceFiles.map(({ file }) => file));
    const isDataFile = (target: string) =>
      target.endsWith('.json') && existsSync(new URL(`../../src/${target}`, import.meta.url));
    const missing = sourceFiles.flatMap(({ file, imports }) =>
      imports.flatMap(({ target }) =>
        target === undefined || files.has(target) || isDataFile(target) ? [] : [`${file} imports ${target}`],
      ),
    );
    expect(missing).toEqual([]);
  });

  test('contain no import cycles, imports of types included', () => {
    expect(cycles(sourceFiles)).toEqual([]);
  });
});

describe('one file reads and writes the `x-waygate-*` extensions of a document', () => {
  /** Header fields of the purge webhook and of the loop probe, which are not extensions. */
  const HEADERS = /x-waygate-(?:timestamp|signature|probe|request|tags|changed|sequence)\b/g;

  test('no other file contains their names', () => {
    const files = sourceFiles
      .filter(({ source }) => source.text.replace(HEADERS, '').includes('x-waygate-'))
      .map(({ file }) => file);
    expect(files).toEqual(['document-extensions.ts']);
  });
});

describe('operations of a document', () => {
  test('are read by openapi/ alone', () => {
    const files = sourceFiles
      .filter(({ source }) =>
        /\['paths'\]|\b[dD]ocument\??\.paths\b|\bpaths\b[^{}()]*\}: JsonObject\b/.test(source.text),
      )
      .map(({ file }) => file);
    expect(files.filter((file) => !file.startsWith('openapi/'))).toEqual([]);
  });
});

/** Folders and files of the gateway from the ground up: each imports those of the lines above its own only. */
const GATEWAY_LAYERS = [
  'options', // what a user configures
  'exchange', // problem responses, request bodies, and the relay of the site's response
  'snapshot', // the immutable state of a site, and its replacement
  'limiting', // which clients may send requests, and how many
  'traffic', // what is recorded about requests, for the operator
  'caching', // which requests the cache serves, and what writes invalidate
  'notify', // other systems that are told what is purged
  'validating', // validation of requests
  'own-responses', // responses without the site
  'target-memos.ts', // what is remembered of repeated targets
  'mounted-site.ts', // one site: its settings and parts
  'gateway-request.ts', // one request for a site: all that is known of it
  'gateway-upstream.ts', // the way of a request to its site
  'own-response.ts', // a request that the gateway responds to itself, or refuses
  'inspect-read.ts', // what the gateway would do with a read
  'served-hosts.ts', // which host leads to which site
  'process-status.ts', // connections, circuits, memory and counters
  'admin', // the operations below /-/
  'resolve-site.ts', // the site that a request is for, and who may use it
  'server-exchange.ts', // a message whose request a server hands to the app
  'handle.ts', // the life of a request
  'fetch-adapter.ts', // the same for `Request` and `Response`
  'administration.ts', // operations and console of one gateway
  'warming.ts', // reads before a visitor asks, after a purge
  'gateway-parts.ts', // what the sites of one gateway share
  'gateway-routes.ts', // the routes of the Hono app
  'gateway.ts', // the Hono app
  'takeover.ts', // a gateway in place of another
];

describe('the folders of the gateway', () => {
  const gateway = sourceFiles.filter(({ file }) => file.startsWith('gateway/'));
  const folderOf = (file: string) => file.split('/')[1] ?? '';

  test('are those of the table, beside the index file', () => {
    const folders = new Set(gateway.map(({ file }) => folderOf(file)));
    expect([...folders].sort()).toEqual([...GATEWAY_LAYERS, 'index.ts'].sort());
  });

  test('import in one direction', () => {
    const violations = gateway
      .filter(({ file }) => file !== 'gateway/index.ts')
      .flatMap(({ file, imports }) =>
        imports
          .flatMap(({ target }) => target ?? [])
          .filter((target) => target.startsWith('gateway/'))
          .filter(
            (target) =>
              GATEWAY_LAYERS.indexOf(folderOf(target)) > GATEWAY_LAYERS.indexOf(folderOf(file)) ||
              !GATEWAY_LAYERS.includes(folderOf(target)),
          )
          .map((target) => `${file} imports ${target}`),
      );
    expect(violations).toEqual([]);
  });
});

describe('platform dependencies', () => {
  /** Matches Node's built-in modules and packages that depend on them. */
  const isNode = (specifier: string) =>
    /^(node:|undici$|@redis\/client$|@hono\/node-server|pino$|commander$)/.test(specifier);
  /** Modules that may import them. */
  const NODE_MODULES = ['node', 'cli', 'config', 'example', 'vite'];
  /** Files of other modules that may import them: the portable gateway loads them on demand or never. */
  const NODE_FILES = [
    'cache/stores/redis/connection.ts',
    'cache/stores/redis/session.ts',
    'upstream/dispatch-transport.ts',
  ];

  test('on Node exist in the listed modules and files only', () => {
    const violations = sourceFiles
      .filter(({ file }) => !NODE_MODULES.includes(moduleOf(file)) && !NODE_FILES.includes(file))
      .flatMap(({ file, imports }) =>
        imports
          .filter(({ specifier }) => isNode(specifier))
          .map(({ specifier }) => `${file} imports ${specifier}`),
      );
    expect(violations).toEqual([]);
  });

  test('are not loaded by index.ts, which runs on every platform with fetch', () => {
    const reached = filesLoadedBy('index.ts');
    expect(reached.size).toBeGreaterThan(20);
    expect(
      [...reached].filter((file) => NODE_MODULES.includes(moduleOf(file)) || NODE_FILES.includes(file)),
    ).toEqual([]);
  });

  test('of the documentation and the console are loaded by their first request, not by a gateway', () => {
    const reached = filesLoadedBy('gateway/index.ts');
    expect(reached.size).toBeGreaterThan(100);
    const isPage = (file: string) => moduleOf(file) === 'docs' || file.endsWith('.tsx');
    expect([...reached].filter(isPage)).toEqual([]);
  });

  test('on environment variables exist in cli/ and config/ only', () => {
    const readers = sourceFiles
      .filter(({ source }) => /\bprocess\s*\.\s*env\b/.test(source.text))
      .map(({ file }) => moduleOf(file));
    expect(readers.filter((module) => module !== 'cli' && module !== 'config')).toEqual([]);
  });
});

/** Lists a file and all files that are loaded with it, before any `import()` runs. */
function filesLoadedBy(entry: string): ReadonlySet<string> {
  const byFile = new Map(sourceFiles.map((module) => [module.file, module]));
  const reached = new Set<string>();
  const visit = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const { kind, target } of byFile.get(file)?.imports ?? []) {
      if (kind === 'value' && target !== undefined) visit(target);
    }
  };
  visit(entry);
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
