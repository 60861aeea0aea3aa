import { createClient, retry } from './site.client';

export const site = createClient({
  baseUrl: process.env['SITE_URL'] ?? 'http://127.0.0.1:8080/wp-json',
  throw: true,
  retries: retry(2),
  init: { next: { revalidate: 300 } },
});
