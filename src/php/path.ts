/**
 * Returns the file below the site's root, or the path of a page, as web servers and PHP read it: decoded, in lower case, without
 * `/index.php`, what follows a script, and slashes that repeat or end it. `//wp-admin%2f` is `/wp-admin`, `/wp-login.php/x` is
 * `/wp-login.php`.
 *
 * @param path raw, below the mount
 */
export function toSitePath(path: string): string {
  let decoded = path;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    decoded = path.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
  const merged = `/${decoded}`
    .toLowerCase()
    .replace(/[/\\]+/g, '/')
    .replace(/^\/index\.php(?=\/|$)/, '');
  const script = /^.*?\.php(?=\/)/s.exec(merged)?.[0] ?? merged;
  return script.replace(/\/$/, '') || '/';
}
