// @ts-check
import { compare } from './compare.mjs';
import { draw, operationsOf } from './draw.mjs';
import { createClient } from './exchange.mjs';
import { POSITION } from './replay.mjs';

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
  count,
  parallel = 8,
}) {
  const operations = operationsOf(index);
  const client = createClient();
  /** @type {import('./run.d.mts').Finding[]} */
  const findings = [];
  let next = from;

  async function work() {
    while (next < from + count) {
      const position = next++;
      const drawn = draw(operations, seed, position, bodyless);
      const path = drawn.path.replace('{prefix}', prefix);
      const headers = [
        ...drawn.headers,
        ...(drawn.privileged && authorization !== undefined ? ['Authorization', authorization] : []),
      ];
      const request = { method: drawn.method, body: drawn.body };
      const direct = await client.send(site, { ...request, path: new URL(site).pathname + path, headers });
      replay.remember(position, direct);
      const marked = [...headers, POSITION, String(position)];
      const through = await client.send(gateway, {
        ...request,
        path: new URL(gateway).pathname + path,
        headers: marked,
      });
      const arrived = replay.arrived(position);
      const compared = compare(drawn, direct, through, arrived !== undefined);
      const changed = arrived !== undefined && !arrived.body.equals(drawn.body ?? Buffer.alloc(0));
      const { operation, method } = drawn;
      findings.push({
        ...compared,
        verdict: changed ? 'changed' : compared.verdict,
        position,
        operation: `${operation.method} ${operation.route}`,
        request: shown(`${method} /${path}`, drawn),
      });
    }
  }

  try {
    await Promise.all(Array.from({ length: parallel }, work));
  } finally {
    client.close();
  }
  return findings.sort((a, b) => a.position - b.position);
}

/** @param {string} line @param {import('./draw.mjs').Draw} drawn */
function shown(line, { headers, body }) {
  const fields = headers.length === 0 ? '' : ` [${headers.join(' ')}]`;
  return `${line}${fields}${body === null ? '' : ` ${body}`}`.slice(0, 600);
}
