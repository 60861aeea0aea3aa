export type { ListenerOptions } from './listener.ts';
export { type RunningServer, type ServeOptions, serve } from './server.ts';
export { stateFolder } from './state-folder.ts';
export { nodeTransport } from './transport.ts';
