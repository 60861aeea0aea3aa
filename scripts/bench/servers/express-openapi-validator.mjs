// Express behind express-openapi-validator. It responds to valid requests from memory.
import { createServer } from 'node:http';
import express from 'express';
import * as openApiValidator from 'express-openapi-validator';
import { recordedDocument } from './recorded.mjs';
import { announce, createResponseBody } from './shared.mjs';

const body = createResponseBody();
const document = await recordedDocument();
// The validator accepts the whole document, although it does not know the format `ip`.
const apiSpec = { ...document, servers: [{ url: '/wp-json' }] };

const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.use(express.json());
app.use(express.urlencoded({ extended: true }));
app.use(
  openApiValidator.middleware({
    apiSpec,
    validateApiSpec: false,
    validateSecurity: false,
    validateResponses: false,
  }),
);
app.use((request, response) => {
  response.writeHead(request.method === 'POST' ? 201 : 200, {
    'Content-Type': 'application/json; charset=UTF-8',
    'Content-Length': body.length,
  });
  response.end(body);
});
app.use((error, _request, response, _next) => {
  if (process.env['VERBOSE']) process.stderr.write(`${error.stack}\n`);
  response.status(error.status ?? 500).json({ message: error.message, errors: error.errors });
});

announce(createServer(app));
