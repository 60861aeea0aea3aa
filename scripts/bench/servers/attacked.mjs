// A gateway under enforce in front of a site with one route, for attacks.mjs: node attacked.mjs <dist>. It reports the
// longest time that its event loop was blocked, and its memory, on each message of its parent.
import http from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';

const dist = pathToFileURL(`${process.argv[2]}/`).href;
const { createGateway } = await import(`${dist}index.js`);
const { nodeDecode, serve } = await import(`${dist}node/index.js`);

const args = {
  title: { type: 'string', required: false },
  slug: { type: 'string', pattern: '^(a|aa)+$', required: false },
  ids: { type: 'array', items: { type: 'integer' }, required: false },
  meta: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } }, required: false },
};
const index = (origin) => ({
  name: 'attacked',
  url: origin,
  home: origin,
  namespaces: ['t/v1'],
  authentication: [],
  routes: {
    '/t/v1/items': {
      namespace: 't/v1',
      methods: ['GET', 'POST'],
      endpoints: [
        { methods: ['GET'], args: {} },
        { methods: ['POST'], args },
      ],
    },
  },
});

const site = http.createServer((request, response) => {
  const origin = `http://${request.headers.host}`;
  request.resume().on('end', () => {
    response.setHeader('content-type', 'application/json');
    response.setHeader('link', `<${origin}/wp-json/>; rel="https://api.w.org/"`);
    const isIndex = /^\/wp-json\/?(?:\?|$)/.test(request.url ?? '');
    response.end(JSON.stringify(isIndex ? index(origin) : []));
  });
});
await new Promise((resolve) => site.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${site.address().port}`;
const gateway = createGateway({
  cache: 'memory',
  decode: nodeDecode,
  sites: [{ url, validation: { mode: 'enforce' }, cache: {} }],
});
await gateway.rediscover();
const server = await serve(gateway, { port: 0 });

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.on('message', () => {
  process.send?.({ delay: delay.max / 1e6, rss: process.memoryUsage().rss / 1e6 });
  delay.reset();
});
process.send?.({ port: Number(new URL(server.url).port), rss: process.memoryUsage().rss / 1e6 });
