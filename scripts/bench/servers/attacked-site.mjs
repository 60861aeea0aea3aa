// The site of attacked.mjs, in a process of its own. It sends its URL to its parent.
import http from 'node:http';

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
site.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${site.address().port}`));
process.on('disconnect', () => process.exit(0));
