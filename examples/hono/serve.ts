/** The app on Node with the server of waygate: its transport, the access log and an orderly stop. */
import { type RunningServer, serve } from 'waygate/node';
import { app, gateway } from './fetch.ts';

export const server: RunningServer = await serve({ gateway, app, port: Number(process.env['PORT'] ?? 8080) });
