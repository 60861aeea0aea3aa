import { waygate } from 'waygate/vite';

export default defineNuxtConfig({
  compatibilityDate: '2026-10-01',
  runtimeConfig: { public: { restRoot: '/wp-json' } },
  devtools: { enabled: false },
  // The root of Vite is `app`.
  vite: { plugins: [waygate({ config: '../waygate.config.ts' })] },
});
