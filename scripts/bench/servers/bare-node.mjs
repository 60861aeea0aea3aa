import http from 'node:http';
import { announce, createResponseBody } from './shared.mjs';

const body = createResponseBody();
const headers = ['Content-Type', 'application/json; charset=UTF-8', 'Content-Length', String(body.length)];

announce(
  http.createServer((request, response) => {
    request.on('end', () => {
      response.writeHead(200, headers);
      response.end(body);
    });
    request.resume();
  }),
);
