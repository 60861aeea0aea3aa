import type { TestProject } from 'vitest/node';
import { startWordPress } from '../../scripts/wordpress/start.mjs';

/** `globalSetup` of suites that need a real site. Starts one site for the run; `useWordPress()` provides it to tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { stop, ...facts } = await startWordPress();
  project.provide('wordpress', facts);
  return stop;
}
