/**
 * What the routes of a resource are.
 *
 * - `full`: list, create; read, update, delete
 * - `bulk`: `full` and a route `/batch`
 * - `children`: list, create; read, delete
 * - `history`: `full`, with revisions and autosaves
 * - `readonly`: list; read
 * - `report`: one GET
 * - `settings`: read; update
 */
export type Kind = 'full' | 'bulk' | 'children' | 'history' | 'readonly' | 'report' | 'settings';

/** Resources by namespace: kind, item of ITEMS, then paths. `{name}` is a number, `{name:slug}` a name. */
export const NAMESPACES: Readonly<Record<string, readonly (readonly [Kind, string, string])[]>> = {
  'wp/v2': [
    [
      'history',
      'post',
      'posts pages blocks product event course lesson recipe portfolio docs faq testimonial job',
    ],
    ['full', 'post', 'media menu-items comments users'],
    [
      'full',
      'term',
      'categories tags menus product_cat product_tag event_cat course_cat recipe_cat portfolio_cat',
    ],
    ['readonly', 'option', 'types statuses taxonomies themes plugins'],
    ['settings', 'option', 'settings'],
    ['report', 'report', 'search'],
  ],
  ...repeat(
    ['shop/v2', 'shop/v3'],
    [
      ['bulk', 'product', 'products products/{product_id}/variations'],
      [
        'bulk',
        'term',
        'products/attributes products/attributes/{attribute_id}/terms products/categories products/tags',
      ],
      ['bulk', 'term', 'products/shipping_classes'],
      ['bulk', 'note', 'products/reviews'],
      ['bulk', 'order', 'orders'],
      ['children', 'note', 'orders/{order_id}/notes'],
      ['children', 'order', 'orders/{order_id}/refunds'],
      ['bulk', 'customer', 'customers'],
      ['report', 'report', 'customers/{customer_id}/downloads'],
      ['bulk', 'coupon', 'coupons'],
      ['bulk', 'rule', 'taxes webhooks'],
      ['children', 'option', 'taxes/classes'],
      ['full', 'rule', 'shipping/zones shipping/zones/{zone_id}/methods'],
      [
        'settings',
        'rule',
        'shipping/zones/{zone_id}/locations settings/general settings/tax settings/checkout',
      ],
      ['readonly', 'option', 'shipping_methods settings data/countries data/currencies data/continents'],
      ['report', 'report', 'reports/sales reports/top_sellers reports/orders/totals reports/products/totals'],
      [
        'report',
        'report',
        'reports/customers/totals reports/coupons/totals reports/reviews/totals system_status',
      ],
    ],
  ),
  'shop-analytics/v1': [
    [
      'readonly',
      'report',
      'orders products variations categories coupons taxes downloads stock customers revenue',
    ],
    [
      'report',
      'report',
      'orders/stats products/stats variations/stats coupons/stats taxes/stats revenue/stats',
    ],
    [
      'report',
      'report',
      'downloads/stats stock/stats customers/stats performance leaderboards import-totals',
    ],
    ['full', 'rule', 'segments exports alerts'],
  ],
  ...repeat(
    ['boards/v1', 'boards/v2'],
    [
      ['full', 'board', 'projects folders'],
      ['full', 'task', 'projects/{board_id}/tasks projects/{board_id}/stages projects/{board_id}/labels'],
      [
        'full',
        'note',
        'projects/{board_id}/tasks/{task_id}/comments projects/{board_id}/tasks/{task_id}/time-tracks',
      ],
      ['children', 'contact', 'projects/{board_id}/members projects/{board_id}/tasks/{task_id}/attachments'],
      [
        'report',
        'task',
        'projects/{board_id}/activities projects/{board_id}/archived-tasks tasks/top-in-boards',
      ],
      [
        'report',
        'report',
        'reports/overview reports/tasks reports/activity reports/timesheet reports/roadmap',
      ],
      ['settings', 'rule', 'admin/general-settings admin/roadmap-settings admin/feature-modules ai/settings'],
    ],
  ),
  'crm/v2': [
    ['bulk', 'contact', 'subscribers companies'],
    [
      'full',
      'rule',
      'tags lists campaigns sequences funnels templates webhooks smart-links dynamic-segments',
    ],
    ['children', 'note', 'subscribers/{subscriber_id}/notes subscribers/{subscriber_id}/emails'],
    ['readonly', 'report', 'campaigns/{campaign_id}/reports funnels/{funnel_id}/reports'],
    ['report', 'report', 'reports/overview reports/emails reports/revenue reports/subscribers'],
    ['settings', 'rule', 'settings/general settings/compliance settings/double-optin settings/bounce'],
  ],
  'events/v1': [
    ['bulk', 'event', 'events venues organizers series'],
    ['children', 'contact', 'events/{event_id}/attendees events/{event_id}/tickets'],
    ['readonly', 'term', 'categories tags'],
    ['report', 'report', 'reports/attendance reports/sales calendar'],
  ],
  'lms/v1': [
    ['history', 'course', 'courses lessons quizzes'],
    ['full', 'note', 'questions assignments announcements'],
    ['children', 'contact', 'courses/{course_id}/students courses/{course_id}/reviews'],
    ['full', 'rule', 'certificates groups memberships'],
    ['readonly', 'report', 'statistics gradebook'],
    ['settings', 'rule', 'settings/general settings/emails'],
  ],
  'forms/v2': [
    ['bulk', 'form', 'forms'],
    ['full', 'note', 'forms/{form_id}/entries forms/{form_id}/feeds entries/{entry_id}/notes'],
    ['report', 'report', 'forms/{form_id}/results forms/{form_id}/views'],
  ],
  'seo/v1': [
    ['full', 'rule', 'redirects sitemaps schemas links'],
    ['report', 'report', 'head issues keywords rankings'],
    ['settings', 'option', 'settings social'],
  ],
  'security/v1': [['readonly', 'note', 'logins blocks scans changes backups']],
};

function repeat(
  namespaces: readonly string[],
  resources: readonly (readonly [Kind, string, string])[],
): Record<string, readonly (readonly [Kind, string, string])[]> {
  return Object.fromEntries(namespaces.map((namespace) => [namespace, resources]));
}
