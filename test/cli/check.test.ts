import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import { isJsonObject } from '../../src/base/json.ts';
import { loadGenerateConfig } from '../../src/cli/config/generate-config.ts';
import { SETTINGS, type Setting } from '../../src/cli/config/settings.ts';
import { createCertificate } from '../support/certificates.ts';
import { readSeed } from '../support/documents.ts';
import { runServer } from '../support/run.ts';
import { createSmallIndex } from '../support/small-index.ts';
import { refused, runCommand } from './run-command.ts';
import { useSmallSite } from './small-site.ts';

const site = useSmallSite();
const { folder } = site;

interface CheckRun {
  readonly yaml: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

async function check({ args = ['--offline'], env = {}, yaml }: CheckRun) {
  await writeFile(join(folder(), 'waygate.yaml'), yaml);
  return runCommand(['check', ...args], { cwd: folder(), env });
}

const SITE = 'sites: [{ url: http://example.com }]\n';
const DOCUMENTED = `sites:
  - url: http://example.com
    document: content.json
`;

/** Files that the configurations name. */
function createFiles(): Readonly<Record<string, string>> {
  return {
    'content.json': JSON.stringify(readSeed('content')),
    'none.json': '{}',
    'deep.yaml': `a: ${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  };
}

test('every setting has an example in a file without mistakes', async () => {
  const yaml = readFileSync(new URL('every-setting.yaml', import.meta.url), 'utf8');
  const { cert, key } = createCertificate({ name: 'redis.example.com' });
  const overlay = '{"overlay":"1.0.0","info":{"title":"a","version":"1"},"actions":[]}';
  const files = {
    'ca.pem': cert,
    'key.pem': key,
    password: 'secret',
    'overlay.json': overlay,
    ...createFiles(),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder(), name), text);
  expect(await check({ yaml })).toMatchObject({ code: 0, out: expect.stringContaining('\n0 errors, ') });
  expect(listSettings(SETTINGS.serve, [parse(yaml)], '')).toEqual([]);
});

/** The settings below a place that none of its values state. */
function listSettings(setting: Setting, values: readonly unknown[], place: string): readonly string[] {
  const { additionalProperties, anyOf = [], items, properties = {} } = setting;
  const objects = values.filter((value) => isJsonObject(value));
  return [
    ...Object.entries(properties).flatMap(([name, member]) => {
      const stated = objects.flatMap((value) => value[name] ?? []);
      return stated.length === 0 ? [place + name] : listSettings(member, stated, `${place}${name}.`);
    }),
    ...anyOf.flatMap((each) => listSettings(each, values, place)),
    ...(items ? listSettings(items, values, place) : []),
    ...(additionalProperties
      ? listSettings(additionalProperties, objects.flatMap(Object.values), place)
      : []),
  ];
}

/** The configuration by what is wrong with it, and the lines of the output without the last one, which counts. */
const MISTAKES: Readonly<Record<string, readonly [yaml: string, ...lines: readonly (string | RegExp)[]]>> = {
  'a reference between braces, from which all that follows is no YAML': [
    'admin: { token: ${TOKEN} }\nstate: state\n\nsites: [{ url: http://a.example }]\n',
    'waygate.yaml:1:18: error: between braces "${…}" needs quotation marks',
  ],
  'a brace that is missing': [
    'sites:\n  - url: http://a.example\n    cache: { pages: 60s\n    passthrough: true\n    name: a\n',
    /^waygate\.yaml:4:5: error: Flow map in block collection must be sufficiently indented/,
  ],
  'a token from a file that is missing': [
    `admin:\n  token: file:nowhere\n${SITE}`,
    /^waygate\.yaml:2:3: error: admin\.token: there is no such file: .*nowhere/,
  ],
  'documents and overlays that are none': [
    'sites:\n  - { name: a, url: http://a.example, document: none.json }\n  - { url: http://b.example, overlay: none.json }\n',
    /^waygate\.yaml:2:\d+: error: sites\[0\]\.document: /,
    /^waygate\.yaml:3:\d+: error: sites\[1\]\.overlay: /,
  ],
  'a state folder that cannot be written, although its mode says so': [
    `state: /proc/waygate\n${SITE}`,
    /^waygate\.yaml:1:1: error: state: \/proc cannot be written: /,
  ],
  'a document in YAML that nests deeply': [
    'sites:\n  - url: http://a.example\n    document: deep.yaml\n',
    /^waygate\.yaml:3:5: error: sites\[0\]\.document .*deep\.yaml nests more than 500 levels deep/,
  ],
  'a rule for a route that does not exist': [
    `${DOCUMENTED}    cache: { rules: [{ match: /core/v2/postz* }] }\n`,
    'waygate.yaml:4:24: error: sites[0].cache.rules[0].match: "/core/v2/postz*" matches nothing: the document has no such route; did you mean "/core/v2/posts*"?',
  ],
  // litespeedtech/lscache_wp#1040, wp-media/wp-rocket#5900
  'rules that nothing at the site can match': [
    `${DOCUMENTED}    passthrough: true
    cache:
      rules: [{ match: [/wp-json/core/v2/postz, /wp-json/core/v2/posts/, wp-json/acme/v1/x], store: false }]
      writes: [{ match: "POST /wp-json/acme/v1/vote /wp-json/core/v2/posts", purges: nothing }]
    limits: { rules: [{ match: [/wp-login.php*, "/?rest_route=/acme/v1/x"], client: 3/m }] }
`,
    /sites\[0\]\.cache\.rules\[0\]\.match\[0\]: "\/wp-json\/core\/v2\/postz" matches nothing: .* did you mean "\/core\/v2\/posts"/,
    /warning: .*"\/wp-json\/acme\/v1\/vote" matches nothing/,
    /warning: .*"wp-json\/acme\/v1\/x" matches nothing/,
    /warning: .*"\/\?rest_route=\/acme\/v1\/x" matches nothing/,
    '1 error, 4 warnings',
  ],
  'a write of agents that the document does not have': [
    `${DOCUMENTED}    mcp: { writes: [draft, updatPost] }\n`,
    /^waygate\.yaml:4:5: error: sites\[0\]\.mcp: the document has no operation "updatPost"; did you mean "updatePost"\?$/,
  ],
  'a token in a list, of which it shows nothing (openclaw/openclaw#104971)': [
    `admin: { token: [a-secret-token-of-an-admin] }\n${SITE}`,
    'waygate.yaml:1:10: error: admin.token: must be a text, not a list',
  ],
  'an alias of itself': [`port: &a [*a]\n${SITE}`, /nests more than 500 levels deep$/],
  'a trusted network that has every client': [
    `trust: [10.0.0.0/8, 0.0.0.0/0]\n${SITE}`,
    /^waygate\.yaml:1:21: warning: trust\[1\]: any client can claim any address/,
  ],
  // nextcloud/server#703: behind a proxy, one client is limited in place of all.
  'a limit of addresses behind a proxy that is not trusted': [
    'publicUrl: https://shop.example\nsites: [{ url: http://example.com, limits: { client: 5/s } }]\n',
    /warning: sites\[0\]\.limits: all clients seem to have the address of the TLS proxy/,
  ],
};

const FILES = createFiles();
test.each(Object.entries(MISTAKES))('check finds %s', async (_, [yaml, ...lines]) => {
  for (const [name, text] of Object.entries(FILES))
    if (yaml.includes(name)) await writeFile(join(folder(), name), text);
  const { code, out } = await check({ yaml });
  const printed = out.trimEnd().split('\n');
  expect(printed.at(-1)).toMatch(/^\d+ errors?, \d+ warnings?$/);
  for (const line of lines)
    expect(printed).toContainEqual(typeof line === 'string' ? line : expect.stringMatching(line));
  expect(out).not.toMatch(/Invalid|Too (?:big|small)|ENO[A-Z]+|received|password@/);
  const isError = out.includes(': error: ');
  expect(code).toBe(isError ? 1 : 0);
});

const NOTES = `port: 0
sites:
  - url: URL
    document: site.openapi.json
    cache:
      rules:
        - match: /demo/v1/nots
`;

/** The configuration of a site that knows its public name. */
const PUBLIC = 'https://www.example.com';
const WHOLE = `publicUrl: ${PUBLIC}\nsites: [{ url: URL, upstream: { host: www.example.com }`;

describe('a site that can be reached', () => {
  const run = (yaml: string, ...args: readonly string[]) =>
    check({ yaml: yaml.replace('URL', site.url), args });

  test('has its rules compared with its index', async () => {
    const generate = ['generate', site.url, '--name', 'site', '--out', folder()];
    expect((await runCommand(generate, { cwd: folder() })).code).toBe(0);
    expect(await run(NOTES.replace('nots', 'notes'))).toEqual({
      code: 0,
      out: 'waygate.yaml: no problems (1 site, 1 operation)\n',
      err: '',
    });
    const elsewhere = NOTES.replace('nots', 'notes').replace('URL', 'http://other.example.com');
    expect((await run(elsewhere, '--offline')).out).toContain(
      `warning: sites[0].document: the document belongs to ${site.origin}. Requests for its routes go there`,
    );
    expect(await run(`${NOTES}    extend: { PUT /demo/v1/notes: { body: {} } }\n`)).toMatchObject({
      code: 1,
      out: `waygate.yaml:7:11: error: sites[0].cache.rules[0].match: "/demo/v1/nots" matches nothing: the document has no such route; did you mean "/demo/v1/notes"?
waygate.yaml:8:5: error: sites[0].extend: "PUT /demo/v1/notes" matches nothing: the document has no PUT there
2 errors, 0 warnings
`,
    });
  });

  test('is not asked with --offline, nor without discovery', async () => {
    const before = site.requests.length;
    const yaml = 'sites: [{ url: URL }]\n';
    expect(await run(yaml, '--offline')).toMatchObject({ code: 0 });
    expect(await run('sites: [{ url: URL, discovery: "off", passthrough: true }]\n')).toMatchObject({
      code: 0,
    });
    expect(site.requests).toHaveLength(before);
    expect(await run(yaml)).toMatchObject({ code: 0 });
    expect(site.requests.length).toBeGreaterThan(before);
  });

  test('whose pages waygate.php purges needs a cron of the system', async () => {
    const yaml = `${WHOLE}, passthrough: true, cache: { webhook: a-long-secret-of-both } }]\n`;
    site.index = { ...createSmallIndex(), home: PUBLIC, url: PUBLIC };
    const { code, out } = await run(yaml);
    expect(code).toBe(0);
    expect(out).toMatch(/notice: sites\[0\]\.cache\.webhook: .*DISABLE_WP_CRON/);
    expect(out).toContain('no problems');
  });

  test('may have pages that no rule is held against', async () => {
    const rules = (match: string, passthrough: boolean): string =>
      `${WHOLE}, passthrough: ${passthrough}, cache: { rules: [{ match: ${match} }] } }]\n`;
    site.index = { ...createSmallIndex(), home: PUBLIC, url: PUBLIC };
    expect((await run(rules('/feed/*', true))).out).toContain('no problems');
    expect((await run(rules('/feed/*', false))).out).toContain('warning: sites[0].cache.rules[0].match');
    expect((await run(rules('/demo/v2/notes', true))).out).toContain('did you mean "/demo/v1/notes"');
  });
});

test('addresses of the gateway that hide a page of the site are reported', async () => {
  const { origin } = await runServer((request, response) => {
    response.writeHead(request.url === '/reference' ? 200 : 404).end();
  });
  const run = async (settings: string, ...args: readonly string[]): Promise<readonly string[]> => {
    const yaml = `sites: [{ url: ${origin}/, ${settings} }]\n`;
    const { code, out } = await check({ yaml, args });
    expect(code).toBe(0);
    return Array.from(out.matchAll(/warning: sites\[0\]\.(.*)/g), ([, text = '']) => text);
  };
  const own = 'docs: /reference, openapi: /api.json';
  const agents = 'mcp: { path: /tools }';
  const whole = 'passthrough: true';
  const hides = (name: string, place: string): string =>
    `${name}: clients get the gateway's response, and not the site's, at ${place}`;
  expect(await run(`${whole}, discovery: "off", ${own}`)).toEqual([
    hides('docs', '/reference and everything below it'),
  ]);
  expect(await run(`${whole}, ${own}, ${agents}`, '--offline')).toEqual([
    hides('docs', '/reference and everything below it'),
    hides('openapi', '/api.json'),
    hides('mcp.path', '/tools'),
  ]);
  expect(await run(`${whole}, docs: /-/reference, mcp: true`, '--offline')).toEqual([]);
  expect(await run(`${own}, ${agents}`, '--offline')).toEqual([]);
});

test('what cannot be reached is reported, each at its place: a site, one that never answers, Redis', async () => {
  const silent = await runServer(() => {});
  const yaml = `cache: { store: "redis://127.0.0.1:2" }
sites:
  - { name: a, url: "http://127.0.0.1:2" }
  - { name: b, url: ${silent.origin}, timeout: 300ms }
`;
  const { code, out } = await check({ yaml, args: [] });
  expect(code).toBe(1);
  for (const line of [
    /^waygate\.yaml:1:10: error: cache\.store: Redis cannot be used: .*ECONNREFUSED/m,
    /^waygate\.yaml:3:16: error: sites\[0\]\.url: .*refused/m,
    /^waygate\.yaml:4:16: error: sites\[1\]\.url: could not be read within 300.ms$/m,
    /^3 errors, 0 warnings$/m,
  ])
    expect(out).toMatch(line);
});

describe('the output', () => {
  const yaml = `port: abc\nadmin: { token: short }\n${SITE}`;

  test('is JSON with --json', async () => {
    const { code, out } = await check({ yaml, args: ['--offline', '--json'] });
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual({
      file: 'waygate.yaml',
      problems: [
        { severity: 'error', message: expect.stringMatching(/^port: /), line: 1, column: 1 },
        { severity: 'error', message: 'admin.token: must have at least 16 characters', line: 2, column: 10 },
      ],
    });
    const fine = await check({ yaml: SITE, args: ['--offline', '--json'] });
    expect(fine).toMatchObject({ code: 0, out: expect.stringContaining('"problems": []') });
  });

  test('names the variable that states a wrong value, and never the value', async () => {
    const env = { WAYGATE_ADMIN_TOKEN: 'hunter2', WAYGATE_AUTH: 'nobody' };
    const { out } = await check({ yaml: SITE, env });
    expect(out).toBe(`WAYGATE_ADMIN_TOKEN: error: admin.token: must have at least 16 characters
WAYGATE_AUTH: error: sites[0].auth: must be user:application-password
2 errors, 0 warnings
`);
  });
});

test.each([['check'], ['serve', '--config'], ['generate', '--document'], ['mcp', '--document']])(
  '%s does not read a file without an end',
  async (...command) => {
    const { code, err, out } = await runCommand([...command, '/dev/zero']);
    expect(code).toBeGreaterThan(0);
    expect(err + out).toContain('the file has more than 64 MiB');
  },
);

test('a configuration can come from a pipe', async () => {
  const cwd = folder();
  execFileSync('mkfifo', ['pipe'], { cwd });
  spawn('sh', ['-c', 'echo "port: abc" > pipe'], { cwd });
  const { out } = await runCommand(['check', 'pipe'], { cwd });
  expect(out).toContain('pipe:1:1: error: port: must be a whole number');
});

test.each([
  ['lists', `x: ${'['.repeat(20_000)}${']'.repeat(20_000)}`, '1:104'],
  ['objects of JSON', `{\n"x":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_001)}`, '2:505'],
  ['blocks', `x:\n  ${'- '.repeat(20_000)}a`, '2:203'],
])('%s that are nested 20,000 deep are refused with their place', async (_, text, place) => {
  const file = join(folder(), 'waygate.yaml');
  await writeFile(file, text);
  const { out } = await runCommand(['check'], { cwd: folder() });
  expect(out).toContain(`waygate.yaml:${place}: error: nested more than 100 deep`);
  const problem = refused(`waygate.yaml:${place}: nested more than 100 deep`);
  expect(await runCommand(['serve', '--config', file])).toMatchObject(problem);
});

describe('a program', () => {
  /** Programs by what is wrong with them, after `sites`, and the line that check prints. */
  const PROGRAMS: Readonly<Record<string, readonly [more: string, line: string | RegExp]>> = {
    'a setting': [`port: 'x' as never })`, 'gateway.config.ts: error: port: must be a whole number from 0'],
    'a variable that is not set': [
      `host: '\${NONE}' })`,
      'error: host: the environment variable NONE is not',
    ],
    'a syntax error': [
      'host: })',
      /^gateway\.config\.ts: error: ParseError: Unexpected token.*gateway\.config\.ts:4:\d+$/m,
    ],
    'an error while it runs': [`host: none.x })`, 'gateway.config.ts: error: none is not defined'],
    'an unknown setting that a string, a comment, and a spread name too': [
      `host: 'prot: 1', /* prot: 2 */ ...{ ['pr' + 'ot']: 1 }, ...({ prot: 2 }) })`,
      /^gateway\.config\.ts: error: prot: unknown key/m,
    ],
    'an app whose promise rejects': [
      `async app() {\n await null;\n fail() } })`,
      /^gateway\.config\.ts: error: app: failed$/m,
    ],
  };
  const write = (text: string, name = 'gateway.config.ts'): Promise<void> =>
    writeFile(join(folder(), name), text);

  test.each(Object.entries(PROGRAMS))('with %s is refused with its file', async (_, [more, line]) => {
    await write(`export function fail(): never {\n throw new Error('failed');\n}\n`, 'gateway-part.ts');
    const start = `import { defineGateway } from 'waygate';\nimport { fail } from './gateway-part.ts';\n`;
    await write(`${start}export default defineGateway({ sites: [{ url: 'http://a.example' }],\n${more}`);
    const run = { cwd: folder(), env: {} };
    const { code, out } = await runCommand(['check', 'gateway.config.ts', '--offline'], run);
    expect(out).toMatch(line);
    expect(code).toBe(1);
  });

  test.each([
    'await new Promise(() => {});\nexport default {}',
    'export default { app: () => new Promise(() => {}) }',
  ])('that does not end is refused: %s', async (text) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const clock = setInterval(() => vi.advanceTimersByTime(100), 1);
    onTestFinished(() => {
      clearInterval(clock);
      vi.useRealTimers();
    });
    await write(text);
    const { code, out } = await runCommand(['check', 'gateway.config.ts', '--offline'], { cwd: folder() });
    expect(out).toMatch(/gateway\.config\.ts: error: (?:app: )?did not end within 10 s\n/);
    expect(code).toBe(1);
  });

  test('states what YAML states, and may hold both sides', async () => {
    const gateway = `defineGateway({ sites: [{ url: 'http://a.example', rediscover: '5m' }], host: '\${HOST}' })`;
    const sides = `export const gateway = ${gateway};\nexport default defineConfig({ sites: [{ document: 'index.json' }] });`;
    await write(`import { defineConfig, defineGateway } from 'waygate';\n${sides}`, 'waygate.config.ts');
    const run = { cwd: folder(), env: { HOST: '0.0.0.0' } };
    const { out } = await runCommand(['config', 'print', 'waygate.config.ts'], run);
    expect(out).toContain('host: 0.0.0.0 # waygate.config.ts ${HOST}');
    expect(out).toContain('rediscover: 5m # waygate.config.ts\n');
    expect(out).toContain('port: 8080 # default');
    expect((await loadGenerateConfig(folder(), undefined))?.config).toEqual({
      sites: [{ document: 'index.json' }],
    });
  });
});

describe('config print', () => {
  const yaml = `admin:
  token: "\${TOKEN}"
cache: { store: "redis://user:a@secret@127.0.0.1" }
sites:
  - url: http://me:secret@example.com/?rest_route=/&token=secret
    upstream: { headers: { X-Key: secret } }
notify: [{ to: webhook, url: "http://me:secret@example.com/hook?token=secret#secret", secret: a-secret-of-16-characters }]
`;
  const env = { TOKEN: 'a-secret-of-the-environment', WAYGATE_AUTH: 'me:secret' };

  test('shows each value with its source, and no secret', async () => {
    await writeFile(join(folder(), 'waygate.yaml'), yaml);
    const { code, out } = await runCommand(['config', 'print'], { cwd: folder(), env });
    expect(code).toBe(0);
    for (const line of [
      'port: 8080 # default',
      '  token: "***" # waygate.yaml:2:3 ${TOKEN}',
      '  store: redis://***@127.0.0.1 # waygate.yaml:3:10',
      '  - url: http://***@example.com/?rest_route=/&token=*** # waygate.yaml:5:5',
      '        X-Key: "***" # waygate.yaml:6:28',
      '    auth: "***" # WAYGATE_AUTH',
      '    timeout: 60s # default',
    ]) {
      expect(out.split('\n')).toContain(line);
    }
    expect(out).toContain('url: http://***@example.com/hook?token=*** #');
    expect(out).not.toMatch(/secret(?!: "\*)/);
    // What is printed is a configuration.
    const printed = out.replace(/"\*\*\*"/g, '"user:a-secret-of-16-characters"');
    await writeFile(join(folder(), 'printed.yaml'), printed);
    expect(await runCommand(['check', 'printed.yaml', '--offline'], { cwd: folder() })).toMatchObject({
      code: 0,
    });
  });
});

test.each([
  ['', true],
  [', concurrency: 8', false],
  [', discovery: off', false],
])(
  'the workers of a whole site are asked for, unless they are stated: passthrough%s',
  async (more, isAsked) => {
    const yaml = `sites: [{ url: ${site.origin}/, passthrough: true${more} }]\n`;
    const { out } = await check({ yaml });
    expect(out.includes('notice: sites[0].concurrency: the site can get 32 requests')).toBe(isAsked);
  },
);

test('a site that has a public name, and is asked by its own port, redirects each page to itself', async () => {
  const yaml = `publicUrl: ${PUBLIC}
sites:
  - url: ${site.origin}
    passthrough: true
    concurrency: 8
`;
  site.index = { ...createSmallIndex(), home: PUBLIC, url: PUBLIC };
  expect((await check({ yaml, args: [] })).out).toMatch(
    /^waygate\.yaml:\d+:\d+: warning: sites\[0\]\.url: the site calls itself www\.example\.com, but gets requests for 127\.0\.0\.1:\d+\. .*redirects each page to itself/,
  );
  const told = `${yaml}    upstream: { host: www.example.com }\n`;
  expect((await check({ yaml: told, args: [] })).out).toContain('no problems');
});
