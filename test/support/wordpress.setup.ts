import type { TestProject } from 'vitest/node';
import { startWordPress } from '../../scripts/wordpress/start.mjs';

/** `globalSetup` of the suites that need a real site: one for the whole run, given to tests by `useWordPress()`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { stop, ...facts } = await startWordPress();
  project.provide('wordpress', facts);
  return stop;
}
