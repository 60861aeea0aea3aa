// A gateway that profiles itself between two signals, for flame.mjs.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { pathToFileURL } from 'node:url';
import { option } from './shared.mjs';

const modules = pathToFileURL(`${option('modules')}/`).href;
const { createGateway } = await import(`${modules}index.js`);
const { nodeDecode, nodeEncoders, serve } = await import(`${modules}node/index.js`);

const gateway = createGateway({
  cache: 'memory',
  decode: nodeDecode,
  encoders: nodeEncoders(),
  sites: [{ url: `${option('site')}/`, validation: { mode: 'enforce' } }],
});
/** The last line of the access log. */
let line = '';
await serve(gateway, {
  port: Number(option('port')),
  access: (entry) => {
    line = `${JSON.stringify(entry)}\n`;
  },
});

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.setSamplingInterval', { interval: 200 });
process.once('SIGUSR2', async () => {
  process.once('SIGUSR2', async () => {
    const { profile } = await session.post('Profiler.stop');
    if (line !== '') writeFileSync(option('profile'), JSON.stringify(profile));
  });
  await session.post('Profiler.start');
  writeFileSync(option('profile'), 'started');
});
