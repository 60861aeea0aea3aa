// A Hono server that validates requests with the gateway's router, body parser and request validators, and responds to
// valid ones from memory. The site and the rest of the gateway are not involved.
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { importModule, recordedDocument } from './recorded.mjs';
import { announce, createResponseBody } from './shared.mjs';

const { createSnapshot } = await importModule('gateway/snapshot/snapshot');
const { NO_BODY_PARAMETERS, parseQueryParameters, planBody, toPathParameters } =
  await importModule('validation/request/index');

const snapshot = createSnapshot(await recordedDocument(), { mount: '', passthrough: false });
const body = createResponseBody();
const headers = { 'Content-Type': 'application/json; charset=UTF-8', 'Content-Length': String(body.length) };

const app = new Hono();
app.all('*', async (c) => {
  const { method, url: target, rawHeaders } = c.env.incoming;
  const { match, target: resolved } = snapshot.resolveRequest({ method, target, headers: rawHeaders });
  if (match?.kind !== 'found') return c.json({ code: 'rest_no_route' }, 404);
  const plan = planBody({
    requestMethod: method,
    method: resolved.method,
    contentType: c.req.header('content-type') ?? null,
  });
  const bodyParameters =
    plan.kind === 'buffered' ? plan.parse(new Uint8Array(await c.req.arrayBuffer())) : NO_BODY_PARAMETERS;
  if (bodyParameters.kind === 'invalid') return c.json(bodyParameters, bodyParameters.status);
  const result = snapshot.requestValidators.get(match.operation).validate({
    json: bodyParameters.json,
    form: bodyParameters.form,
    query: parseQueryParameters(resolved.query),
    path: toPathParameters(match.params),
  });
  if (result.kind === 'invalid') return c.json(result, result.status);
  return c.body(body, method === 'POST' ? 201 : 200, headers);
});

announce(createAdaptorServer({ fetch: app.fetch }));
