/** The app for any platform with `fetch`: `export default` is what Bun, Deno and Workers run. */
import { createApp } from './app.ts';

const { BLOG_URL = '', SHOP_TOKEN = '', SHOP_URL = '' } = process.env;
const app: ReturnType<typeof createApp> = createApp(SHOP_URL, BLOG_URL, SHOP_TOKEN);
export default app;
