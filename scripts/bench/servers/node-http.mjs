// node:http that responds from memory with the header fields of a cache hit: the floor of every server on node:http.
import { createServer } from 'node:http';
import { createResponseBody, HIT_FIELDS, listen } from './shared.mjs';

const body = createResponseBody();
const fields = [...HIT_FIELDS.flat(), 'Content-Length', String(body.length)];

listen(createServer((_, response) => response.writeHead(200, fields).end(body)));
