/** A gateway as a fetch handler, and the client and validators beside it: for workerd, Deno and Bun. */
import { createGateway } from 'waygate';
import { CreatePostBody } from './api/site.validators.ts';
import { listPosts } from './posts.ts';
import { SITE_URL } from './site-url.ts';

const gateway = createGateway({ sites: [{ url: SITE_URL }], cache: 'memory' });

const isValid = async (body: unknown): Promise<boolean> => {
  const result = await CreatePostBody['~standard'].validate(body);
  return result.issues === undefined;
};

export default {
  async fetch(request: Request, ...environment: unknown[]): Promise<Response> {
    if (new URL(request.url).pathname !== '/client')
      return Reflect.apply(gateway.fetch, gateway, [request, ...environment]);
    const validations = [await isValid({ title: 'A' }), await isValid({ status: 'nowhere' })];
    return Response.json({ posts: await listPosts(`${SITE_URL}/wp-json`), validations });
  },
};
