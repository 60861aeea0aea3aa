import type { StateStore } from '../../src/base/ports.ts';

/** A store of states in memory. @param texts its content, by name */
export function createMemoryState(texts: Map<string, string> = new Map()): StateStore {
  return {
    read: async (name) => texts.get(name) ?? null,
    write: async (name, text) => void texts.set(name, text),
  };
}
