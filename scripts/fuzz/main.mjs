#!/usr/bin/env node
// @ts-check
import { readOptions } from '../read-options.mjs';
import { startReplay } from './replay.mjs';
import { describe, summarize } from './report.mjs';
import { fuzz } from './run.mjs';

const USAGE = `node scripts/fuzz/main.mjs <site-url> [options]

Generates requests from the site's index (valid, nearly valid and hostile, in the encodings that PHP parses), sends each
to the site and to a gateway in front of it, and compares their refusals. The site executes writes: use a
disposable site. Requires npm run build.

  --count <n>             number of requests (default: 5000)
  --seed <n>              seed of the random requests (default: 1)
  --from <n>              number of the first request: --from 17 --count 1 repeats number 17
  --parallel <n>          concurrent requests (default: 8)
  --auth <user:password>  application password of an administrator (default: FUZZ_AUTH)
  --mode <mode>           validation mode of the gateway: observe, enforce or strict (default: enforce)
  --again                 send the requests twice, and report the second time
  --namespace <name>      request routes of this namespace only (repeatable)
  --aim <name>            set this parameter to lists of ids in most requests, such as include (repeatable)
  --bodyless              send no body with GET, HEAD and OPTIONS
  --limit <n>             findings shown of each kind (default: 40)
  --json                  all findings as JSON
`;

const { values: flags, positionals } = readOptions(USAGE, {
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    parallel: { type: 'string', default: '8' },
    auth: { type: 'string' },
    mode: { type: 'string', default: 'enforce' },
    again: { type: 'boolean', default: false },
    namespace: { type: 'string', multiple: true, default: [] },
    aim: { type: 'string', multiple: true, default: [] },
    bodyless: { type: 'boolean', default: false },
    limit: { type: 'string', default: '40' },
    json: { type: 'boolean', default: false },
  },
});

const [url] = positionals;
if (url === undefined) {
  process.stderr.write(USAGE);
  process.exit(2);
}

const { createGateway, discover } = await import('../../dist/index.js');
const { serve } = await import('../../dist/gateway/node/index.js');

const { address } = await discover(url);
const index = await (await fetch(address.root)).json();
const replay = await startReplay(address.base);
const site = replay.origin + new URL(address.base).pathname;
const gateway = await createGateway({
  sites: [{ url: site, validation: { mode: /** @type {'observe' | 'enforce' | 'strict'} */ (flags.mode) } }],
});
await gateway.rediscover();
const server = await serve({ gateway, port: 0 });
try {
  const credentials = flags.auth ?? process.env['FUZZ_AUTH'];
  /** The site executes each request once. */
  const responses = new Map();
  const send = () =>
    fuzz({
      responses,
      index,
      site: address.base,
      gateway: `${server.url}/`,
      replay,
      prefix: address.spelling === 'pretty' ? address.prefix : 'index.php?rest_route=',
      authorization:
        credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`,
      seed: Number(flags.seed),
      from: Number(flags.from),
      count: Number(flags.count),
      parallel: Number(flags.parallel),
      bodyless: flags.bodyless,
      aim: flags.aim,
      namespaces: flags.namespace,
    });
  if (flags.again) await send();
  const findings = await send();
  const summary = summarize(findings);
  process.stdout.write(
    flags.json ? `${JSON.stringify(findings, null, 2)}\n` : describe(summary, Number(flags.limit)),
  );
  process.exitCode = summary.wrong.length + summary.changed.length > 0 ? 1 : 0;
} finally {
  await server.stop();
  await replay.close();
}
