const BYTE = '(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)';
const IPV4 = new RegExp(`^(?:${BYTE}\\.){3}${BYTE}\\n?$`);

/** `rest_is_ip_address()` */
export function isIpAddress(text: string): boolean {
  return IPV4.test(text) || isIpv6(text);
}

/** Eight groups of up to four hex digits, one run of zeros left out (`::`), the last two perhaps as IPv4. */
function isIpv6(text: string): boolean {
  const [address, tail] = splitIpv4(text);
  const parts = expand(address, tail === undefined ? 8 : 6);
  if (parts === null) return false;
  if (!parts.every((part) => /^[0-9a-f]{1,4}$/i.test(part))) return false;
  return tail === undefined || isDottedQuad(tail);
}

function splitIpv4(text: string): readonly [string, string | undefined] {
  const colon = text.lastIndexOf(':');
  if (!text.includes('.') || colon < 0) return [text, undefined];
  const head = text.slice(0, colon);
  // The colon before the last group belongs to `::`.
  return [head.endsWith(':') ? `${head}:` : head, text.slice(colon + 1)];
}

function expand(address: string, count: number): readonly string[] | null {
  const halves = address.split('::');
  if (halves.length > 2) return null;
  const [left = [], right] = halves.map((half) => (half === '' ? [] : half.split(':')));
  if (right === undefined) return left.length === count ? left : null;
  const missing = count - left.length - right.length;
  return missing < 1 ? null : [...left, ...Array<string>(missing).fill('0'), ...right];
}

function isDottedQuad(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
}
