import { Hono } from 'hono';

export async function createOuterApp(addTo: (app: Hono) => unknown): Promise<Hono> {
  const app = new Hono();
  // Hono prints errors, and the listener logs them.
  app.onError((error) => {
    if ('getResponse' in error) return error.getResponse();
    throw error;
  });
  await addTo(app);
  return app;
}
