import { computeHmac, createSecretCheck } from '../../base/hash.ts';
import { fieldValue, lowerName, withoutFields } from '../../base/http/fields.ts';
import { kindOf, splitTagNames, TAG_FIELDS } from './cache-names.ts';

/** Fields, in lower case, in which a site speaks to caches. The store and clients do not get them. */
export const SITE_FIELDS: ReadonlySet<string> = new Set([
  ...TAG_FIELDS.keys(),
  ...['changed', 'ordinary', 'response', 'sender', 'version'].map((name) => `x-waygate-${name}`),
]);

const OWN_FIELDS: ReadonlySet<string> = new Set(
  [...SITE_FIELDS].filter((name) => name.startsWith('x-waygate-')),
);

const MAX_NAMES = 5_000;

/** @returns a flat list name, value with names in lower case */
export function listSiteFields(headers: readonly string[]): readonly string[] | null {
  let found: string[] | null = null;
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const field = lowerName(headers[at] ?? '');
    if (!SITE_FIELDS.has(field)) continue;
    found ??= [];
    found.push(field, headers[at + 1] ?? '');
  }
  return found;
}

export interface SitePurge {
  readonly everything: boolean;
  readonly names: readonly string[];
  readonly targets: readonly string[];
  readonly folder?: string;
  /** Includes responses of which waygate.php doesn't know all that they show. */
  readonly isOfInexact?: boolean;
}

const NOTHING: SitePurge = { everything: false, names: [], targets: [] };
const PURGE_EVERYTHING: SitePurge = { ...NOTHING, everything: true };

function purgeNames(names: readonly string[]): SitePurge {
  return names.length > MAX_NAMES ? PURGE_EVERYTHING : { ...NOTHING, names };
}

/** Drops waygate.php's fields for another request, but a page stays excluded. @returns the same list if there are none */
export function dropOtherAnswers(headers: readonly string[], number: string): readonly string[] {
  const answered = fieldValue(headers, 'x-waygate-response');
  if (answered === number) return headers;
  const kept = withoutFields(headers, OWN_FIELDS);
  if (kept.length === headers.length) return headers;
  return isExcludedBySite(headers) ? [...kept, 'X-Waygate-Tags', 'no-store'] : kept;
}

export function isExcludedBySite(siteFields: readonly string[]): boolean {
  return fieldValue(siteFields, 'x-waygate-tags') === 'no-store';
}

/** Beside what an editor has changed. */
const BY_EDITOR = /^(?:\d+:)?blog-(?:ordinary|\*)$/;
const OWN_NAME = /^[\w*:.-]{1,64}$/;
const OWN_PATH = /^\/[\x21-\x7e]{0,2000}$/;
const MAX_OWN_LENGTH = 4_096;

const MAX_REASON = 200;

/** Reads `X-Waygate-Ordinary`: why the response shows more than its tags say, e.g. `acme-weather: request to https://example.com/`. */
export function readInexactReason(siteFields: readonly string[]): string | undefined {
  return fieldValue(siteFields, 'x-waygate-ordinary')?.slice(0, MAX_REASON);
}

/** Reads `X-Waygate-Tags`. @returns `null` if absent or invalid, or if the response shows more than they say */
export function readOwnTags(siteFields: readonly string[]): readonly string[] | null {
  if (readInexactReason(siteFields) !== undefined) return null;
  const names = parseOwnNames(fieldValue(siteFields, 'x-waygate-tags'));
  return names?.[0] === 'ordinary' || names?.[0] === 'no-store' ? null : names;
}

function parseOwnNames(value: string | undefined): readonly string[] | null {
  if (value === undefined || value.length > MAX_OWN_LENGTH) return null;
  const names = value.trim().split(/ +/);
  return names.every(isOwnName) ? names : null;
}

/** A path can be purged by the button of the admin bar. */
function isOwnName(name: unknown): name is string {
  return typeof name === 'string' && (OWN_NAME.test(name) || OWN_PATH.test(name));
}

/** Version of the file waygate.php beside this gateway. */
export const PLUGIN_VERSION = '3';

