// @ts-check
// What each recipe of examples/hono costs a hit: microseconds of the gateway's CPU time per request, for one that its middleware
// sees and for one that it does not. Needs a build and wrk: node scripts/bench/recipes.mjs [seconds] [recipe]
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sign } from 'hono/jwt';
import { measure, warmUp } from './load.mjs';
import { start } from './processes.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const seconds = Number(process.argv[2] ?? 3);

const algorithm = {
  name: 'RSASSA-PKCS1-v1_5',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
};
const keys = await crypto.subtle.generateKey({ ...algorithm, hash: 'SHA-256' }, true, ['sign', 'verify']);
const publicKey = { ...(await crypto.subtle.exportKey('jwk', keys.publicKey)), kid: 'one' };
const privateKey = { ...(await crypto.subtle.exportKey('jwk', keys.privateKey)), kid: 'one' };

/** An item of 2 kB. */
const item = JSON.stringify({ name: 'Ada', email: 'ada@example.com', content: 'words '.repeat(330) });
const site = createServer(({ headers, url = '' }, response) => {
  const origin = `http://${headers.host}`;
  response.setHeader('link', `<${origin}/wp-json/>; rel="https://api.w.org/"`);
  response.setHeader('content-type', 'application/json');
  if (url.startsWith('/.well-known')) response.end(JSON.stringify({ jwks_uri: `${origin}/jwks` }));
  else if (url === '/jwks') response.end(JSON.stringify({ keys: [publicKey] }));
  else if (url.includes('context=help')) {
    const endpoints = [{ methods: ['GET'], args: {} }];
    const names = ['/wp/v2/posts/(?P<id>[\\d]+)', '/wp/v2/people/(?P<id>[\\d]+)'];
    const routes = names.map((name) => [name, { namespace: 'wp/v2', methods: ['GET'], endpoints }]);
    const index = { name: 'site', url: origin, home: origin, namespaces: ['wp/v2'], authentication: [] };
    response.end(JSON.stringify({ ...index, routes: Object.fromEntries(routes) }));
  } else response.setHeader('cache-control', 'max-age=3600').end(item);
});
await new Promise((resolve) => site.listen(0, '127.0.0.1', () => resolve(null)));
const address = site.address();
const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
const claims = { iss: origin, aud: 'api', exp: Math.floor(Date.now() / 1000) + 3600 };
Object.assign(process.env, { SITE_URL: origin, ISSUER: origin, MIRROR_URL: origin, QUOTA: '1000000000' });

const POST = '/wp-json/wp/v2/posts/5';
const PAGE = '/about';
/** @type {Record<string, [match: string | null, other: string | null, headers?: Record<string, string>]>} */
const REQUESTS = {
  none: [PAGE, POST],
  jwt: [POST, null, { Authorization: `Bearer ${await sign(claims, privateKey, 'RS256')}` }],
  oidc: [null, POST],
  'api-keys': [POST, null, { 'X-Api-Key': 'key-of-the-app' }],
  'basic-auth': [null, PAGE],
  'ip-restriction': [POST, PAGE],
  block: ['/', PAGE],
  headers: ['/blog/a', PAGE],
  redirects: ['/api/posts/5', PAGE],
  'change-body': ['/wp-json/wp/v2/people/7', POST],
  'error-pages': [PAGE, null],
  'forward-auth': [null, PAGE],
  mirror: [POST, PAGE],
  'ab-test': ['/landing/', PAGE, { Cookie: 'variant=a' }],
};
const plain = join(tmpdir(), `waygate-recipes-${process.pid}.json`);
writeFileSync(
  plain,
  JSON.stringify({ cache: { store: 'memory' }, sites: [{ url: origin, passthrough: true }] }),
);
process.env['LOGIN_PASSWORD'] = 'a long password';
for (const name of ['OIDC_AUTH_SECRET', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_ISSUER'])
  process.env[name] = origin;

process.stdout.write('| recipe | matching, µs | not matching, µs |\n|---|---|---|\n');
for (const [name, [match, other, headers = {}]] of Object.entries(REQUESTS)) {
  if (![name, undefined].includes(process.argv[3])) continue;
  const file = name === 'none' ? plain : join(root, `examples/hono/${name}.config.ts`);
  const command = [join(root, 'dist/cli/main.js'), 'serve', '--config', file, '--port', '{port}'];
  const server = await start('server', command, '/-/ready');
  /** @param {string | null} path @param {Record<string, string>} fields */
  const measureHit = async (path, fields) => {
    if (path === null) return '–';
    const before = await fetch(server.url + path, { headers: fields });
    const hit = await fetch(server.url + path, { headers: fields });
    const status = `${before.status} ${hit.headers.get('cache-status')}`;
    if (!/^200 .* hit/.test(status)) throw new Error(`${name} ${path}: ${status}`);
    /** @type {import('./load.mjs').Requests} */
    const requests = { method: 'GET', paths: [path], headers: fields };
    await warmUp(server, requests, 5_000);
    return (await measure(server, requests, seconds)).cost.toFixed(0);
  };
  try {
    const costs = [await measureHit(match, headers), await measureHit(other, {})];
    process.stdout.write(`| ${name} | ${costs.join(' | ')} |\n`);
  } finally {
    await server.stop();
  }
}
site.close();
