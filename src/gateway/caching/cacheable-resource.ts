import { createAcceptEncodingNormalizer, normalizeAcceptEncoding } from '../../cache/accept-encoding.ts';
import type { CacheRequest, CacheRule } from '../../cache/cache.ts';
import { createVariantKey } from '../../cache/policy/index.ts';
import { createCacheKey } from '../../cache/wordpress/cache-key.ts';
import { isShareableResponse } from '../../cache/wordpress/response-sharing.ts';
import type { ResolvedCacheRule } from '../../cache/wordpress/route-cache-rules.ts';
import { withoutCookies } from '../../cache/wordpress/store-eligibility.ts';
import type { ResponseHead } from '../../http/exchange.ts';
import { fieldValue, hasField } from '../../http/fields.ts';
import type { IncomingRequestHead } from '../../http/request-head.ts';

/** What does not depend on who asks. */
interface PreparedParts {
  /** What tells the site's keys from those of others in one store. */
  readonly site: string;
  /** Path and query that the site is asked for: without what means nothing. */
  readonly address: string;
  /**
   * Whether it is a request to the interface: the site is asked for plain bytes then, so that the tags of an answer can be
   * read in it, and echoes the `Origin`.
   */
  readonly isRoute: boolean;
  /** Whether it goes to a discovered site, and not to just any origin. */
  readonly isWordPress: boolean;
  readonly resource: string;
  readonly rule: ResolvedCacheRule;
  /** @param publicBase the gateway's address of the site as the caller knows it */
  tagsOf(head: ResponseHead, body: Uint8Array, publicBase: string): readonly string[];
}

/** The request as it goes to the site, whose headers are made when they are asked for. */
export interface SentRequest {
  /** Flat list. */
  readonly headers: readonly string[];
  /** Whether the site gets these fields, lower case, as the caller wrote them. */
  passesOn(names: readonly string[]): boolean;
}

/** A request that the store may answer, kept with what its address means. */
export class Prepared {
  readonly parts: PreparedParts;
  #publicBase: string | undefined;
  #key = '';

  constructor(parts: PreparedParts) {
    this.parts = parts;
  }

  /** The headers, flat list, that the request goes to the site with. */
  sent(headers: string[]): string[] {
    const { isRoute, isWordPress } = this.parts;
    const nameless = isWordPress ? withoutCookies(headers) : headers;
    return isRoute ? nameless : normalizeAcceptEncoding(nameless, spell);
  }

  request(head: IncomingRequestHead, publicBase: string, sent: SentRequest): CacheRequest {
    return new PreparedRequest(this, head, publicBase, sent);
  }

  /** Most callers know the gateway by one address, so the last key is kept. */
  key(publicBase: string, sent: SentRequest): string {
    const { resource, rule, site } = this.parts;
    if (rule.key.headers.length > 0) {
      return createCacheKey({ site, publicBase, resource: withHeaders(resource, rule, sent.headers) });
    }
    if (publicBase !== this.#publicBase) {
      this.#publicBase = publicBase;
      this.#key = createCacheKey({ site, publicBase, resource });
    }
    return this.#key;
  }
}

const spell = createAcceptEncodingNormalizer();

/** Whatever coding callers ask for, the interface is asked for plain bytes. */
const ASKED_FOR_PLAIN = ['accept-encoding'];

class PreparedRequest implements CacheRequest {
  readonly key: string;
  readonly method: 'GET' | 'HEAD';
  readonly headers: readonly string[];
  readonly authorized: boolean;
  readonly #prepared: PreparedParts;
  readonly #publicBase: string;
  readonly #sent: SentRequest;

  constructor(
    prepared: Prepared,
    { headers, method }: IncomingRequestHead,
    publicBase: string,
    sent: SentRequest,
  ) {
    const { isWordPress } = prepared.parts;
    this.key = prepared.key(publicBase, sent);
    this.method = method === 'HEAD' ? 'HEAD' : 'GET';
    this.headers = isWordPress ? withoutCookies(headers) : headers;
    this.authorized = !isWordPress && hasField(headers, 'authorization');
    this.#prepared = prepared.parts;
    this.#publicBase = publicBase;
    this.#sent = sent;
  }

  get forwardedHeaders(): readonly string[] {
    return this.#sent.headers;
  }

  get rule(): CacheRule {
    return this.#prepared.rule.rule;
  }

  get ignoredVary(): readonly string[] | undefined {
    return this.#prepared.isRoute ? ASKED_FOR_PLAIN : undefined;
  }

  variant(vary: readonly string[]): string {
    return createVariantKey(vary, this.#sent.passesOn(vary) ? this.headers : this.#sent.headers);
  }

  isShareable(head: ResponseHead): boolean {
    return !this.#prepared.isWordPress || isShareableResponse(head);
  }

  getTags(head: ResponseHead, body: Uint8Array): readonly string[] {
    return this.#prepared.tagsOf(head, body, this.#publicBase);
  }
}

/** The values of the request's fields, as the site sees them, that a rule puts in the key. */
function withHeaders(resource: string, { key }: ResolvedCacheRule, headers: readonly string[]): string {
  return `${resource}\n${JSON.stringify(key.headers.map((name) => fieldValue(headers, name) ?? null))}`;
}
