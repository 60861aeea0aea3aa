import proxy from '@fastify/http-proxy';
import Fastify from 'fastify';
import { announce, option } from './shared.mjs';

const app = Fastify();
await app.register(proxy, { upstream: option('site'), undici: { connections: 256 } });
await app.ready();
announce(app.server);
