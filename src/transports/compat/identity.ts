import type { CompatRoute } from './route.ts';

/** The routes by which the library asks who its key belongs to, and sends what it measured of itself. */
export const identityRoutes: readonly CompatRoute[] = [
  {
    method: 'GET',
    url: '/api/v1/auth/whoami',
    useCase: 'instance',
    async handle(app, { access }) {
      const [{ id, clientId }, { body }] = await Promise.all([app.instance(access), app.configurations.active(access)]);
      // Later releases refuse a customer of their own accord where it is said that users are not told apart by theirs.
      const isolation = body.isolation === 'b2b' ? { user_context_isolation: 'strict' } : {};
      return { instance_id: id, client_id: clientId, ...isolation };
    },
  },
  {
    method: 'POST',
    url: '/v1/telemetry/batch',
    useCase: 'instance',
    isUnmetered: true, // every process of the library sends one each ten seconds
    // Taken and dropped: how fast the library finds us is ours to measure.
    handle: async () => ({ status: 'accepted' }),
  },
];
