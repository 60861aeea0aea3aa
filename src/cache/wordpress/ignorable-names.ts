/**
 * What callers bring along that says nothing of who they are: kept by analytics and consent banners, or appended by
 * newsletters and advertisements. A name that ends in `*` stands for all that begin so. Everything that is not here
 * counts as meaningful.
 */

/** Cookies that no site reads to decide what to answer. Any other cookie keeps a request from the store. */
export const HARMLESS_COOKIES: readonly string[] = [
  // Google Analytics, Ads and Tag Manager; Universal Analytics before them.
  ...['_ga', '_ga_*', '_gid', '_gat*', '_gac_*', '_gcl_*', '_dc_gtm_*', '__utm*', '__gads', '__gpi', '__eoi'],
  // Meta, Microsoft, LinkedIn, TikTok, Pinterest, X.
  ...['_fbp', '_fbc', '_uet*', '_clck', '_clsk', 'li_fat_id', '_tt*', '_ttp', '_pin_unauth', '_twclid'],
  // Matomo, Hotjar, HubSpot, Plausible, Yandex, Segment.
  ...['_pk_*', '_hj*', '__hs*', 'hubspotutk', '_ym_*', 'ajs_anonymous_id'],
  // Consent banners: what may be set, not what is answered.
  ...[
    'cookieyes-consent',
    'cookielawinfo-*',
    'viewed_cookie_policy',
    'cmplz_*',
    'CookieConsent',
    'OptanonConsent',
  ],
  ...['OptanonAlertBoxClosed', 'euconsent*', 'borlabs-cookie', 'cookie_notice_accepted', 'moove_gdpr_popup'],
  // The network in front: bot management and load balancing.
  ...['__cf_bm', 'cf_clearance', '_cfuvid', '__cflb'],
  // WordPress's probe whether cookies are kept at all; its value is constant.
  'wordpress_test_cookie',
];

/** Parameters of a query that no site reads to decide what to answer. */
export const IGNORED_PARAMETERS: readonly string[] = [
  ...['utm_*', 'gclid', 'gclsrc', 'gbraid', 'wbraid', 'dclid', '_ga', '_gl', 'srsltid'],
  ...['fbclid', 'msclkid', 'twclid', 'ttclid', 'li_fat_id', 'igshid', 'igsh', 'yclid', '_openstat'],
  ...[
    'mc_cid',
    'mc_eid',
    '_hsenc',
    '_hsmi',
    '__hstc',
    '__hssc',
    '__hsfp',
    'hsCtaTracking',
    'vero_id',
    'mkt_tok',
  ],
  ...['mtm_*', 'pk_campaign', 'pk_kwd', 'pk_source', 'pk_medium', 'piwik_*', 'matomo_*'],
];

/** Whether a name is one of a list as those above. */
export function createNameMatcher(names: readonly string[]): (name: string) => boolean {
  const exact = new Set(names.filter((name) => !name.endsWith('*')));
  const prefixes = names.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  return (name) => exact.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}
