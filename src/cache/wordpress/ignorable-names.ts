import { splitNames } from '../../glob.ts';

/**
 * Names of cookies and query parameters that do not influence a WordPress response: analytics and consent banners set the
 * cookies, newsletters and advertisements append the parameters. A name that ends in `*` is a prefix. All names that
 * are not listed are significant.
 */

/**
 * Cookies that no site reads to create a response. A request with any other cookie bypasses the store. The lines: Google; Meta,
 * Microsoft, LinkedIn, TikTok, Pinterest, X; Matomo, Hotjar, HubSpot, Yandex, Segment; consent banners, which decide which
 * cookies are set and not what the response is; bot management and load balancing of the network in front of the gateway;
 * WordPress's test whether the browser stores cookies, whose value is constant.
 */
export const HARMLESS_COOKIES: readonly string[] = splitNames(`
  _ga _ga_* _gid _gat _gat_* _gac_* _gcl_* _dc_gtm_* __utm* __gads __gpi __eoi
  _fbp _fbc _uetsid _uetvid _uetmsclkid _clck _clsk li_fat_id _tt_enable_cookie _tt_sessionid _ttp _pin_unauth _twclid
  _pk_* _hj* __hs* hubspotutk _ym_* ajs_anonymous_id
  cookieyes-consent cookielawinfo-* viewed_cookie_policy cmplz_* CookieConsent OptanonConsent OptanonAlertBoxClosed
  euconsent* borlabs-cookie cookie_notice_accepted moove_gdpr_popup
  __cf_bm cf_clearance _cfuvid __cflb
  wordpress_test_cookie
`);

/** Query parameters that no site reads to create a response. They are neither part of the key nor forwarded. */
export const IGNORED_PARAMETERS: readonly string[] = splitNames(`
  utm_* gclid gclsrc gbraid wbraid dclid _ga _gl srsltid fbclid msclkid twclid ttclid li_fat_id igshid igsh yclid
  _openstat mc_cid mc_eid _hsenc _hsmi __hstc __hssc __hsfp hsCtaTracking vero_id mkt_tok mtm_* pk_campaign pk_kwd
  pk_source pk_medium piwik_* matomo_*
`);
