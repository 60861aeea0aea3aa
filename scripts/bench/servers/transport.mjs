// waygate's header filters and dispatch transport without the gateway: the upper bound of its throughput.
import http from 'node:http';
import { importerOf } from '../../build/modules.mjs';
import { announce, option } from './shared.mjs';

const importModule = await importerOf();
const { createDispatchTransport } = await importModule('upstream/dispatch-transport');
const { readRequestHeaders } = await importModule('upstream/request-headers');
const { toClientHeaders } = await importModule('upstream/response-headers');
const { createSiteUrls } = await importModule('upstream/site-urls');

const site = option('site');
const transport = createDispatchTransport({ origin: site });
const upstreamOptions = { host: new URL(site).host, mountPath: '', requestsIdentity: false };
const siteUrls = createSiteUrls([{ url: site }]);
let count = 0;

announce(
  http.createServer((request, response) => {
    const { httpVersion, rawHeaders, socket } = request;
    const fields = readRequestHeaders(
      { headers: rawHeaders, httpVersion, peerAddress: socket.remoteAddress ?? '', protocol: 'http' },
      () => false,
    );
    if (fields.kind === 'refused') return response.writeHead(400).end();
    const { client, framing } = fields;
    const headers = fields.toUpstreamHeaders(upstreamOptions, `r${count++}`);
    const rewriting = { siteUrls, publicBase: `${client.protocol}://${client.host}`, rewriteBodies: false };
    const exchange = transport.send(
      {
        method: request.method,
        target: request.url,
        headers,
        body: framing.kind === 'none' ? null : request,
        retryable: request.method === 'GET',
      },
      {
        /** @param {import('../../../src/http/exchange.ts').ResponseHead} head */
        head(head) {
          response.writeHead(head.status, head.reason, toClientHeaders(head, rewriting).headers);
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
