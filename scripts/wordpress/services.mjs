// @ts-check
import { spawn } from 'node:child_process';
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fpmBinary } from './packages.mjs';

/** @typedef {{ name: string, child: import('node:child_process').ChildProcess, ended: Promise<void> }} Service */

/**
 * Returns the command that runs `argv` without root privileges. `pdeathsig` stops a server even if this process is killed.
 *
 * @param {readonly string[]} argv
 * @returns {string[]}
 */
export function unprivileged(argv) {
  const user = process.getuid?.() === 0 ? ['--reuid=www-data', '--regid=www-data', '--clear-groups'] : [];
  return ['setpriv', ...user, '--pdeathsig=TERM', '--', ...argv];
}

/**
 * Starts a server as a child process that logs to `<folder>/<name>.log`.
 *
 * @param {string} name
 * @param {string} folder
 * @param {readonly string[]} argv
 * @returns {Service}
 */
function startService(name, folder, argv) {
  const [command = '', ...args] = unprivileged(argv);
  const log = createWriteStream(join(folder, `${name}.log`));
  // Its own process group: Ctrl-C in a terminal signals this process only, which stops the servers in order.
  const child = spawn(command, args, { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout?.pipe(log);
  child.stderr?.pipe(log);
  return { name, child, ended: new Promise((done) => child.once('close', () => done())) };
}

/**
 * Waits until `check` returns true. Rejects with the end of the service's log if the service exits or takes over 30 s.
 *
 * @param {Service} service
 * @param {string} folder
 * @param {() => boolean | Promise<boolean>} check
 */
async function waitUntilReady(service, folder, check) {
  const deadline = Date.now() + 30_000;
  while (!(await check())) {
    const ended = service.child.exitCode !== null || service.child.signalCode !== null;
    if (ended || Date.now() > deadline) {
      const log = readFileSync(join(folder, `${service.name}.log`), 'utf8').slice(-2000);
      throw new Error(`${service.name} ${ended ? 'exited' : 'was not ready in time'}:\n${log}`);
    }
    await sleep(20);
  }
}

/** Whether a server listens on a socket. The file of the socket is there a moment before. @param {string} path */
function isListening(path) {
  return new Promise((resolve) => {
    const connection = createConnection(path);
    connection.once('error', () => resolve(false));
    connection.once('connect', () => {
      connection.destroy();
      resolve(true);
    });
  });
}

/** Stops a service with SIGTERM, after ten seconds with SIGKILL. @param {Service} service */
export async function stopService({ child, ended }) {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await ended;
  clearTimeout(timer);
}

/** Starts a database server that is reachable through a socket in the folder only. @param {string} folder */
export async function startDatabase(folder) {
  const socket = join(folder, 'db.sock');
  const service = startService('mariadb', folder, [
    '/usr/sbin/mariadbd',
    '--no-defaults',
    `--datadir=${join(folder, 'db')}`,
    `--tmpdir=${join(folder, 'tmp')}`,
    `--socket=${socket}`,
    `--pid-file=${join(folder, 'mariadb.pid')}`,
    '--skip-networking',
    '--performance-schema=off',
    '--innodb-buffer-pool-size=64M',
    '--innodb-log-file-size=8M',
    // Requests repeat most of their queries: the database takes a third of the time.
    '--query-cache-type=1',
    '--query-cache-size=16M',
    // Test data needs no durability.
    '--innodb-flush-log-at-trx-commit=0',
    '--skip-innodb-doublewrite',
  ]);
  await waitUntilReady(service, folder, () => isListening(socket));
  return service;
}

/** Starts PHP-FPM. @param {string} folder @param {number} workers number of PHP processes */
export async function startPhp(folder, workers) {
  const socket = join(folder, 'php.sock');
  const config = join(folder, 'php-fpm.conf');
  writeFileSync(
    config,
    `[global]
daemonize = no
error_log = ${join(folder, 'php-fpm.error.log')}
[waygate]
listen = ${socket}
pm = static
pm.max_children = ${workers}
catch_workers_output = yes
php_admin_value[memory_limit] = 256M
php_admin_value[upload_max_filesize] = 64M
php_admin_value[post_max_size] = 64M
php_admin_value[upload_tmp_dir] = ${join(folder, 'tmp')}
php_admin_value[sys_temp_dir] = ${join(folder, 'tmp')}
php_admin_value[sendmail_path] = /bin/true
php_admin_value[opcache.revalidate_freq] = 0
`,
  );
  const binary = fpmBinary();
  if (binary === undefined) throw new Error('php-fpm is not installed');
  const service = startService('php-fpm', folder, [binary, '--nodaemonize', '--fpm-config', config]);
  await waitUntilReady(service, folder, () => isListening(socket));
  return service;
}

/** FastCGI parameters that nginx passes to PHP. */
const FASTCGI = {
  SCRIPT_FILENAME: '$document_root$fastcgi_script_name',
  SCRIPT_NAME: '$fastcgi_script_name',
  DOCUMENT_ROOT: '$document_root',
  QUERY_STRING: '$query_string',
  REQUEST_METHOD: '$request_method',
  REQUEST_URI: '$request_uri',
  CONTENT_TYPE: '$content_type',
  CONTENT_LENGTH: '$content_length',
  SERVER_PROTOCOL: '$server_protocol',
  SERVER_SOFTWARE: 'nginx',
  SERVER_NAME: '$host',
  SERVER_PORT: '$server_port',
  REMOTE_ADDR: '$remote_addr',
  REMOTE_PORT: '$remote_port',
  GATEWAY_INTERFACE: 'CGI/1.1',
  REDIRECT_STATUS: '200',
  HTTP_HOST: '$http_host',
};

/**
 * Starts the web server. It must listen before WordPress is installed, because the site's settings contain its URL and port.
 *
 * @param {string} folder
 * @param {{ port: number, mount: string, webServer?: 'nginx' | 'apache', isNetwork?: boolean }} options `mount` is `/` or `/blog/`
 */
export async function startWebServer(folder, { port, mount, webServer = 'nginx', isNetwork = false }) {
  const config = join(folder, `${webServer}.conf`);
  const [content, argv] =
    webServer === 'apache'
      ? [apacheConfig(folder, port, mount), ['/usr/sbin/apache2', '-DFOREGROUND', '-f', config]]
      : [
          nginxConfig(folder, port, mount, isNetwork),
          ['/usr/sbin/nginx', '-p', folder, '-e', 'stderr', '-c', config],
        ];
  writeFileSync(config, content);
  const service = startService(webServer, folder, argv);
  await waitUntilReady(service, folder, () =>
    fetch(`http://127.0.0.1:${port}/`, { redirect: 'manual' }).then(
      () => true,
      () => false,
    ),
  );
  return service;
}

/** @param {string} folder @param {number} port @param {string} mount @param {boolean} isNetwork */
function nginxConfig(folder, port, mount, isNetwork) {
  // WordPress's rules for a network in folders: any folder has the scripts.
  const rules = isNetwork
    ? 'if (!-e $request_filename) { rewrite ^(/[^/]+)?(/wp-.*) $2 last; rewrite ^(/[^/]+)?(/.*\\.php) $2 last; }'
    : '';
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  // Debian's fastcgi_params are not used: since a security fix they hide the port of `Host` from PHP, and WordPress would
  // redirect every page to itself.
  const params = Object.entries(FASTCGI).map(([name, value]) => `fastcgi_param ${name} ${value};`);
  return `daemon off;
worker_processes 1;
pid ${join(folder, 'nginx.pid')};
error_log stderr warn;
events { worker_connections 512; }
http {
  include /etc/nginx/mime.types;
  access_log ${join(folder, 'access.log')};
  client_max_body_size 64m;
  ${temp.map((name) => `${name}_temp_path ${join(folder, 'tmp', name)};`).join('\n  ')}
  server {
    listen 127.0.0.1:${port};
    absolute_redirect off;
    root ${join(folder, 'web')};
    index index.php;
    ${rules}
    location ${mount} { try_files $uri $uri/ ${mount}index.php?$args; }
    location ~ \\.php$ {
      try_files $uri ${mount}index.php?$args;
      ${params.join('\n      ')}
      fastcgi_pass unix:${join(folder, 'php.sock')};
    }
  }
}
`;
}

/** Apache with the rules that WordPress writes to `.htaccess`. @param {string} folder @param {number} port @param {string} mount */
function apacheConfig(folder, port, mount) {
  const modules = ['mpm_event', 'authz_core', 'dir', 'mime', 'proxy', 'proxy_fcgi', 'rewrite', 'setenvif'];
  const web = join(folder, 'web');
  return `ServerName 127.0.0.1
Listen 127.0.0.1:${port}
PidFile ${join(folder, 'apache.pid')}
DefaultRuntimeDir ${folder}
ErrorLog ${join(folder, 'apache.error.log')}
${modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
TypesConfig /etc/mime.types
CustomLog ${join(folder, 'access.log')} "%h %l %u %t \\"%r\\" %>s %b"
DocumentRoot ${web}
DirectoryIndex index.php
ThreadsPerChild 16
SetEnvIfNoCase ^Authorization$ "(.+)" HTTP_AUTHORIZATION=$1
<FilesMatch "\\.php$">
  SetHandler "proxy:unix:${join(folder, 'php.sock')}|fcgi://localhost"
</FilesMatch>
<Directory ${join(web, mount)}>
  Require all granted
  RewriteEngine On
  RewriteBase ${mount}
  RewriteRule ^index\\.php$ - [L]
  RewriteCond %{REQUEST_FILENAME} !-f
  RewriteCond %{REQUEST_FILENAME} !-d
  RewriteRule . ${mount}index.php [L]
</Directory>
`;
}
