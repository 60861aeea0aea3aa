// Hono that responds from memory with the header fields of a cache hit.
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { createResponseBody, HIT_FIELDS, listen } from './shared.mjs';

const body = createResponseBody();
const headers = { ...Object.fromEntries(HIT_FIELDS), 'Content-Length': String(body.length) };

const app = new Hono();
if (process.argv.includes('--middleware')) {
  app.use(async (c, next) => {
    await next();
    c.header('X-App', '1');
  });
}
app.get('*', (c) => c.body(body, 200, headers));
app.post('*', async (c) => {
  await c.req.arrayBuffer();
  return c.body(body, 201, headers);
});

listen(createAdaptorServer({ fetch: app.fetch }));
