import { setFlagsFromString } from 'node:v8';

/**
 * V8 11, of Node 20, optimizes a function after 200 KB of its bytecode, and WebAssembly after 1.8 MB. To read a site runs each function
 * that often, and then no more: the compiler takes a third of the CPU time of such a start, and half of that of `generate`. Later
 * versions of V8 count calls, and need no other values.
 */
const isEager = process.versions.v8.startsWith('11.');

/** Lets V8 optimize nothing but what runs ten times as often. Called before the modules are loaded that do the work. */
export function delayOptimization(): void {
  if (!isEager) return;
  setFlagsFromString('--ticks-before-optimization=30');
  setFlagsFromString('--max-bytecode-size-for-early-opt=0');
  // undici parses responses in WebAssembly. This is the default of Node 22.
  setFlagsFromString('--wasm-tiering-budget=13000000');
}

/** Returns to the defaults of V8 11, before requests are served for long. */
export function optimizeAsUsual(): void {
  if (!isEager) return;
  setFlagsFromString('--ticks-before-optimization=3');
  setFlagsFromString('--max-bytecode-size-for-early-opt=81');
}
