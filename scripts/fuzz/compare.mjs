// @ts-check
import { isDeepStrictEqual } from 'node:util';

/**
 * @typedef {import('./exchange.mjs').Answer} Answer
 * @typedef {import('./draw.mjs').Draw} Draw
 *
 * @typedef {object} Said what an answer says of a request's parameters
 * @property {number} status of the answer itself, whatever stands in an envelope
 * @property {string} code of WordPress; empty where there is none
 * @property {readonly string[]} names in `data.params`, sorted
 * @property {readonly string[]} rules the code of each detail, sorted: why
 */

/** What a site refuses a request by for its parameters or its route alone. */
const OF_PARAMETERS = new Set([
  'rest_invalid_param',
  'rest_missing_callback_param',
  'rest_invalid_json',
  'rest_no_route',
]);

/** @param {Answer} answer @returns {Said} */
export function saidOf(answer) {
  const body = unwrapped(answer);
  const code = typeof body?.code === 'string' ? body.code : '';
  const params = body?.data?.params;
  const details = body?.data?.details ?? {};
  const names = Array.isArray(params) ? params.map(String) : Object.keys(params ?? {});
  const rules = names.map((name) => `${name}: ${details[name]?.code ?? code}`);
  return { status: answer.status, code, names: names.sort(), rules: rules.sort() };
}

/** With `_envelope` the answer stands in an answer, whose own status is 200. @param {Answer} answer */
function unwrapped({ body }) {
  const value = parsed(body);
  const isEnvelope =
    typeof value?.status === 'number' && typeof value.body === 'object' && 'headers' in value;
  return isEnvelope ? value.body : value;
}

/** @param {Buffer} body @returns {any} */
function parsed(body) {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/**
 * @typedef {'passed' | 'agreed' | 'missed' | 'different' | 'wrong' | 'failed' | 'changed'} Verdict
 * passed: the site accepts the parameters, and was asked; agreed: both refuse alike; missed: the site refuses and was
 * asked; different: both refuse, not alike; wrong: the gateway refuses what the site accepts; failed: the site's program
 * broke down over the request, so that it neither refused nor accepted it; changed: what was asked of the site is not
 * what the caller sent
 *
 * @typedef {{ verdict: Verdict, reasons: readonly string[], site: Said, gateway: Said }} Comparison
 */

/** @param {Draw} draw @param {Answer} direct @param {Answer} through @param {boolean} asked @returns {Comparison} */
export function compare(draw, direct, through, asked) {
  const [site, gateway] = [saidOf(direct), saidOf(through)];
  // The answer to HEAD has no body: its status alone says something.
  const silent = draw.method === 'HEAD';
  const refused = silent ? site.status === 400 : OF_PARAMETERS.has(site.code);
  const reasons = site.rules.length > 0 ? site.rules : [site.code];
  /** @param {Verdict} verdict */
  const as = (verdict) => ({ verdict, reasons, site, gateway });
  if (asked) return as(refused ? 'missed' : 'passed');
  if (silent && site.status === gateway.status) return as('agreed');
  // A description of nothing needs no site.
  if (draw.method === 'OPTIONS' && direct.body.equals(through.body)) return as('passed');
  // Nor does a batch of which nothing would run.
  if (site.status === 207 && isDeepStrictEqual(parsed(direct.body), parsed(through.body)))
    return as('passed');
  if (!refused) return as(site.status >= 500 ? 'failed' : 'wrong');
  const alike =
    site.status === gateway.status &&
    site.code === gateway.code &&
    site.names.join() === gateway.names.join();
  return as(alike ? 'agreed' : 'different');
}
