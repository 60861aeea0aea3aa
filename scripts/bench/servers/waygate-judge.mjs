// Hono behind the gateway's judge, which answers from memory what it finds valid: the router, the reading and the judge
// of requests, without the site and the rest of the gateway.
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { built, recordedDocument } from './recorded.mjs';
import { announce, answerBody } from './shared.mjs';

const { createSnapshot } = await built('gateway/snapshot.js');
const { NO_BODY, pathValues, planReading, readQuery } = await built('validation/request/index.js');

const snapshot = createSnapshot(await recordedDocument(), { mount: '', passthrough: false });
const body = answerBody();
const headers = { 'Content-Type': 'application/json; charset=UTF-8', 'Content-Length': String(body.length) };

const app = new Hono();
app.all('*', async (c) => {
  const { method, url: target, rawHeaders } = c.env.incoming;
  const { match, target: meant } = snapshot.read({ method, target, headers: rawHeaders });
  if (match?.kind !== 'found') return c.json({ code: 'rest_no_route' }, 404);
  const reading = planReading({
    sent: method,
    method: meant.method,
    contentType: c.req.header('content-type') ?? null,
  });
  const values = reading.kind === 'whole' ? reading.read(new Uint8Array(await c.req.arrayBuffer())) : NO_BODY;
  if (values.kind === 'refused') return c.json(values, values.status);
  const verdict = snapshot.judges.of(match.operation).judge({
    json: values.json,
    form: values.form,
    query: readQuery(meant.query),
    path: pathValues(match.params),
  });
  if (verdict.kind === 'refused') return c.json(verdict, verdict.status);
  return c.body(body, method === 'POST' ? 201 : 200, headers);
});

announce(createAdaptorServer({ fetch: app.fetch }));
