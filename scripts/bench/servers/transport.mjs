// waygate's own header filters and dispatch transport without the gateway around them: what the rest has to live within.
import http from 'node:http';
import { announce, option } from './shared.mjs';

const built = new URL('../../../dist/upstream/', import.meta.url);
const { dispatchTransport } = await import(new URL('dispatch.js', built).href);
const { readFields } = await import(new URL('headers.js', built).href);
const { answerHeaders } = await import(new URL('answer.js', built).href);
const { siteBases } = await import(new URL('bases.js', built).href);

const site = option('site');
const transport = dispatchTransport({ origin: site });
const forwarding = { host: new URL(site).host, mount: '', identity: false };
const bases = siteBases([{ url: site }]);
let count = 0;

announce(
  http.createServer((request, response) => {
    const { httpVersion, rawHeaders, socket } = request;
    const fields = readFields(
      { headers: rawHeaders, httpVersion, peer: socket.remoteAddress ?? '', protocol: 'http' },
      () => false,
    );
    if (fields.kind === 'refused') return response.writeHead(400).end();
    const { client, framing } = fields;
    const headers = fields.toSite(forwarding, `r${count++}`);
    const rewriting = { bases, publicBase: `${client.protocol}://${client.host}`, bodies: false };
    const exchange = transport.send(
      {
        method: request.method,
        target: request.url,
        headers,
        body: framing.kind === 'none' ? null : request,
        repeatable: request.method === 'GET',
      },
      {
        /** @param {import('../../../src/upstream/exchange.ts').AnswerHead} head */
        head(head) {
          response.writeHead(head.status, head.reason, answerHeaders(head, rewriting).headers);
        },
        /** @param {Uint8Array} chunk */
        write(chunk) {
          if (response.write(chunk)) return true;
          response.once('drain', () => exchange.resume());
          return false;
        },
        end: () => response.end(),
        fail: () => (response.headersSent ? response.destroy() : response.writeHead(502).end()),
      },
    );
    response.once('close', () => exchange.abort());
  }),
);
