import type { JsonObject } from '../../src/json.ts';

/**
 * Properties of the large site's items, one in a line: `name type flags`.
 *
 * Types: `int num str bool date uri email ids strs objects title meta`, `a|b|c` for an enum, `{part}` for an object of
 * PARTS and `[part]` for a list of them. Flags: `!` read-only, `e` in the context edit only, `v` not in the context
 * embed, `*` required on creation.
 */
const PARTS: Readonly<Record<string, string>> = {
  address: `first_name str; last_name str; company str; address_1 str; address_2 str; city str; state str;
    postcode str; country str; email email; phone str`,
  dimensions: 'length str; width str; height str',
  download: 'id str; name str; file uri',
  image: 'id int; date_created date !; date_modified date !; src uri; name str; alt str',
  term: 'id int; name str !; slug str !',
  attribute: 'id int; name str; position int; visible bool; variation bool; options strs',
  choice: 'id int; name str; option str',
  tax: 'id int; rate_code str !; rate_id int !; label str !; compound bool !; tax_total str !; shipping_tax_total str !',
  line_tax: 'id int !; total str !; subtotal str !',
  line_item: `id int !; name str; product_id int; variation_id int; quantity int; tax_class str; subtotal str;
    subtotal_tax str !; total str; total_tax str !; taxes [line_tax] !; meta_data meta; sku str !; price num !`,
  shipping_line: `id int !; method_title str; method_id str; instance_id str; total str; total_tax str !;
    taxes [line_tax] !; meta_data meta`,
  fee_line:
    'id int !; name str; tax_class str; tax_status taxable|none; total str; total_tax str !; meta_data meta',
  coupon_line: 'id int !; code str; discount str !; discount_tax str !; meta_data meta',
  refund: 'id int !; reason str !; total str !',
  person: 'id int; name str',
  footnotes: 'footnotes str',
  slot: 'starts_at date; ends_at date; capacity int; booked int !',
  choice_option: 'label str; value str; selected bool; points num',
  field: `id int !; key str; label str; type text|email|number|select|checkbox|date|file; required bool;
    placeholder str; choices [choice_option]`,
};

