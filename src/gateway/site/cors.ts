import type { RequestHead } from '../../base/http/exchange.ts';
import { fieldValue, toFieldPairs } from '../../base/http/fields.ts';
import type { CorsOptions } from '../../base/option-types.ts';
import { parseQueryPairs } from '../../base/php/request.ts';
import { addVary } from '../wordpress/response-rules.ts';

const METHODS = 'OPTIONS, GET, POST, PUT, PATCH, DELETE';

const FIELD_NAMES = /^[\w-]+(?: *, *[\w-]+)*$/;

const EXPOSED: readonly string[] = [
  ...['X-WP-Total', 'X-WP-TotalPages', 'Link', 'X-WP-Nonce', 'Nonce', 'X-WC-Store-API-Nonce'],
  ...['Cart-Token', 'Retry-After'],
];

const CORS_FIELD = /^access-control-/i;

/** Which origins can read a site's responses (Fetch Standard §3.2), in place of the site's own policy. */
export class CorsPolicy {
  readonly #origins: ReadonlySet<string>;
  readonly #isOpen: boolean;
  readonly #responseFields: readonly string[];
  readonly #preflightFields: readonly string[];

  constructor({ origins, credentials = false }: CorsOptions) {
    this.#origins = new Set(origins);
    this.#isOpen = this.#origins.has('*');
    const allowed = credentials ? ['Access-Control-Allow-Credentials', 'true'] : [];
    this.#responseFields = [...allowed, 'Access-Control-Expose-Headers', EXPOSED.join(', ')];
    this.#preflightFields = [
      ...allowed,
      ...['Access-Control-Allow-Methods', METHODS, 'Access-Control-Max-Age', '600'],
    ];
  }

  /** `*` is for what everyone can read, not for tools. */
  allows(origin: string): boolean {
    return this.#origins.has(origin);
  }

  isPreflight({ headers, method }: RequestHead): boolean {
    return method === 'OPTIONS' && fieldValue(headers, 'access-control-request-method') !== undefined;
  }

  /** A disallowed origin gets no field, so the browser sends no request. Others can send every field. */
  respondToPreflight({ headers }: RequestHead): Response {
    const names = fieldValue(headers, 'access-control-request-headers') ?? '';
    const sent = FIELD_NAMES.test(names) ? ['Access-Control-Allow-Headers', names] : [];
    const fields = this.#createFields(fieldValue(headers, 'origin'), [...this.#preflightFields, ...sent]);
    const vary: [string, string][] = this.#isOpen ? [] : [['Vary', 'Origin']];
    return new Response(null, { status: 204, headers: [...toFieldPairs(fields), ...vary] });
  }

  /** JSONP: pages of every origin can run the script with the visitor's cookies. */
  isJsonp(target: string): boolean {
    const from = target.indexOf('?');
    // PHP reads `.jsonp` as `_jsonp`, and can separate parameters at `;` too.
    if (from < 0) return false;
    const query = target.slice(from + 1);
    const readings = query.includes(';') ? [query, query.replaceAll(';', '&')] : [query];
    return readings.some((reading) => parseQueryPairs(reading).some(({ name }) => name === '_jsonp'));
  }

  replace(headers: readonly string[], origin: string | undefined): string[] {
    const kept = toFieldPairs(headers).filter(([name]) => !CORS_FIELD.test(name));
    const replaced = [...kept.flat(), ...this.#createFields(origin, this.#responseFields)];
    if (!this.#isOpen) addVary(replaced, 'Origin');
    return replaced;
  }

  #createFields(origin: string | undefined, fields: readonly string[]): readonly string[] {
    if (this.#isOpen) return ['Access-Control-Allow-Origin', '*', ...fields];
    if (origin === undefined || !this.#origins.has(origin)) return [];
    return ['Access-Control-Allow-Origin', origin, ...fields];
  }
}
