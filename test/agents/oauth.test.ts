import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { beforeAll, expect, test } from 'vitest';
import { startOnce } from '../support/close-after-test.ts';
import { runServer } from '../support/run.ts';
import { connectAgent, runAgentShop } from './agent.ts';

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;
let keys: KeyPair;
let others: KeyPair;
beforeAll(async () => {
  [keys, others] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')]);
});

/** Behind a proxy, the gateway is below `/api`. */
const AUDIENCE = 'https://example.com/api/shop/mcp';
const ADA = `Basic ${btoa('ada:application password')}`;

/** Starts an issuer of tokens, and a gateway whose agents sign in there. Its first response can break off. */
const runIssuer = startOnce(async () => {
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'a', alg: 'ES256' };
  const state = { isBroken: false };
  const { origin } = await runServer(({ headers, url }, response) => {
    const issuer = `http://${headers.host}`;
    const text = JSON.stringify(url === '/keys' ? { keys: [jwk] } : { issuer, jwks_uri: `${issuer}/keys` });
    const isKnown = /^\/(?:keys|\.well-known\/openid-configuration)$/.test(url ?? '');
    response.writeHead(isKnown ? 200 : 404, {
      'content-type': 'application/json',
      'content-length': text.length,
    });
    if (state.isBroken) response.write('{', () => response.destroy());
    else response.end(text);
  });
  const users = { 'subject-1': 'ada:application password', 'bo@example.com': 'bo:another password' };
  const rights = { writes: ['draft', 'publish'], unasked: true };
  const oauth = { issuer: origin, audience: AUDIENCE, users };
  return { issuer: origin, state, shop: await runAgentShop(undefined, { ...rights, oauth }) };
});

const sign = (claims: JWTPayload, key: KeyPair = keys): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid: 'a' })
    .setExpirationTime(claims.exp ?? '5m')
    .sign(key.privateKey);

async function askStatus(url: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(url, { method: 'POST', headers, body: '{}' })).status;
}

/** The first: what the gateway reads of an issuer is kept. */
test('an issuer whose metadata breaks off is asked again', async () => {
  const { issuer, shop, state } = await runIssuer();
  state.isBroken = true;
  const token = await sign({ iss: issuer, aud: AUDIENCE, sub: 'subject-1' });
  expect(await askStatus(shop.url, token)).toBe(503);
  state.isBroken = false;
  const { call } = await connectAgent(shop.url, `Bearer ${token}`);
  expect((await call('read_operation', { id: 'listPosts' })).isError).toBe(false);
});

test('a token of the issuer stands for credentials of the site, which the client never sees', async () => {
  const { issuer, shop } = await runIssuer();
  const before = shop.requests.length;
  const of = { iss: issuer, aud: AUDIENCE };
  const tokens = [
    [{ ...of, sub: 'subject-1' }, ADA],
    [
      { ...of, sub: 'x', email: 'bo@example.com', email_verified: true },
      `Basic ${btoa('bo:another password')}`,
    ],
  ] as const;
  for (const [claims] of tokens) {
    const { call } = await connectAgent(shop.url, `Bearer ${await sign(claims)}`);
    expect((await call('read_operation', { id: 'listPosts' })).isError).toBe(false);
  }
  const basic = await connectAgent(shop.url, ADA);
  await basic.call('read_operation', { id: 'listPosts' });
  expect(shop.requests.slice(before).map(({ headers }) => headers.authorization)).toEqual([
    ...tokens.map(([, sent]) => sent),
    ADA,
  ]);
});

