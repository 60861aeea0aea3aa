// @ts-check
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';

/**
 * Lists the packages of themes.
 *
 * @param {readonly string[]} names
 * @returns {Readonly<Record<string, () => boolean>>}
 */
function hasThemes(...names) {
  const folder = '/usr/share/wordpress/wp-content/themes';
  return Object.fromEntries(
    names.map((name) => [`wordpress-theme-${name}`, () => existsSync(`${folder}/${name}`)]),
  );
}

/** Debian packages of a temporary site, each with a check whether it is installed that does not run dpkg. */
const PACKAGES = {
  wordpress: () => existsSync('/usr/share/wordpress/wp-load.php'),
  ...hasThemes('twentytwentyone', 'twentytwentytwo', 'twentytwentythree'),
  'mariadb-server': () => existsSync('/usr/sbin/mariadbd'),
  nginx: () => existsSync('/usr/sbin/nginx'),
  'apache2-bin': () => existsSync('/usr/sbin/apache2'),
  'php-fpm': () => fpmBinary() !== undefined,
  'php-mysql': () => hasExtension('mysqli'),
  'php-redis': () => hasExtension('redis'),
  'php-gd': () => hasExtension('gd'),
  'php-curl': () => hasExtension('curl'),
  'php-xml': () => hasExtension('xml'),
  'php-mbstring': () => hasExtension('mbstring'),
};

/** Returns the path of php-fpm, whose name contains its version: `/usr/sbin/php-fpm8.2`. */
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

/** Returns the Debian names of the packages that are not installed. */
export function missingPackages() {
  return Object.entries(PACKAGES).flatMap(([name, isInstalled]) => (isInstalled() ? [] : [name]));
}

/** Installs missing packages. If none is missing, it runs nothing and needs no privileges. */
export function installMissingPackages() {
  const missing = missingPackages();
  if (missing.length === 0) return missing;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const run = (/** @type {string[]} */ ...args) =>
    execFileSync('apt-get', ['-q', '-y', ...args], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  run('update');
  // Recommended packages include translations into 70 languages.
  run('install', '--no-install-recommends', ...missing);
  return missing;
}
