import { DiscoveryError } from '../../base/errors.ts';
import type { DiscoverOptions } from './options.ts';

export type Redactor = (text: string) => string;

const MIN_SECRET_LENGTH = 4;

/** Replaces the secrets of a discovery by `***`: sites repeat request headers in errors and redirects. */
export function createRedactor(
  auth: DiscoverOptions['auth'],
  secretHeaders: readonly (readonly [name: string, value: string])[],
): Redactor {
  const values = secretHeaders.flatMap(([, value]) => [value, ...value.split(/^\S+ /).slice(1)]);
  // WordPress displays application passwords with spaces and ignores these.
  const passwords = auth === undefined ? [] : [auth.password, auth.password.replaceAll(' ', '')];
  const secrets = new Set(
    [...values, ...passwords]
      .filter((text) => text.length >= MIN_SECRET_LENGTH)
      .flatMap((text) => [
        text,
        encodeURIComponent(text),
        new URLSearchParams([['', text]]).toString().slice(1),
      ]),
  );
  const ordered = [...secrets].sort((a, b) => b.length - a.length);
  return (text) =>
    maskUrls(
      ordered.reduce((redacted, secret) => redactTruncated(redacted.replaceAll(secret, '***'), secret), text),
    );
}

function redactTruncated(text: string, secret: string): string {
  if (!text.includes('…') || !text.includes(secret.slice(0, MIN_SECRET_LENGTH))) return text;
  let redacted = text;
  for (let length = secret.length - 1; length >= MIN_SECRET_LENGTH; length -= 1) {
    redacted = redacted.replaceAll(`${secret.slice(0, length)}…`, '***…');
  }
  return redacted;
}

export function redactError(error: DiscoveryError, redact: Redactor): DiscoveryError {
  return new DiscoveryError(redact(error.message), {
    reason: error.reason,
    attempts: error.attempts.map(({ url, outcome }) => ({ url: redact(url), outcome: redact(outcome) })),
  });
}

const PUBLIC_PARAMETER = /^[?&](?:rest_route|context|page|per_page|_fields)=/;

/** Masks a URL's user, password and query. In another text, masks all before the last `@`. */
export function withoutCredentials(text: string, mask = ''): string {
  const isUrl = /^[a-z][\w+.-]*:\/\//i.test(text) && URL.canParse(text);
  const end = isUrl ? -1 : text.lastIndexOf('@');
  const shown =
    end === -1 ? text.replace(/^([a-z][\w+.-]*:\/\/)[^/?#]*@/i, `$1${mask}`) : `***${text.slice(end)}`;
  return shown
    .replace(/#.*/s, '')
    .replace(/([?&](?:[^?&=]*=)?)[^?&]+/g, (parameter, name: string) =>
      PUBLIC_PARAMETER.test(name) ? parameter : `${name}***`,
    );
}

export function maskUrls(text: string): string {
  return text.replace(/\b[a-z][\w+.-]{0,20}:\/\/[^\s"'`<>]*[^\s"'`<>.,:;!?)]/gi, (url) =>
    withoutCredentials(url),
  );
}
