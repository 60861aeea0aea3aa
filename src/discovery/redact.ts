import { DiscoveryError } from '../errors.ts';
import type { Credentials } from './credentials.ts';
import type { DiscoverOptions } from './options.ts';

/** Takes the caller's secrets out of a text. */
export type Redact = (text: string) => string;

/** What is shorter is no secret, and would be found in the middle of any word. */
const SHORTEST = 4;

/**
 * Sites repeat what they were sent: in an error's message, in the address that they redirect to. A person should not
 * find their password in the log of a build for that.
 */
export function createRedact(auth: DiscoverOptions['auth'], { atHome }: Credentials): Redact {
  const values = atHome.flatMap(([, value]) => [value, ...value.split(/^\S+ /).slice(1)]);
  // WordPress reads an application password without the spaces that it is shown with.
  const own = auth === undefined ? [] : [auth.password, auth.password.replaceAll(' ', '')];
  const secrets = new Set(
    [...values, ...own]
      .filter((text) => text.length >= SHORTEST)
      .flatMap((text) => [
        text,
        encodeURIComponent(text),
        new URLSearchParams([['', text]]).toString().slice(1),
      ]),
  );
  // The longest first: one may hold another.
  const ordered = [...secrets].sort((a, b) => b.length - a.length);
  return (text) => ordered.reduce((rest, secret) => withoutCut(rest.replaceAll(secret, '***'), secret), text);
}

/** A secret may begin right before a quotation breaks off. */
function withoutCut(text: string, secret: string): string {
  if (!text.includes('…') || !text.includes(secret.slice(0, SHORTEST))) return text;
  let rest = text;
  for (let length = secret.length - 1; length >= SHORTEST; length -= 1) {
    rest = rest.replaceAll(`${secret.slice(0, length)}…`, '***…');
  }
  return rest;
}

export function redactError(error: DiscoveryError, redact: Redact): DiscoveryError {
  return new DiscoveryError(redact(error.message), {
    reason: error.reason,
    attempts: error.attempts.map(({ url, outcome }) => ({ url: redact(url), outcome: redact(outcome) })),
    cause: error.cause,
  });
}
