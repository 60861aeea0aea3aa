import type { Problem } from '../plan/problem.ts';

/**
 * Creates a check of the admin token, sent as RFC 6750 §2.1 defines.
 *
 * @param token the configured token; without it every request is refused
 * @returns a check that resolves to the reason for a refusal, or to `null`
 */
export function createTokenCheck(token: string | undefined): (request: Request) => Promise<Problem | null> {
  if (token === undefined || token === '') return () => Promise.resolve(NOT_CONFIGURED);
  const expected = sha256(token);
  return async ({ headers }) => {
    const sent = /^Bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1];
    if (sent === undefined) return TOKEN_MISSING;
    return equalsInConstantTime(await sha256(sent), await expected) ? null : TOKEN_WRONG;
  };
}

const NOT_CONFIGURED: Problem = {
  status: 403,
  code: 'gateway_admin_closed',
  message:
    'This operation needs the admin token, and none is configured. Start the gateway with WAYGATE_ADMIN_TOKEN in its environment, or with "admin": { "token": … } in its configuration.',
};

const TOKEN_MISSING: Problem = {
  status: 401,
  code: 'gateway_unauthorized',
  message: 'This operation needs the admin token: "Authorization: Bearer <token>".',
  headers: { 'www-authenticate': 'Bearer realm="waygate"' },
};

const TOKEN_WRONG: Problem = {
  status: 401,
  code: 'gateway_unauthorized',
  message: "This is not the gateway's admin token.",
  headers: { 'www-authenticate': 'Bearer realm="waygate", error="invalid_token"' },
};

/** Hashes a token. Digests have equal lengths, so the duration of a comparison does not reveal the token's length. */
async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}

function equalsInConstantTime(left: Uint8Array, right: Uint8Array): boolean {
  let difference = left.length ^ right.length;
  for (const [index, byte] of left.entries()) difference |= byte ^ (right[index] ?? 0);
  return difference === 0;
}
