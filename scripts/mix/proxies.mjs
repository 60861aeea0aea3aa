// @ts-check
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, isInstalled } from '../bench/processes.mjs';

/** Of waygate.php and its gateway. */
const SECRET = 'the-secret-of-the-mix';

/** @typedef {{ readonly origin: string, readonly stop: () => Promise<void> }} Proxy */

/**
 * Starts a server, and waits until it responds.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} origin
 * @param {string} path that responds once it is ready
 * @returns {Promise<Proxy>}
 * @throws {Error} if it exits or does not respond within 30 s (the message quotes its standard error)
 */
async function startProcess(command, args, origin, path) {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk) => {
    output = (output + chunk).slice(-4_000);
  });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  process.once('exit', () => child.kill());
  for (let attempt = 0; ; attempt += 1) {
    const response = await fetch(origin + path, { redirect: 'manual' }).catch(() => null);
    await response?.body?.cancel();
    if (response !== null && response.status < 500) break;
    if (attempt > 150 || child.exitCode !== null) throw new Error(`${command} did not start: ${output}`);
    await sleep(200);
  }
  return {
    origin,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** @param {Headers} headers */
const isWaygateHit = (headers) => /^waygate; hit/.test(headers.get('cache-status') ?? '');

/**
 * Starts a built waygate.
 *
 * @param {string} site
 * @param {string} folder
 * @param {string} checkout
 * @param {object} cache configuration
 * @param {string} [web] folder of WordPress, to install waygate.php there
 */
async function startWaygate(site, folder, checkout, cache, web) {
  const port = await freePort();
  const config = join(folder, 'waygate.json');
  const origin = `http://127.0.0.1:${port}`;
  const sites = [{ url: site, passthrough: true, cache }];
  writeFileSync(config, JSON.stringify({ port, publicUrl: origin, sites }));
  const main = join(checkout, 'dist/cli/main.js');
  if (web !== undefined) {
    const plugin = readFileSync(join(checkout, 'src/cli/plugin/waygate.php'), 'utf8').replace(
      "define( 'WAYGATE_SITES', array() );",
      `define( 'WAYGATE_SITES', [[ 'homes' => ['${site}'], 'secret' => '${SECRET}', 'urls' => ['${origin}/-/webhook/default'] ]] );`,
    );
    const plugins = join(web, 'wp-content/mu-plugins');
    mkdirSync(plugins, { recursive: true });
    writeFileSync(join(plugins, 'waygate.php'), plugin);
  }
  return startProcess(process.execPath, [main, 'serve', '--config', config], origin, '/-/ready');
}

/**
 * The proxies. Each forwards everything to the site, and is as it comes but for the lifetime of what it stores.
 *
 * `site` is an origin, `folder` an empty folder, `lifetime` in seconds, `checkout` the folder of a built waygate,
 * `web` the folder of WordPress.
 *
 * @type {Readonly<Record<'waygate' | 'waygate-plugin' | 'nginx' | 'varnish', {
 *   isAvailable(): boolean,
 *   start(site: string, folder: string, lifetime: number, checkout: string, web: string): Promise<Proxy>,
 *   isHit(headers: Headers): boolean,
 * }>>}
 */
export const PROXIES = {
  waygate: {
    isAvailable: () => true,
    start: (site, folder, lifetime, checkout) =>
      startWaygate(site, folder, checkout, {
        pages: `${lifetime}s`,
        // As the other proxies: the default of the REST API is 30 s.
        rules: [{ match: ['/wp/v2/*', '/wc/store/*'], ttl: `${lifetime}s` }],
      }),
    isHit: isWaygateHit,
  },
  'waygate-plugin': {
    isAvailable: () => true,
    start: (site, folder, lifetime, checkout, web) =>
      startWaygate(site, folder, checkout, { pages: `${lifetime}s`, webhook: SECRET }, web),
    isHit: isWaygateHit,
  },
  nginx: {
    isAvailable: () => isInstalled('nginx'),
    async start(site, folder, lifetime) {
      const port = await freePort();
      const config = join(folder, 'nginx.conf');
      const { host } = new URL(site);
      writeFileSync(
        config,
        `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log; user root;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/temp; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  proxy_cache_path ${folder}/cache keys_zone=site:10m;
  server {
    listen 127.0.0.1:${port};
    location = /-/ready { return 204; }
    location / {
      proxy_pass http://${host};
      proxy_set_header Host ${host};
      proxy_cache site;
      proxy_cache_valid 200 ${lifetime}s;
      proxy_cache_bypass $http_authorization $http_cookie;
      proxy_no_cache $http_authorization $http_cookie;
      add_header X-Cache $upstream_cache_status;
    }
  }
}
`,
      );
      return startProcess('nginx', ['-c', config], `http://127.0.0.1:${port}`, '/-/ready');
    },
    isHit: (headers) => headers.get('x-cache') === 'HIT',
  },
  varnish: {
    isAvailable: () => isInstalled('varnishd'),
    async start(site, folder, lifetime) {
      const port = await freePort();
      const { host, hostname, port: sitePort } = new URL(site);
      const config = join(folder, 'site.vcl');
      writeFileSync(
        config,
        `vcl 4.1;
backend site { .host = "${hostname}"; .port = "${sitePort}"; }
sub vcl_recv {
  if (req.url == "/-/ready") { return (synth(204)); }
  set req.http.host = "${host}";
}
sub vcl_backend_response { set beresp.ttl = ${lifetime}s; }
sub vcl_deliver { set resp.http.X-Hits = obj.hits; }
`,
      );
      const work = join(folder, 'varnish');
      mkdirSync(work);
      const args = [
        '-F',
        '-j',
        'none',
        '-a',
        `127.0.0.1:${port}`,
        '-f',
        config,
        '-n',
        work,
        '-s',
        'malloc,64m',
      ];
      return startProcess('varnishd', args, `http://127.0.0.1:${port}`, '/-/ready');
    },
    isHit: (headers) => Number(headers.get('x-hits') ?? 0) > 0,
  },
};
