/**
 * As web servers and PHP read it: `//wp-admin%2f` is `/wp-admin`, `/wp-login.php/x` is `/wp-login.php`. In
 * `/a.php/wp-login.php` servers run either script. @param isWhole keep what follows a script
 */
export function toSitePath(path: string, isWhole = false): string {
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
  const [script = merged] = /^.*?\.php(?=\/)/s.exec(merged) ?? [];
  const namesAnother = /\/wp-|\.php/.test(merged.slice(script.length));
  return (isWhole || namesAnother ? merged : script).replace(/\/$/, '') || '/';
}
