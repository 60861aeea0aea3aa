// The parts of undici that src/upstream/ uses, and its global dispatcher. The bundle contains this in place of the whole of
// undici, of which three fifths implement `fetch`, WebSocket, interceptors and mocks.
import 'undici/lib/global.js';

export { default as errors } from 'undici/lib/core/errors.js';
export { default as Client } from 'undici/lib/dispatcher/client.js';
export { default as Pool } from 'undici/lib/dispatcher/pool.js';
