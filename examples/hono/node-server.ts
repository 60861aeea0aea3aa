/** The app on Node with the server of Hono alone. */
import { type ServerType, serve } from '@hono/node-server';
import app from './fetch.ts';

export const server: ServerType = serve({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 8080) });
