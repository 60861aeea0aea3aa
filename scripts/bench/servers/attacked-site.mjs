// The site of attacked.mjs, in a process of its own. It sends its URL to its parent.
import http from 'node:http';
import { shop } from '../shop.mjs';

const LENGTH = 7_000_000;
/** Of the nonces in a body, fewer than the gateway looks at. */
const NONCES = 900;
const filler = 'It does not say that word. '.repeat(LENGTH / NONCES / 27);
const often = (/** @type {string} */ word) => `${word} ${filler}`.repeat(NONCES);

/** Content type and body by path below `/wp-json/t/v1`, or of a page. @type {Record<string, () => readonly [string, string]>} */
const BODIES = {
  '/wp-json/t/v1/items': () => ['application/json', '[]'],
  '/wp-json/t/v1/list': () => ['application/json', JSON.stringify(Array(39_000).fill('not a number'))],
  '/wp-json/t/v1/nonces': () => ['application/json', JSON.stringify({ text: often('nonce') })],
  '/wp-json/t/v1/ids': () => ['application/json', `[${'{"id":1234},'.repeat(LENGTH / 12)}1]`],
  '/script': () => ['text/html', `<script>/* ${often('nonce')} */</script>`],
};

const args = {
  title: { type: 'string', required: false },
  date: { type: 'string', format: 'date-time', required: false },
  slug: { type: 'string', pattern: '^(a|aa)+$', required: false },
  ids: { type: 'array', items: { type: 'integer' }, required: false },
  meta: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } }, required: false },
};
const schema = { title: 'number', type: 'integer' };
const get = { namespace: 't/v1', methods: ['GET'], endpoints: [{ methods: ['GET'], args: {} }] };
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
    '/t/v1/list': { ...get, schema },
    '/t/v1/nonces': get,
    '/t/v1/ids': get,
  },
});

/** Routes that make an index of 40 MB, once `/grow` was requested. A larger share of it would be refused as a document. */
let large = '';
const grow = () => {
  const routes = Object.entries(shop(10_100).routes).map(([pattern, route]) => [
    pattern,
    { ...route, _links: { alternate: [route, route] } },
  ]);
  return `,${JSON.stringify(Object.fromEntries(routes)).slice(1, -1)}`;
};

const site = http.createServer((request, response) => {
  const origin = `http://${request.headers.host}`;
  request.resume().on('end', () => {
    const { pathname } = new URL(request.url ?? '', origin);
    if (pathname === '/grow') large = grow();
    const isIndex = /^\/wp-json\/?$/.test(pathname);
    const [type, body] = isIndex
      ? ['application/json', `${JSON.stringify(index(origin)).slice(0, -2)}${large}}}`]
      : (BODIES[pathname] ?? BODIES['/wp-json/t/v1/items'])();
    response.setHeader('content-type', type);
    response.setHeader('link', `<${origin}/wp-json/>; rel="https://api.w.org/"`);
    response.end(body);
  });
});
site.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${site.address().port}`));
process.on('disconnect', () => process.exit(0));
