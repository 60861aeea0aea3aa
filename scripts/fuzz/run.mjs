// @ts-check
import { compare } from './compare.mjs';
import { drawRequest, operationsOf } from './draw.mjs';
import { createClient } from './exchange.mjs';
import { POSITION_HEADER } from './replay.mjs';

/** @type {typeof import('./run.d.mts').fuzz} */
export async function fuzz({
  index,
  site,
  gateway,
  replay,
  prefix,
  authorization,
  seed,
  from = 0,
  bodyless = false,
  aim = [],
  namespaces = [],
  count,
  parallel = 8,
  responses = new Map(),
  draw,
}) {
  const operations = draw === undefined ? operationsOf(index, namespaces) : [];
  const client = createClient();
  /** @type {import('./run.d.mts').Finding[]} */
  const findings = [];
  let next = from;

  async function worker() {
    while (next < from + count) {
      const position = next++;
      const drawn = draw?.(position) ?? drawRequest(operations, seed, position, { bodyless, aim });
      const path = drawn.path.replace('{prefix}', prefix);
      const headers = [
        ...drawn.headers,
        ...(drawn.privileged && authorization !== undefined ? ['Authorization', authorization] : []),
      ];
      const request = { method: drawn.method, body: drawn.body };
      const direct =
        responses.get(position) ??
        (await client.send(site, { ...request, path: new URL(site).pathname + path, headers }));
      responses.set(position, direct);
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
    await Promise.all(Array.from({ length: parallel }, worker));
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
