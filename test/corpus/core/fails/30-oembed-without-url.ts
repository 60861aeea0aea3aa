// @ts-expect-error: the site answers 400 rest_missing_callback_param, because url is required
await client.GET('/oembed/1.0/embed', { query: { maxwidth: 400 } });
