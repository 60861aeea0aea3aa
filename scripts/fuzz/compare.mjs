// @ts-check

/**
 * @typedef {import('./exchange.mjs').SiteResponse} SiteResponse
 * @typedef {import('./draw.mjs').DrawnRequest} DrawnRequest
 *
 * The status, the error code, the names in `data.params`, and `<param>: <code>` of each detail, sorted.
 * @typedef {{ status: number, code: string, names: readonly string[], rules: readonly string[] }} ResponseSummary
 */

/** Error codes of refusals that depend only on the parameters or the route. */
const PARAMETER_ERROR_CODES = new Set([
  'rest_invalid_param',
  'rest_missing_callback_param',
  'rest_invalid_json',
  'rest_no_route',
]);

/** @param {SiteResponse} response @returns {ResponseSummary} */
function summarizeResponse(response) {
  const body = unwrapEnvelope(response);
  const code = typeof body?.code === 'string' ? body.code : '';
  const params = body?.data?.params;
  const details = body?.data?.details ?? {};
  const names = Array.isArray(params) ? params.map(String) : Object.keys(params ?? {});
  const rules = names.map((name) => `${name}: ${details[name]?.code ?? code}`);
  return { status: response.status, code, names: names.sort(), rules: rules.sort() };
}

/** Returns the JSON body, without the `_envelope` wrapper (sent with status 200). @param {SiteResponse} response */
function unwrapEnvelope({ body }) {
  const value = parseJson(body);
  const isEnvelope =
    typeof value?.status === 'number' && typeof value.body === 'object' && 'headers' in value;
  return isEnvelope ? value.body : value;
}

/** @param {Buffer} body @returns {any} */
function parseJson(body) {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/**
 * @typedef {import('./run.mjs').Finding['verdict']} Verdict
 *
 * @typedef {{ verdict: Verdict, reasons: readonly string[], site: ResponseSummary, gateway: ResponseSummary }} Comparison
 */

/**
 * @param {DrawnRequest} drawn
 * @param {SiteResponse} direct response of the site
 * @param {SiteResponse} proxied response of the gateway
 * @param {boolean} forwarded whether the gateway forwarded the request
 * @returns {Comparison}
 */
export function compare(drawn, direct, proxied, forwarded) {
  const [site, gateway] = [summarizeResponse(direct), summarizeResponse(proxied)];
  // A response to HEAD has no body; only its status can be compared.
  const statusOnly = drawn.method === 'HEAD';
  const refused = statusOnly ? site.status === 400 : PARAMETER_ERROR_CODES.has(site.code);
  const reasons = site.rules.length > 0 ? site.rules : [site.code];
  /** @param {Verdict} verdict */
  const comparison = (verdict) => ({ verdict, reasons, site, gateway });
  // An unknown route may be one that the index hides, so it is forwarded. The site validates multipart bodies.
  const isMultipart = drawn.headers.some((value) => value.startsWith('multipart/form-data'));
  if (forwarded)
    return comparison(refused && !isMultipart && site.code !== 'rest_no_route' ? 'missed' : 'passed');
  if (statusOnly && site.status === gateway.status) return comparison('agreed');
  // The gateway answers OPTIONS of an unknown route without the site.
  if (drawn.method === 'OPTIONS' && direct.body.equals(proxied.body)) return comparison('passed');
  if (!refused) return comparison(site.status >= 500 ? 'failed' : 'wrong');
  const equal =
    site.status === gateway.status &&
    site.code === gateway.code &&
    site.names.join() === gateway.names.join();
  return comparison(equal ? 'agreed' : 'different');
}
