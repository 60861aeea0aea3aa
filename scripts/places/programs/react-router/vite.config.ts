import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';
import { waygate } from 'waygate/vite';

export default defineConfig({
  plugins: [reactRouter(), waygate()],
  // React Router empties modules named `.client` on the server, unless their name goes on.
  resolve: { alias: [{ find: /(.*\/site\.client\.ts)$/, replacement: '$1?all' }] },
});
