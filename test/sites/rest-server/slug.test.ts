import { expect, test } from 'vitest';
import { sanitizeTitle } from '../../../src/sites/rest-server/slug.ts';

/** As `sanitize_title()` of WordPress 6 makes them. */
test.each([
  ['Đường Lê Lợi', 'duong-le-loi'],
  ['Tiếng Việt', 'tieng-viet'],
  ['Straße in Łódź', 'strase-in-lodz'],
  ['Ærø, Øst, Þing', 'aero-ost-thing'],
  ['İstanbul ışık', 'istanbul-isik'],
  ['Ĳssel', 'ijssel'],
  ['Œuvre à 5 €', 'oeuvre-a-5-e'],
  ['3 × 4', '3-x-4'],
  ['Ελλάδα', '%ce%b5%ce%bb%ce%bb%ce%ac%ce%b4%ce%b1'],
  ['Ё й', '%d1%91-%d0%b9'],
  ['日本', '%e6%97%a5%e6%9c%ac'],
])('the slug of %s is %s', (title, slug) => {
  expect(sanitizeTitle(title)).toBe(slug);
});
