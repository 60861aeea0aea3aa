import { isIpAddress } from './ip.ts';
import { type Refusal, refusal } from './refusal.ts';
import { instantOf } from './timestamp.ts';

/** What WordPress checks of a `format`. Others, `uri` among them, it does not look at. */
const CHECKS: Readonly<Record<string, { fits(text: string): boolean; refuse(param: string): Refusal }>> = {
  'hex-color': {
    fits: (text) => /^#(?:[A-Fa-f0-9]{3}){1,2}\n?$/.test(text),
    refuse: () => refusal('rest_invalid_hex_color', 'Invalid hex color.'),
  },
  'date-time': {
    // `! rest_parse_date()`: the second 0 of 1970 counts as no date.
    fits: (text) => (instantOf(text) ?? 0) !== 0,
    refuse: () => refusal('rest_invalid_date', 'Invalid date.'),
  },
  email: {
    fits: isEmail,
    refuse: () => refusal('rest_invalid_email', 'Invalid email address.'),
  },
  ip: {
    fits: isIpAddress,
    refuse: (param) => refusal('rest_invalid_ip', `${param} is not a valid IP address.`),
  },
  uuid: {
    fits: (text) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\n?$/.test(text),
    refuse: (param) => refusal('rest_invalid_uuid', `${param} is not a valid UUID.`),
  },
};

export function judgeFormat(format: string, text: string, param: string): Refusal | null {
  const check = Object.hasOwn(CHECKS, format) ? CHECKS[format] : undefined;
  return check === undefined || check.fits(text) ? null : check.refuse(param);
}

/** `is_email()`: six bytes, an `@`, a domain of two labels or more. */
export function isEmail(email: string): boolean {
  if (new TextEncoder().encode(email).length < 6) return false;
  const at = email.indexOf('@');
  if (at < 1) return false;
  const labels = email.slice(at + 1).split('.');
  return (
    /^[a-zA-Z0-9!#$%&'*+/=?^_`{|}~.-]+$/.test(email.slice(0, at)) &&
    labels.length > 1 &&
    labels.every((label) => /^[a-z0-9-]+$/i.test(label) && !label.startsWith('-') && !label.endsWith('-'))
  );
}
