import type { PurgeMode } from '../../cache/store.ts';
import { signWebhook } from '../../cache/wordpress/webhook-signature.ts';
import type { NotifyOptions } from '../../option-types.ts';

/** What was purged of one site, as other systems name it. */
export interface SitePurge {
  /** Name of the site in the operations below `/-/`. */
  readonly site: string;
  readonly mode: PurgeMode;
  /** Whether more than {@link tags} and {@link paths} say may have changed. */
  readonly isEverything: boolean;
  /** Routes of resources, such as `/wp/v2/posts/12`, and names that the site or a cache rule has given. */
  readonly tags: ReadonlySet<string>;
  /** Paths of pages. */
  readonly paths: ReadonlySet<string>;
  /** Names in `Surrogate-Key` and `Cache-Tag`. */
  readonly keys: ReadonlySet<string>;
  /** The keys that select every response of the site. */
  readonly keysOfEverything: readonly string[];
}

/** A `POST` request to a receiver. */
interface NotifyRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Keys in one request: Cloudflare takes 30 tags, Fastly 256 keys. */
const MAX_TAGS_OF_CLOUDFLARE = 30;
const MAX_KEYS_OF_FASTLY = 256;

/** Creates the requests that tell a receiver about a purge. @param now milliseconds since the epoch */
export async function createNotifyRequests(
  { secret, to }: NotifyOptions,
  purge: SitePurge,
  now: number,
): Promise<readonly NotifyRequest[]> {
  const keys = [...purge.keys].sort();
  switch (to) {
    case 'webhook': {
      const body = JSON.stringify({ ...toJson(purge), site: purge.site, mode: purge.mode, keys });
      const timestamp = String(Math.floor(now / 1000));
      const signature = await signWebhook(secret, timestamp, body);
      return [createRequest(body, { 'x-waygate-timestamp': timestamp, 'x-waygate-signature': signature })];
    }
    case 'revalidate':
      if (!purge.isEverything && purge.tags.size + purge.paths.size === 0) return [];
      return [createRequest(JSON.stringify({ secret, ...toJson(purge) }), {})];
    case 'cloudflare':
      return split(keys, MAX_TAGS_OF_CLOUDFLARE).map((tags) =>
        createRequest(JSON.stringify({ tags }), { authorization: `Bearer ${secret}` }),
      );
    case 'fastly': {
      const headers: Record<string, string> = { 'fastly-key': secret };
      if (purge.mode === 'soft') headers['fastly-soft-purge'] = '1';
      return split(keys, MAX_KEYS_OF_FASTLY).map((surrogateKeys) =>
        createRequest(JSON.stringify({ surrogate_keys: surrogateKeys }), headers),
      );
    }
  }
}

function createRequest(body: string, headers: Readonly<Record<string, string>>): NotifyRequest {
  return { headers: { 'content-type': 'application/json', ...headers }, body };
}

function toJson({ isEverything, paths, tags }: SitePurge): object {
  return { everything: isEverything, tags: [...tags].sort(), paths: [...paths].sort() };
}

function split(keys: readonly string[], size: number): readonly (readonly string[])[] {
  const batches = Math.ceil(keys.length / size);
  return Array.from({ length: batches }, (_, at) => keys.slice(at * size, (at + 1) * size));
}
