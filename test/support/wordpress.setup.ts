import type { TestProject } from 'vitest/node';
import { startWordPress, type WordPress } from '../../scripts/wordpress/start.mjs';
import { startServer } from './server.ts';

/** `globalSetup` of suites that need a real site. Starts one site for the run when the first file asks for it: `useWordPress()`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let site: Promise<WordPress> | undefined;
  const { close, origin } = await startServer((_, response) => {
    site ??= startWordPress();
    site.then(
      ({ stop: _stop, ...facts }) => response.end(JSON.stringify(facts)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  project.provide('wordpress', origin);
  return async () => {
    await (await site?.catch(() => undefined))?.stop();
    await close();
  };
}