export const ITEMS: Readonly<Record<string, string>> = {
  product: `id int !; name str; slug str; permalink uri !; date_created date; date_created_gmt date;
    date_modified date !; date_modified_gmt date !; type simple|grouped|external|variable; status draft|pending|private|publish;
    featured bool; catalog_visibility visible|catalog|search|hidden; description str v; short_description str v; sku str;
    global_unique_id str v; price str !; regular_price str; sale_price str; date_on_sale_from date v;
    date_on_sale_from_gmt date v; date_on_sale_to date v; date_on_sale_to_gmt date v; price_html str !; on_sale bool !;
    purchasable bool !; total_sales int !; virtual bool; downloadable bool; downloads [download] v; download_limit int v;
    download_expiry int v; external_url uri v; button_text str v; tax_status taxable|shipping|none; tax_class str;
    manage_stock bool; stock_quantity int; stock_status instock|outofstock|onbackorder; backorders no|notify|yes;
    backorders_allowed bool !; backordered bool !; low_stock_amount int v; sold_individually bool; weight str;
    dimensions {dimensions}; shipping_required bool !; shipping_taxable bool !; shipping_class str; shipping_class_id int !;
    reviews_allowed bool; average_rating str !; rating_count int !; related_ids ids !; upsell_ids ids; cross_sell_ids ids;
    parent_id int; purchase_note str v; categories [term]; tags [term]; images [image]; attributes [attribute];
    default_attributes [choice]; variations ids !; grouped_products ids; menu_order int; meta_data meta v`,
  order: `id int !; parent_id int; number str !; order_key str !; created_via str; version str !;
    status pending|processing|on-hold|completed|cancelled|refunded|failed; currency AUD|CAD|CHF|EUR|GBP|JPY|SEK|USD;
    currency_symbol str !; date_created date !; date_created_gmt date !; date_modified date !; date_modified_gmt date !;
    discount_total str !; discount_tax str !; shipping_total str !; shipping_tax str !; cart_tax str !; total str !;
    total_tax str !; prices_include_tax bool !; customer_id int; customer_ip_address str !; customer_user_agent str !;
    customer_note str; billing {address}; shipping {address}; payment_method str; payment_method_title str;
    transaction_id str; date_paid date !; date_paid_gmt date !; date_completed date !; date_completed_gmt date !;
    cart_hash str !; meta_data meta v; line_items [line_item]; tax_lines [tax] !; shipping_lines [shipping_line];
    fee_lines [fee_line]; coupon_lines [coupon_line]; refunds [refund] !; payment_url uri !; is_editable bool !;
    needs_payment bool !; needs_processing bool !; set_paid bool e`,
  customer: `id int !; date_created date !; date_created_gmt date !; date_modified date !; date_modified_gmt date !;
    email email *; first_name str; last_name str; role str !; username str; password str e; billing {address};
    shipping {address}; is_paying_customer bool !; orders_count int !; total_spent str !; avatar_url uri !; meta_data meta v`,
  coupon: `id int !; code str *; amount str; status publish|draft|pending; date_created date !; date_modified date !;
    discount_type percent|fixed_cart|fixed_product; description str; date_expires date; usage_count int !;
    individual_use bool; product_ids ids; excluded_product_ids ids; usage_limit int; usage_limit_per_user int;
    limit_usage_to_x_items int; free_shipping bool; product_categories ids; excluded_product_categories ids;
    exclude_sale_items bool; minimum_amount str; maximum_amount str; email_restrictions strs; used_by strs !; meta_data meta v`,
  post: `date date; date_gmt date v; guid title !; id int !; link uri !; modified date ! v; modified_gmt date ! v; slug str;
    status publish|future|draft|pending|private; type str !; password str e; permalink_template str ! e;
    generated_slug str ! e; class_list strs ! v; title title; content title v; author int; excerpt title;
    featured_media int; comment_status open|closed v; ping_status open|closed v;
    format standard|aside|chat|gallery|link|image|quote|status|video|audio v; meta {footnotes} v; sticky bool v;
    template str v; categories ids v; tags ids v; parent int v; menu_order int v`,
  revision: `author int !; date date !; date_gmt date !; guid title !; id int !; modified date !; modified_gmt date !;
    parent int !; slug str !; title title; content title v; excerpt title; meta {footnotes} v`,
  term: `id int !; count int ! v; description str v; link uri !; name str *; slug str; taxonomy str !; parent int v;
    display default|products|subcategories|both v; image {image} v; menu_order int v; meta {footnotes} v`,
  board: `id int !; title str *; description str; type kanban|roadmap; status active|archived !; currency EUR|GBP|USD;
    color str; is_public bool !; is_pinned bool !; role manager|member|viewer !; stage_count int !; task_count int !;
    member_count int !; members [person] !; created_by {person} !; created_at date !; updated_at date !; archived_at date !`,
  task: `id int !; board_id int !; stage_id int; title str *; slug str !; description str; status open|closed;
    priority low|medium|high|urgent; position int; assignees ids; labels ids; starts_at date; due_at date;
    remind_at date; is_overdue bool !; cover {image} !; contact_id int; estimated_minutes int; worked_minutes int !;
    comment_count int !; is_pinned bool !; created_by {person} !; created_at date !; updated_at date !;
    completed_at date !; archived_at date !`,
  contact: `id int !; prefix Mr|Mrs|Ms|Dr; first_name str; last_name str; email email *; phone str; status
    subscribed|pending|unsubscribed|bounced; contact_type lead|customer; address {address}; date_of_birth date;
    timezone str; company_id int; owner_id int; source str; avatar uri; tags [term]; lists [term]; life_time_value str !;
    total_points int !; last_activity date !; ip str !; hash str !; created_at date !; updated_at date !; custom_values meta`,
  event: `id int !; title title; description title v; slug str; status draft|publish|cancelled; url uri !; image {image};
    all_day bool; start_date date *; end_date date *; utc_start_date date !; utc_end_date date !; timezone str;
    timezone_abbr str !; cost str; currency EUR|GBP|USD; website uri; show_map bool; hide_from_listings bool; sticky bool;
    featured bool; venue_id int; organizer_ids ids; categories [term]; tags [term]; slots [slot]; capacity int;
    attendee_count int !; meta_data meta v; author int; date date !; modified date !`,
  course: `id int !; name str *; slug str; permalink uri !; status draft|publish|private; content title v; excerpt str;
    instructor {person} !; duration str; level beginner|intermediate|expert; price str; sale_price str; max_students int;
    retake_count int; passing_grade num; count_students int !; rating num !; categories [term]; tags [term]; image {image};
    sections ids; sequential bool; certificate_id int; starts_at date; ends_at date; date_created date !;
    date_modified date !; meta_data meta v`,
  form: `id int !; title str *; status draft|active|archived; description str v; fields [field]; confirmation str v;
    entry_count int !; conversion_rate num !; limit_entries int v; opens_at date v; closes_at date v; created_at date !;
    updated_at date !`,
  // The arguments of `/batch` are those of one item, as the shop declares them.
  batch: 'create objects; update objects; delete ids',
  note: 'id int !; author str !; date_created date !; note str *; customer_note bool; added_by_user bool',
  rule: `id int !; name str *; description str; enabled bool; priority int; type include|exclude; target str;
    amount str; conditions meta; created_at date !; updated_at date !`,
  option: `id str !; label str !; description str !; type text|number|select|checkbox !; value str; default str !; tip str !`,
  report: `id int !; name str !; from date !; to date !; total str !; items int !; average num !;
    interval hour|day|week|month !; previous_total str !; rows meta !`,
};

