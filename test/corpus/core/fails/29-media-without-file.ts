// @ts-expect-error: the site answers 400 rest_upload_no_content_disposition: there is no file
await client.POST('/wp/v2/media', { body: { title: 'No picture' } });
