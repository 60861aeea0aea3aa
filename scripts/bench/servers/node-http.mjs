// node:http that responds from memory with the header fields of a cache hit: the floor of every server on node:http.
import { createServer } from 'node:http';
import { createResponseBody, listen } from './shared.mjs';

const body = createResponseBody();
const fields = [
  ...['Server', 'stub', 'Content-Type', 'application/json; charset=UTF-8'],
  ...['X-Content-Type-Options', 'nosniff', 'Allow', 'GET, POST', 'Cache-Control', 'max-age=3600'],
  ...['Content-Length', String(body.length), 'Vary', 'Origin, Accept-Encoding', 'Age', '1'],
  ...['Cache-Status', 'waygate; hit; ttl=3598', 'X-Request-Id', 'a1b2c3-4'],
];

listen(createServer((_, response) => response.writeHead(200, fields).end(body)));
