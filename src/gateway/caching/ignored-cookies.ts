import type { CacheRequest } from '../../cache/cache-request.ts';
import { hashBytes } from '../../cache/content/content-hash.ts';
import { TtlMap } from '../../cache/engine/fetch-plan.ts';
import type { HttpCache } from '../../cache/http-cache.ts';
import { createNameMatcher } from '../../glob.ts';
import type { ContentDecoder } from '../../http/content-decoding.ts';
import type { ResponseHead, ResponseSink } from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';
import type { Log } from '../../ports.ts';
import { BodyObserver } from '../exchange/body-observer.ts';

/** Comparisons of a class of resources before its requests with an ignored cookie use the store. */
const NEEDED_COMPARISONS = 3;
/** Of the requests after that, one in so many is compared. */
const COMPARED_INTERVAL = 100;
/** Maximum length in bytes of a body that is compared. */
const MAX_BYTES = 1024 * 1024;
/** A shorter value may stand in a body by chance. */
const MIN_VALUE_LENGTH = 8;
const MAX_CLASSES = 1_000;

interface Comparisons {
  same: number;
  /** Requests since the last comparison. */
  waiting: number;
}

/** Milliseconds for which a class is known to depend on a cookie: the site may have changed since. */
const DEPENDENT_DURATION = 600_000;

/**
 * The cookies that the configuration takes out of what is otherwise shareable (`cache.ignoreCookies`), and the check that no
 * content depends on them. Of each class of resources the first requests with such a cookie are forwarded with it, and later one
 * in a hundred; the site's response must equal the stored one, which was made without it. After a difference the class is treated
 * for ten minutes as if the cookies were not configured.
 */
export class IgnoredCookies {
  readonly #isIgnored: (name: string) => boolean;
  readonly #cache: HttpCache;
  readonly #decode: ContentDecoder;
  readonly #log: Log;
  readonly #comparisons = new Map<string, Comparisons>();
  /** Classes that depend on one of the cookies. */
  readonly #dependent: TtlMap<true>;
  /** The values of cookies that were taken out of a response. */
  readonly #values = new WeakMap<ResponseHead, readonly string[]>();

  constructor(names: readonly string[], cache: HttpCache, decode: ContentDecoder, log: Log) {
    this.#isIgnored = createNameMatcher(names);
    this.#cache = cache;
    this.#decode = decode;
    this.#log = log;
    this.#dependent = new TtlMap(cache.clock, DEPENDENT_DURATION);
  }

  /** Takes the cookies out of a response to a request without them. */
  strip(head: ResponseHead, routeClass: string): ResponseHead {
    const cookies = listSetCookies(head.headers).filter(({ name }) => this.#isIgnored(name));
    if (cookies.length === 0 || this.#dependent.get(routeClass)) return head;
    const taken = new Set(cookies.flatMap(({ at }) => [at, at + 1]));
    const stripped = { ...head, headers: head.headers.filter((_, at) => !taken.has(at)) };
    this.#values.set(
      stripped,
      cookies.map(({ value }) => value),
    );
    return stripped;
  }

  /** Whether a body contains the value of a cookie that was taken out of its head, and so is made for one client. */
  isInBody(head: ResponseHead, body: Uint8Array): boolean {
    const values = this.#values.get(head)?.filter(({ length }) => length >= MIN_VALUE_LENGTH) ?? [];
    if (values.length === 0) return false;
    const text = new TextDecoder().decode(body);
    return values.some((value) => text.includes(value));
  }

  /** Finds the cookie with which a request is forwarded; `undefined` if it may use the store. */
  findForwarded(routeClass: string, headers: readonly string[]): string | undefined {
    const pairs = fieldValue(headers, 'cookie')?.split(';') ?? [];
    const name = pairs.map((pair) => pair.split('=', 1)[0]?.trim() ?? '').find(this.#isIgnored);
    if (name === undefined || this.#dependent.get(routeClass)) return name;
    const known = this.#comparisons.get(routeClass);
    if (known === undefined || known.same < NEEDED_COMPARISONS) return name;
    known.waiting += 1;
    if (known.waiting < COMPARED_INTERVAL) return undefined;
    known.waiting = 0;
    return name;
  }

  /** Compares the response to a request with such a cookie with the stored one. @param request as if it had none */
  compare(request: CacheRequest, routeClass: string, cookie: string, sink: ResponseSink): ResponseSink {
    if (request.method === 'HEAD') return sink;
    let observer: BodyObserver | null = null;
    const observe = (head: ResponseHead): void => {
      if (head.status !== 200) return;
      const limits = { maxBytes: MAX_BYTES, decode: this.#decode };
      observer = new BodyObserver(head, limits, (body) => {
        if (typeof body !== 'string') void this.#compareBody(request, routeClass, cookie, body);
      });
    };
    return {
      interim: (head) => sink.interim?.(head),
      head(head) {
        observe(head);
        sink.head(head);
      },
      write(chunk) {
        observer?.write(chunk);
        return sink.write(chunk);
      },
      end(trailers) {
        observer?.end();
        sink.end(trailers);
      },
      fail: (failure) => sink.fail(failure),
    };
  }

  async #compareBody(
    request: CacheRequest,
    routeClass: string,
    cookie: string,
    body: Uint8Array,
  ): Promise<void> {
    const stored = await this.#cache.store.get(request.key);
    const { decision, selected } = this.#cache.explain(request, stored);
    // What is not fresh may be outdated.
    if (selected?.status !== 200 || decision !== 'fresh' || this.#dependent.get(routeClass)) return;
    if (hashBytes(selected.body) !== hashBytes(body)) {
      this.#comparisons.delete(routeClass);
      this.#dependent.set(routeClass, true);
      this.#log.warn(
        { cookie, resource: routeClass },
        'the content depends on a cookie of "ignoreCookies", or has changed at the site: for ten minutes these resources are treated as if the cookie were not listed. If this comes again, take it off the list',
      );
      return;
    }
    const known = this.#comparisons.get(routeClass) ?? { same: 0, waiting: 0 };
    known.same += 1;
    if (this.#comparisons.size < MAX_CLASSES) this.#comparisons.set(routeClass, known);
  }
}

/** Lists the cookies that a response sets (RFC 6265 §4.1.1). @param at index of the field's name */
export function listSetCookies(
  headers: readonly string[],
): readonly { readonly name: string; readonly value: string; readonly at: number }[] {
  return headers.flatMap((field, at) => {
    if (at % 2 === 1 || field.toLowerCase() !== 'set-cookie') return [];
    const [pair = ''] = (headers[at + 1] ?? '').split(';', 1);
    const [name = '', value = ''] = pair.split(/=(.*)/s, 2);
    return [{ name: name.trim(), value: value.trim(), at }];
  });
}
