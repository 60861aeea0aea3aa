import { Hono } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import { timing } from 'hono/timing';
import { createGateway } from 'waygate';

/** An app with a route of its own, and two gateways: one for those who have a token, and one for everyone. */
export async function createApp(shop: string, blog: string, token: string): Promise<Hono> {
  const app = new Hono();
  app.use(timing());
  app.use('/shop/*', bearerAuth({ token }));
  app.get('/hello', (call) => call.text('hello'));
  app.route('/shop', (await createGateway({ sites: [{ url: shop }] })).app);
  app.route('/blog', (await createGateway({ sites: [{ url: blog }] })).app);
  return app;
}
