import { isIpAddress } from './ip.ts';
import { parseRestDate } from './timestamp.ts';
import { createViolation, type SchemaViolation } from './violation.ts';

/** What WordPress checks of a `format`. Others, `uri` among them, it does not look at. */
const FORMATS: Readonly<
  Record<string, { fits(text: string): boolean; refuse(param: string): SchemaViolation }>
> = {
  'hex-color': {
    fits: (text) => /^#(?:[A-Fa-f0-9]{3}){1,2}\n?$/.test(text),
    refuse: () => createViolation('rest_invalid_hex_color', 'Invalid hex color.'),
  },
  'date-time': {
    // `! rest_parse_date()`: the second 0 of 1970 counts as no date.
    fits: (text) => (parseRestDate(text) ?? 0) !== 0,
    refuse: () => createViolation('rest_invalid_date', 'Invalid date.'),
  },
  email: {
    fits: isEmail,
    refuse: () => createViolation('rest_invalid_email', 'Invalid email address.'),
  },
  ip: {
    fits: isIpAddress,
    refuse: (param) => createViolation('rest_invalid_ip', `${param} is not a valid IP address.`),
  },
  uuid: {
    fits: (text) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\n?$/.test(text),
    refuse: (param) => createViolation('rest_invalid_uuid', `${param} is not a valid UUID.`),
  },
};

export function validateFormat(format: string, text: string, param: string): SchemaViolation | null {
  const check = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
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
