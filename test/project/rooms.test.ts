import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { type Module, readModules, roomOf } from './modules.ts';

const modules = readModules();

/** Files that every room may import: they import nothing but one another. */
const SHARED = [
  'defined.ts',
  'diagnostics.ts',
  'document-extensions.ts',
  'errors.ts',
  'glob.ts',
  'json.ts',
  'memoize.ts',
  'ports.ts',
];

/** From the ground up: a room imports rooms of the lines above its own, and none of its own line. */
const FLOORS = [
  ['http', 'php', 'pcre'],
  ['discovery'],
  ['model'],
  ['openapi'],
  ['types', 'router', 'validation'],
];
const CORE = FLOORS.flat();

/** What each room may import besides itself and {@link SHARED}. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(SHARED.map((file) => [file, []])),
  ...Object.fromEntries(
    FLOORS.flatMap((rooms, floor) => rooms.map((room) => [room, FLOORS.slice(0, floor).flat()] as const)),
  ),
  // They know HTTP, PHP's queries, and where a site stands; nothing of OpenAPI.
  cache: ['http', 'php', 'discovery/site.ts', 'http/exchange.ts'],
  upstream: ['http', 'php', 'discovery/site.ts'],
  docs: [],
  // The configuration file states the gateway's options; types only.
  config: ['gateway/options/site-options.ts'],
  // The one that composes.
  gateway: [...CORE, 'cache', 'upstream', 'docs'],
  // Around it: Node's own ways, the build side in one call, the commands, the front door.
  node: [...CORE, 'cache', 'upstream', 'docs', 'gateway'],
  example: CORE,
  'generate.ts': CORE,
  reconcile: CORE,
  'index.ts': [...CORE, 'cache', 'upstream', 'docs', 'gateway', 'generate.ts', 'reconcile'],
  cli: [
    ...CORE,
    'cache',
    'upstream',
    'docs',
    'gateway',
    'node',
    'config',
    'example',
    'generate.ts',
    'reconcile',
  ],
};

/** Files that are each other's parts because what they say is: functions that call each other, nothing at load. */
const RECURSIVE = [
  // The members of `oneOf` are validated like any schema, and a value is sanitised before it is compared with an `enum`.
  /^(?:validation\/wordpress\/(?:combinators|validate|sanitize)\.ts(?: → |$))+$/,
];

describe('a room imports what stands below it', () => {
  test('every room has its line in the table', () => {
    const rooms = new Set(modules.map(({ file }) => roomOf(file)));
    expect([...rooms].filter((room) => ALLOWED[room] === undefined)).toEqual([]);
  });

  test('and no other', () => {
    const strays = modules.flatMap(({ file, imports }) => {
      const room = roomOf(file);
      const allowed = [room, ...SHARED, ...(ALLOWED[room] ?? [])];
      return imports
        .flatMap(({ target }) => target ?? [])
        .filter((target) => !allowed.includes(roomOf(target)) && !allowed.includes(target))
        .map((target) => `${file} imports ${target}`);
    });
    expect(strays).toEqual([]);
  });

  test('relative imports name files that are there', () => {
    const files = new Set(modules.map(({ file }) => file));
    const missing = modules.flatMap(({ file, imports }) =>
      imports.flatMap(({ target }) =>
        target === undefined || files.has(target) ? [] : [`${file} imports ${target}`],
      ),
    );
    expect(missing).toEqual([]);
  });

  test('no file imports itself by way of others, but for types', () => {
    const unexplained = cycles(modules).filter((cycle) => !RECURSIVE.some((files) => files.test(cycle)));
    expect(unexplained).toEqual([]);
  });
});

describe('one file reads and writes the `x-waygate-*` extensions of a document', () => {
  /** Header fields of the purge webhook, which are not extensions. */
  const HEADERS = /x-waygate-(?:timestamp|signature)\b/g;

  test('no other file contains their names', () => {
    const files = modules
      .filter(({ source }) => source.text.replace(HEADERS, '').includes('x-waygate-'))
      .map(({ file }) => file);
    expect(files).toEqual(['document-extensions.ts']);
  });
});

