import { Hono } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import { timing } from 'hono/timing';
import { createGateway } from 'waygate';

/** An app with a route of its own, and two gateways: one for those who have a token, and one for everyone. */
export function createApp(shop: string, blog: string, token: string): Hono {
  const app = new Hono();
  app.use(timing());
  app.use('/shop/*', bearerAuth({ token }));
  app.get('/hello', (call) => call.text('hello'));
  app.route('/shop', createGateway({ sites: [{ url: shop }], cache: 'memory' }));
  app.route('/blog', createGateway({ sites: [{ url: blog }], cache: 'memory' }));
  return app;
}
