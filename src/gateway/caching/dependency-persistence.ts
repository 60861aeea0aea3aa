import type { DependencyLearning } from '../../cache/dependencies/dependency-learning.ts';
import {
  restoreDependencies,
  serializeDependencies,
} from '../../cache/dependencies/serialize-dependencies.ts';
import type { StateStore } from '../../ports.ts';
import {
  createStatePersistence,
  type StatePersistence,
  type StatePersistenceOptions,
} from '../options/state-persistence.ts';

/** Milliseconds between a change and the write, which includes all changes of that time. */
const WRITE_DELAY = 10_000;

/** Options of {@link createDependencyPersistenceFactory}. */
export interface DependencyPersistenceOptions
  extends Pick<StatePersistenceOptions, 'stateName' | 'clock' | 'log'> {
  /** URL of the site. State of another site is not loaded. */
  readonly siteUrl: string;
}

/** Creates a factory of persistences in a store; `null` without a store. */
export function createDependencyPersistenceFactory(
  store: StateStore | undefined,
  { siteUrl, ...options }: DependencyPersistenceOptions,
): ((learning: DependencyLearning) => StatePersistence) | null {
  if (store === undefined) return null;
  return (learning) =>
    createStatePersistence({
      ...options,
      store,
      description: 'evidence about dependencies',
      writeDelay: WRITE_DELAY,
      serialize: () => serializeDependencies(siteUrl, learning),
      restore: (text) => restoreDependencies(text, siteUrl, learning),
    });
}
