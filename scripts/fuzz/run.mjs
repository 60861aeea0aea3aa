// @ts-check
import { compare } from './compare.mjs';
import { drawRequest, operationsOf } from './draw.mjs';
import { createClient } from './exchange.mjs';
import { POSITION_HEADER } from './replay.mjs';

/**
 * @typedef {Awaited<ReturnType<typeof import('./replay.mjs').startReplay>>} Replay
 */

/**
 * A request with what the site and the gateway respond.
 *
 * - `passed`: the site accepts the parameters and the gateway forwarded the request.
 * - `agreed`: both refuse with the same status, code and names.
 * - `missed`: the site refuses and the gateway forwarded.
 * - `different`: both refuse differently.
 * - `wrong`: the gateway refuses what the site accepts.
 * - `failed`: the gateway refuses, the site returned a 5xx.
 * - `changed`: the gateway forwarded another body than the client sent.
 *
 * @typedef {object} Finding
 * @property {number} position number of the request in the sequence of the seed
 * @property {string} operation method and route pattern
 * @property {string} request request line, header fields and body, for display
 * @property {'passed' | 'agreed' | 'missed' | 'different' | 'wrong' | 'failed' | 'changed'} verdict
 * @property {readonly string[]} reasons of the site's refusal, `<param>: <code>`
 * @property {import('./compare.mjs').ResponseSummary} site
 * @property {import('./compare.mjs').ResponseSummary} gateway
 */

/**
 * @typedef {object} FuzzOptions
 * @property {unknown} index root index of the site, as parsed JSON
 * @property {string} site home URL of the site, ending in a slash
 * @property {string} gateway URL of the gateway in front of `replay`, ending in a slash
 * @property {Replay} replay
 * @property {string} prefix path of the REST interface below the home URL: `wp-json`, or `index.php?rest_route=`
 * @property {string | undefined} [authorization] of an administrator. Requests that could harm the site are sent without it
 * @property {number} seed
 * @property {number} count
 * @property {readonly string[]} [aim] parameters that most requests to their operations set to a list of ids, also a wrong one
 * @property {readonly string[]} [namespaces] whose operations are requested. All by default
 */

const CONCURRENCY = 8;

/**
 * Generates requests from a site's index, sends each to the site and to the gateway, and compares the responses.
 *
 * @param {FuzzOptions} options
 * @returns {Promise<readonly Finding[]>}
 */
export async function fuzz({
  index,
  site,
  gateway,
  replay,
  prefix,
  authorization,
  seed,
  aim = [],
  namespaces = [],
  count,
}) {
  const operations = operationsOf(index, namespaces);
  const client = createClient();
  /** @type {Finding[]} */
  const findings = [];
  let next = 0;

  async function worker() {
    while (next < count) {
      const position = next++;
      const drawn = drawRequest(operations, seed, position, aim);
      const path = drawn.path.replace('{prefix}', prefix);
      const headers = [
        ...drawn.headers,
        ...(drawn.privileged && authorization !== undefined ? ['Authorization', authorization] : []),
      ];
      const request = { method: drawn.method, body: drawn.body };
      const direct = await client.send(site, { ...request, path: new URL(site).pathname + path, headers });
      replay.record(position, direct);
      const numbered = [...headers, POSITION_HEADER, String(position)];
      const proxied = await client.send(gateway, {
        ...request,
        path: new URL(gateway).pathname + path,
        headers: numbered,
      });
      const forwarded = replay.takeForwarded(position);
      const comparison = compare(drawn, direct, proxied, forwarded !== undefined);
      const changed = forwarded !== undefined && !forwarded.body.equals(drawn.body ?? Buffer.alloc(0));
      const { operation, method } = drawn;
      findings.push({
        ...comparison,
        verdict: changed ? 'changed' : comparison.verdict,
        position,
        operation: `${operation.method} ${operation.route}`,
        request: formatRequest(`${method} /${path}`, drawn),
      });
    }
  }

  try {
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  } finally {
    client.close();
  }
  return findings.sort((a, b) => a.position - b.position);
}

/** @param {string} requestLine @param {import('./draw.mjs').DrawnRequest} drawn */
function formatRequest(requestLine, { headers, body }) {
  const fields = headers.length === 0 ? '' : ` [${headers.join(' ')}]`;
  return `${requestLine}${fields}${body === null ? '' : ` ${body}`}`.slice(0, 600);
}
