import type { Problem } from '../plan/problem.ts';

/**
 * Who may call the operations that show or change something: whoever has the token, as RFC 6750 §2.1 has it sent.
 *
 * @param token what is configured; without one nobody may
 * @returns why a caller may not, or null
 */
export function createTokenCheck(token: string | undefined): (request: Request) => Promise<Problem | null> {
  if (token === undefined || token === '') return () => Promise.resolve(CLOSED);
  const wanted = digest(token);
  return async ({ headers }) => {
    const given = /^Bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1];
    if (given === undefined) return ASKED;
    return areEqual(await digest(given), await wanted) ? null : WRONG;
  };
}

const CLOSED: Problem = {
  status: 403,
  code: 'gateway_admin_closed',
  message:
    'This address needs the admin token, and none is set. Start the gateway with WAYGATE_ADMIN_TOKEN in its environment, or with "admin": { "token": … } in its configuration.',
};

const ASKED: Problem = {
  status: 401,
  code: 'gateway_unauthorized',
  message: 'This address needs the admin token: "Authorization: Bearer <token>".',
  headers: { 'www-authenticate': 'Bearer realm="waygate"' },
};

const WRONG: Problem = {
  status: 401,
  code: 'gateway_unauthorized',
  message: 'This is not the admin token of the gateway.',
  headers: { 'www-authenticate': 'Bearer realm="waygate", error="invalid_token"' },
};

/** Of one length whatever the token's, so that comparing takes one time whatever was guessed. */
async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}

function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length;
  for (const [at, byte] of one.entries()) difference |= byte ^ (other[at] ?? 0);
  return difference === 0;
}