test('without a valid token, a client is told where it gets one', async () => {
  const { issuer, shop } = await runIssuer();
  const before = shop.requests.length;
  const of = { iss: issuer, aud: AUDIENCE, sub: 'subject-1' };
  const publicKey = new TextEncoder().encode(await exportSPKI(keys.publicKey));
  const payload = { ...of, exp: Math.floor(Date.now() / 1_000) + 300 };
  const tokens = [
    undefined,
    'Bearer x',
    `Bearer ${new UnsecuredJWT(payload).encode()}`,
    `Bearer ${await new SignJWT(payload).setProtectedHeader({ alg: 'HS256', kid: 'a' }).sign(publicKey)}`,
    `Bearer ${await new SignJWT(of).setProtectedHeader({ alg: 'ES256', kid: 'a' }).sign(keys.privateKey)}`,
    `Bearer ${await sign({ ...of, aud: 'https://other.example/mcp' })}`,
    `Bearer ${await sign({ ...of, iss: 'https://other.example' })}`,
    `Bearer ${await sign({ ...of, exp: 1 })}`,
    `Bearer ${await sign({ ...of, sub: 'nobody' })}`,
    `Bearer ${await sign({ ...of, sub: 'x', email: 'bo@example.com' })}`,
    `Bearer ${await sign({ ...of, sub: '__proto__' })}`,
    `Bearer ${await sign(of, others)}`,
    `Bearer ${await sign({ ...of, cnf: { jkt: 'a' } })}`,
  ];
  for (const authorization of tokens) {
    const response = await fetch(shop.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    });
    expect(response.status).toBe(401);
    const error = authorization === undefined ? '' : ', error="invalid_token"';
    expect(response.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="https://example.com/.well-known/oauth-protected-resource/api/shop/mcp", scope="read draft publish"${error}`,
    );
  }
  const metadataPath = '/.well-known/oauth-protected-resource';
  const inShop = [`/shop${metadataPath}`, `/shop${metadataPath}/mcp`];
  for (const path of [`${metadataPath}/api/shop/mcp`, `${metadataPath}/shop/mcp`, ...inShop]) {
    const metadata = await fetch(new URL(path, shop.url));
    expect(await metadata.json()).toMatchObject({ resource: AUDIENCE, authorization_servers: [issuer] });
  }
  expect(shop.requests.length).toBe(before);
});

test.each([
  [{}, { draft: false, publish: false }],
  [{ scope: '' }, { draft: false, publish: false }],
  [{ scope: 'openid read draft' }, { draft: true, publish: false }],
  [{ scope: 'read publish' }, { draft: true, publish: true }],
  [{ scp: ['read', 'draft'] }, { draft: true, publish: false }],
])('a token with %j allows %j', async (claims, allowed) => {
  const { issuer, shop } = await runIssuer();
  const token = await sign({ iss: issuer, aud: AUDIENCE, sub: 'subject-1', ...claims });
  const { call } = await connectAgent(shop.url, `Bearer ${token}`);
  for (const [status, isAllowed] of [
    ['draft', allowed.draft],
    ['publish', allowed.publish],
  ] as const) {
    const { text } = await call('write_operation', { id: 'createPost', body: { title: 'A', status } });
    expect(text).toContain(isAllowed ? 'HTTP 200' : 'your token lacks that scope');
  }
});

test('a token without the scope of a level is told which one is of use', async () => {
  const { issuer, shop } = await runIssuer();
  const token = await sign({ iss: issuer, aud: AUDIENCE, sub: 'subject-1', scope: 'mcp:read' });
  const response = await fetch(shop.url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: '{}',
  });
  expect(response.status).toBe(403);
  expect(response.headers.get('www-authenticate')).toMatch(
    /scope="read draft publish", error="insufficient_scope"$/,
  );
});

/** An address as `sub` is anybody's, and the next key may be there by now. */
test('a subject that looks like an address is no user, and a key is looked up before a token is refused', async () => {
  const { issuer, shop } = await runIssuer();
  const of = { iss: issuer, aud: AUDIENCE };
  expect(await askStatus(shop.url, await sign({ ...of, sub: 'bo@example.com' }))).toBe(401);
  const token = await new SignJWT({ ...of, sub: 'subject-1' })
    .setProtectedHeader({ alg: 'ES256', kid: 'next' })
    .setExpirationTime('5m')
    .sign(keys.privateKey);
  await askStatus(shop.url, token);
  // The issuer was asked a moment ago.
  expect(await askStatus(shop.url, token)).toBe(503);
});
