import { Agent, setGlobalDispatcher } from 'undici';

/** A client that keeps idle connections open makes each server that stops wait for requests on their way (`idleGrace`). */
setGlobalDispatcher(new Agent({ keepAliveTimeout: 1, keepAliveMaxTimeout: 1 }));
