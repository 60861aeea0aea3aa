import type { Hono } from 'hono';

/** An app that contains a gateway: its own, or a Hono app in which it is mounted. The package has the declarations of this file. */
export interface ServedApp extends Pick<Hono, 'router' | 'routes'> {
  fetch(request: Request, environment: object): Response | Promise<Response>;
  getPath(request: Request): string;
}