const STRING = { type: 'string' } as const;
const TYPES: Readonly<Record<string, JsonObject>> = {
  int: { type: 'integer' },
  num: { type: 'number' },
  str: STRING,
  bool: { type: 'boolean' },
  date: { type: ['string', 'null'], format: 'date-time' },
  uri: { ...STRING, format: 'uri' },
  email: { ...STRING, format: 'email' },
  ids: { type: 'array', items: { type: 'integer' } },
  strs: { type: 'array', items: STRING },
  objects: { type: 'array', items: { type: 'object' } },
  title: {
    type: 'object',
    properties: {
      raw: { ...STRING, context: ['edit'], description: 'As it was written.' },
      rendered: {
        ...STRING,
        context: ['view', 'edit', 'embed'],
        readonly: true,
        description: 'As it is shown.',
      },
    },
  },
  meta: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        id: { type: 'integer', readonly: true, context: ['view', 'edit'] },
        key: { ...STRING, context: ['view', 'edit'] },
        value: {
          type: ['null', 'object', 'string', 'number', 'boolean', 'integer', 'array'],
          context: ['view', 'edit'],
        },
      },
    },
  },
};

/** The properties of an item: its fields with types, contexts and descriptions, as controllers of plugins write them. */
export function describeItem(name: string): Readonly<Record<string, JsonObject>> {
  return describeProperties(ITEMS[name] ?? '');
}

/** The schema of an item, as `context=help` shows it. Its title is that of the plugin's item: `shop_product`. */
export function itemSchema(namespace: string, item: string): JsonObject {
  return {
    $schema: 'http://json-schema.org/draft-04/schema#',
    title: `${namespace.split('/')[0]}_${item}`,
    type: 'object',
    properties: describeItem(item),
  };
}

function describeProperties(text: string): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(
    text.split(';').map((line) => {
      const [name = '', type = '', ...flags] = line.trim().split(/\s+/);
      const context = flags.includes('e')
        ? ['edit']
        : flags.includes('v')
          ? ['view', 'edit']
          : ['view', 'edit', 'embed'];
      const property: JsonObject = {
        description: `The ${name.replaceAll('_', ' ')} of the item.`,
        ...describeType(type),
        context,
        ...(flags.includes('!') ? { readonly: true } : {}),
        ...(flags.includes('*') ? { required: true } : {}),
      };
      return [name, property];
    }),
  );
}

function describeType(type: string): JsonObject {
  const part = /^([{[])(\w+)[}\]]$/.exec(type);
  if (part === null)
    return type.includes('|') ? { ...STRING, enum: type.split('|') } : (TYPES[type] ?? STRING);
  const object: JsonObject = { type: 'object', properties: describeProperties(PARTS[part[2] ?? ''] ?? '') };
  return part[1] === '[' ? { type: 'array', items: object } : object;
}
