import { setFlagsFromString } from 'node:v8';

/**
 * V8 11 (Node 20) optimizes functions by the bytes of their bytecode, so that it compiles much that only the
 * start runs. Later versions count calls.
 */
const isEager = process.versions.v8.startsWith('11.');

/**
 * Lets V8 optimize only what runs ten times as often. Called before the modules that do the work are loaded.
 */
export function delayOptimization(): void {
  if (!isEager) return;
  setFlagsFromString('--ticks-before-optimization=30');
  setFlagsFromString('--max-bytecode-size-for-early-opt=0');
  // undici parses responses in WebAssembly. Node 22 has this default.
  setFlagsFromString('--wasm-tiering-budget=13000000');
}

/** Returns to the defaults of V8 11. */
export function optimizeAsUsual(): void {
  if (!isEager) return;
  setFlagsFromString('--ticks-before-optimization=3');
  setFlagsFromString('--max-bytecode-size-for-early-opt=81');
}
