// @ts-expect-error: the site answers 400 rest_missing_callback_param, because a tag needs a name
await client.POST('/wp/v2/tags');
