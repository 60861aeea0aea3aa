// @ts-expect-error: the site answers 501 rest_trash_not_supported, because terms have no trash: force is needed
await client.DELETE('/wp/v2/tags/{id}', { path: { id: 1 } });
