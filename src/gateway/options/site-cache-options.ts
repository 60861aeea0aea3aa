import type { RouteCacheRule } from '../../cache/wordpress/route-cache-rules.ts';

/** What of one site is kept in the store, and for how long. Times are in seconds. */
export interface SiteCacheOptions {
  /** The first rule that matches a request decides; what it leaves out is the default's. @default none */
  readonly rules?: readonly RouteCacheRule[] | undefined;
  /**
   * Whether anonymous reads of operations in the document are kept though the site states no freshness: 30 s fresh,
   * 10 minutes while they are revalidated, a day while the site fails, 404s 5 s.
   * @default true
   */
  readonly default?: boolean | undefined;
  /** Query parameters that mean nothing and are not sent on, beside `utm_*` and its like. @default none */
  readonly ignoreParameters?: readonly string[] | undefined;
  /** Cookies that say nothing of the caller, beside those of analytics and consent banners. @default none */
  readonly harmlessCookies?: readonly string[] | undefined;
  /** The secret with which the site signs `POST /-/webhook/<site>`. @default there is no webhook */
  readonly webhook?: string | undefined;
  /** Milliseconds between looks at what was modified at the site itself. @default it is not watched */
  readonly watch?: number | undefined;
}
