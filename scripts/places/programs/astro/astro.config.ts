import node from '@astrojs/node';
import { defineConfig } from 'astro/config';
import { waygate } from 'waygate/vite';

export default defineConfig({
  output: 'server',
  adapter: node({ mode: 'standalone' }),
  vite: { plugins: [waygate()] },
});