/** Reads the version of the site's waygate.php. @returns `undefined` without an answer of it */
export function readPluginVersion(headers: readonly string[]): string | undefined {
  const version = fieldValue(headers, 'x-waygate-version');
  return version ?? (fieldValue(headers, 'x-waygate-response') === undefined ? undefined : 'none');
}

/** What waygate.php says that a request has changed. */
export interface OwnChange {
  readonly names: readonly unknown[];
  /** Nobody had signed in. */
  readonly isOfStranger: boolean;
  /** The first files didn't say which changes concern responses without exact tags. */
  readonly isFirstVersion: boolean;
}

/** Reads `X-Waygate-Changed`. An invalid value says that everything has changed. */
export function readOwnChange(siteFields: readonly string[]): OwnChange | null {
  const value = fieldValue(siteFields, 'x-waygate-changed');
  if (value === undefined) return null;
  return {
    names: value === 'none' ? [] : (parseOwnNames(value) ?? ['*']),
    isOfStranger: fieldValue(siteFields, 'x-waygate-sender') === 'stranger',
    isFirstVersion: fieldValue(siteFields, 'x-waygate-version') === undefined,
  };
}

/** `post-*` is a change of any post, or a response that can show any. */
export function toOwnPurge({ isFirstVersion, names }: OwnChange): SitePurge {
  const valid = names.filter(isOwnName);
  const tags = valid.filter((name) => !name.startsWith('/'));
  if (valid.length < names.length || tags.some((name) => /(?<!-)\*$/.test(name))) return PURGE_EVERYTHING;
  const all = tags.flatMap((name) => (name.endsWith('*') ? [kindOf(name)] : [name, `${kindOf(name)}*`]));
  return {
    ...purgeNames([...new Set(all)]),
    targets: valid.filter((name) => name.startsWith('/')),
    isOfInexact: isFirstVersion ? tags.length > 0 : tags.some((name) => BY_EDITOR.test(name)),
  };
}

/** WP Rocket's pattern `/about/.*` purges everything below its last whole folder. */
export function readPurgeRequest(target: string, headers: readonly string[]): SitePurge {
  const names = [...TAG_FIELDS].flatMap(([field, separator]) =>
    splitTagNames(fieldValue(headers, field) ?? '', separator),
  );
  if (names.length > 0) return purgeNames(names);
  const isPattern = fieldValue(headers, 'x-purge-method') === 'regex' || /[$(*[\\^{|]/.test(target);
  if (!isPattern) return { ...NOTHING, targets: [target] };
  const [before = ''] = target.split(/[$()*+.?[\\\]^{|}]/, 1);
  const folder = before.slice(0, before.lastIndexOf('/'));
  return folder === '' ? PURGE_EVERYTHING : { ...NOTHING, folder };
}

/** Seconds between a webhook's timestamp and the gateway's clock. */
const MAX_CLOCK_SKEW = 300;

export type WebhookSignatureFault = 'unsigned' | 'expired' | 'wrong';

export interface SignedWebhook {
  readonly timestamp: string | null;
  /** `sha256=<hex>`: HMAC-SHA256 of `<timestamp>.<body>`. */
  readonly signature: string | null;
  readonly body: Uint8Array;
}

export function signWebhook(secret: string, timestamp: string, body: string): string {
  return `sha256=${computeHmac(secret, `${timestamp}.${body}`).toString('hex')}`;
}

/** Accepts webhooks within five minutes of their timestamp: a replay only purges again. @param now milliseconds since the epoch */
export function createWebhookVerifier(
  secret: string,
  now: () => number,
): (webhook: SignedWebhook) => WebhookSignatureFault | null {
  return ({ body, signature, timestamp }) => {
    const hex = /^sha256=([0-9a-f]{64})$/i.exec(signature ?? '')?.[1]?.toLowerCase();
    if (hex === undefined || timestamp === null || !/^\d{1,12}$/.test(timestamp)) return 'unsigned';
    const seconds = now() / 1000;
    if (Math.abs(seconds - Number(timestamp)) > MAX_CLOCK_SKEW) return 'expired';
    const isRight = createSecretCheck(computeHmac(secret, `${timestamp}.`, body).toString('hex'));
    return isRight(hex) ? null : 'wrong';
  };
}
