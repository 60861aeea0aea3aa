import { Hono } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import { timing } from 'hono/timing';
import { createGateway, type Gateway } from 'waygate';

interface App {
  readonly app: Hono;
  readonly gateway: Gateway;
}

/** An app with a route of its own, and a gateway of two sites: one for those who have a token, and one for everyone. */
export async function createApp(shop: string, blog: string, token: string): Promise<App> {
  const sites = Object.entries({ shop, blog }).map(([name, url]) => ({ name, url }));
  const gateway = await createGateway({ sites });
  const app = new Hono();
  app.use(timing());
  app.use('/shop/*', bearerAuth({ token }));
  app.get('/hello', (call) => call.text('hello'));
  app.route('/', gateway.app);
  return { app, gateway };
}
