import adapter from '@sveltejs/adapter-node';
import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';
import { waygate } from 'waygate/vite';

export default defineConfig({ plugins: [sveltekit({ adapter: adapter() }), waygate()] });
