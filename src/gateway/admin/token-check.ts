import { createSecretCheck } from '../../console/session/secrets.ts';
import type { Problem } from '../exchange/problem.ts';

/**
 * Creates a check of the admin token, sent as RFC 6750 §2.1 defines.
 *
 * @param token the configured token; without it every request is refused
 * @returns a check that resolves to the reason for a refusal, or to `null`
 */
export function createTokenCheck(token: string | undefined): (request: Request) => Promise<Problem | null> {
  if (token === undefined || token === '') return () => Promise.resolve(NOT_CONFIGURED);
  const isToken = createSecretCheck(token);
  return async ({ headers }) => {
    const sent = /^Bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1];
    if (sent === undefined) return TOKEN_MISSING;
    return (await isToken(sent)) ? null : TOKEN_WRONG;
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
