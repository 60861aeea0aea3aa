import { defineConfig } from 'waygate';

export default defineConfig({
  sites: [{ url: process.env['SITE_URL'], out: 'api', name: 'site', client: true }],
});
