/** The app that serve.ts and node-server.ts run. */
import { createApp } from './app.ts';

const { BLOG_URL = '', SHOP_TOKEN = '', SHOP_URL = '' } = process.env;
export const { app, gateway }: Awaited<ReturnType<typeof createApp>> = await createApp(
  SHOP_URL,
  BLOG_URL,
  SHOP_TOKEN,
);
export default app;
