import { removeFields } from '../http/fields.ts';
import { BODY_BYTE_FIELDS } from './response-headers.ts';
import {
  type BodyRewriter,
  createBodyRewriter,
  isFormBody,
  isRewritableRequestBody,
} from './rewrite-body.ts';
import { rewriteUrlReference } from './rewrite-fields.ts';
import { createSiteUrls, type SiteUrls } from './site-urls.ts';

/**
 * Replaces the gateway's URLs in requests by the site's: the inverse of the rewriting of responses. Without it, a client
 * that reads content and saves it would store the gateway's URLs in the site's database.
 */
export class RequestRewriter {
  readonly #gatewayUrls: SiteUrls;
  readonly #storedBase: string;
  readonly #hostname: string;

  /** @param publicBase the gateway's URL of the site as the client sees it, without a trailing slash */
  constructor(publicBase: string, { storedBase }: SiteUrls) {
    this.#gatewayUrls = createSiteUrls([{ url: publicBase }]);
    this.#storedBase = storedBase;
    this.#hostname = this.#gatewayUrls.hosts[0]?.hostname ?? '';
  }

  /** Rewrites percent-encoded and literal URLs in the query of a request target. */
  rewriteTarget(target: string): string {
    const queryStart = target.indexOf('?');
    if (queryStart < 0 || !target.toLowerCase().includes(this.#hostname, queryStart)) return target;
    const rewriter = createBodyRewriter(this.#gatewayUrls, this.#storedBase, 'form');
    const query = new TextEncoder().encode(target.slice(queryStart + 1));
    const decoder = new TextDecoder();
    const rewritten =
      decoder.decode(rewriter.write(query), { stream: true }) + decoder.decode(rewriter.end());
    return target.slice(0, queryStart + 1) + rewritten;
  }

  /**
   * Rewrites `Referer`, by which WordPress finds the page to return to, and removes the fields that describe the bytes of
   * a body that is rewritten.
   *
   * @param headers flat list, changed in place
   */
  rewriteHeaders(headers: string[], hasBody: boolean): void {
    for (let at = 0; at + 1 < headers.length; at += 2) {
      if (headers[at]?.toLowerCase() !== 'referer') continue;
      headers[at + 1] = rewriteUrlReference(headers[at + 1] ?? '', this.#gatewayUrls, this.#storedBase);
    }
    if (hasBody && isRewritableRequestBody(headers)) removeFields(headers, BODY_BYTE_FIELDS);
  }

  /** @param headers flat list of the client. @returns `undefined` for a body that is forwarded unchanged */
  createBodyRewriter(headers: readonly string[]): BodyRewriter | undefined {
    if (!isRewritableRequestBody(headers)) return undefined;
    return createBodyRewriter(this.#gatewayUrls, this.#storedBase, isFormBody(headers) ? 'form' : 'literal');
  }
}
