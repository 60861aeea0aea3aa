// @ts-check
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';

/** What a throwaway site needs from Debian, and how each package is recognised without asking dpkg. */
const NEEDED = /** @type {const} */ ({
  wordpress: () => existsSync('/usr/share/wordpress/wp-load.php'),
  'wordpress-theme-twentytwentythree': () =>
    existsSync('/usr/share/wordpress/wp-content/themes/twentytwentythree'),
  'mariadb-server': () => existsSync('/usr/sbin/mariadbd'),
  nginx: () => existsSync('/usr/sbin/nginx'),
  'php-fpm': () => fpmBinary() !== undefined,
  'php-mysql': () => hasExtension('mysqli'),
  'php-gd': () => hasExtension('gd'),
  'php-curl': () => hasExtension('curl'),
  'php-xml': () => hasExtension('xml'),
  'php-mbstring': () => hasExtension('mbstring'),
});

/** php-fpm carries its version in its name: `/usr/sbin/php-fpm8.2`. */
export function fpmBinary() {
  const name = readdirSync('/usr/sbin').find((file) => /^php-fpm\d/.test(file));
  return name && `/usr/sbin/${name}`;
}

/** @param {string} name */
function hasExtension(name) {
  if (!existsSync('/etc/php')) return false;
  return readdirSync('/etc/php').some((version) =>
    existsSync(`/etc/php/${version}/mods-available/${name}.ini`),
  );
}

/** The packages that are not on this machine, by their Debian names. */
export function missingPackages() {
  return Object.entries(NEEDED).flatMap(([name, present]) => (present() ? [] : [name]));
}

/** Installs what is missing; does nothing, and needs no right to, where all is there. */
export function installMissingPackages() {
  const missing = missingPackages();
  if (missing.length === 0) return missing;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const run = (/** @type {string[]} */ ...args) =>
    execFileSync('apt-get', ['-q', '-y', ...args], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  run('update');
  // Recommended packages would bring an Apache, and translations into 70 languages.
  run('install', '--no-install-recommends', ...missing);
  return missing;
}