/** Folders of the gateway from the ground up: a folder imports folders of the lines above its own only. */
const GATEWAY_LAYERS = [
  'options', // what a user configures
  'plan', // how a request is handled: the types of a plan
  'exchange', // executes a plan
  'snapshot', // the immutable state of a site, and its replacement
  'caching', // which requests the cache serves, and what writes invalidate
  'sampling', // validation of responses in the background
  'validating', // validation of requests
  'local', // responses without the site
  'site', // one mounted site: plans its requests
  'admin', // the operations below /-/
  'app', // the Hono app
];

describe('the folders of the gateway', () => {
  const gateway = modules.filter(({ file }) => file.startsWith('gateway/'));
  const folderOf = (file: string) => file.split('/')[1] ?? '';

  test('are those of the table, beside the index file', () => {
    const folders = new Set(gateway.map(({ file }) => folderOf(file)));
    expect([...folders].sort()).toEqual([...GATEWAY_LAYERS, 'index.ts'].sort());
  });

  test('import in one direction', () => {
    const strays = gateway
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
    expect(strays).toEqual([]);
  });
});

describe('only the edges touch the machine', () => {
  /** Node's modules and the client that needs them. */
  const isNode = (specifier: string) =>
    /^(node:|undici$|@redis\/client$|@hono\/node-server|pino$|commander$)/.test(specifier);
  /** Where they may stand. */
  const NODE_ROOMS = ['node', 'cli', 'config', 'example'];
  /** …and in files that the portable gateway loads on demand, or never. */
  const NODE_FILES = [
    'cache/stores/redis/purge-publisher.ts',
    'cache/stores/redis/session.ts',
    'docs/packaged-assets.ts',
    'upstream/dispatch-transport.ts',
    'upstream/undici-pool.ts',
    'upstream/dispatch-as-fetch.ts',
    'upstream/upload.ts',
  ];

  test('Node is imported in its rooms only', () => {
    const strays = modules
      .filter(({ file }) => !NODE_ROOMS.includes(roomOf(file)) && !NODE_FILES.includes(file))
      .flatMap(({ file, imports }) =>
        imports
          .filter(({ specifier }) => isNode(specifier))
          .map(({ specifier }) => `${file} imports ${specifier}`),
      );
    expect(strays).toEqual([]);
  });

  test('the front door loads none of it, so that it runs wherever fetch does', () => {
    const byFile = new Map(modules.map((module) => [module.file, module]));
    const reached = new Set<string>();
    const visit = (file: string): void => {
      if (reached.has(file)) return;
      reached.add(file);
      for (const { kind, target } of byFile.get(file)?.imports ?? []) {
        if (kind === 'value' && target !== undefined) visit(target);
      }
    };
    visit('index.ts');
    expect(reached.size).toBeGreaterThan(20);
    expect(
      [...reached].filter((file) => NODE_ROOMS.includes(roomOf(file)) || NODE_FILES.includes(file)),
    ).toEqual([]);
  });

  test('the environment is read in cli/ and config/ only', () => {
    const readers = modules
      .filter(({ source }) => /\bprocess\s*\.\s*env\b/.test(source.text))
      .map(({ file }) => roomOf(file));
    expect(readers.filter((room) => room !== 'cli' && room !== 'config')).toEqual([]);
  });

  test('no module keeps state: nothing at the top of a file can be assigned to', () => {
    const variables = modules.flatMap(({ file, source }) =>
      source.statements
        .filter(ts.isVariableStatement)
        .filter(({ declarationList }) => (declarationList.flags & ts.NodeFlags.Const) === 0)
        .map((statement) => `${file}: ${statement.getText()}`),
    );
    expect(variables).toEqual([]);
  });
});

/** Each circle of imports once, as `a.ts → b.ts → a.ts`. */
function cycles(all: readonly Module[]): readonly string[] {
  const targets = new Map(
    // Types vanish before anything runs, and a state may well name the types of what it holds.
    all.map(({ file, imports }) => [
      file,
      imports.filter(({ kind }) => kind !== 'type').flatMap(({ target }) => target ?? []),
    ]),
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
