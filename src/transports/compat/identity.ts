import type { CompatRoute } from './route.ts';

/** Who the key belongs to, and what the client measured of itself. */
export const identity: readonly CompatRoute[] = [
  {
    method: 'GET',
    url: '/api/v1/auth/whoami',
    useCase: 'instance',
    async handle(app, { access }) {
      const { id, clientId } = await app.instance(access);
      return { instance_id: id, client_id: clientId };
    },
  },
  {
    method: 'POST',
    url: '/v1/telemetry/batch',
    useCase: 'instance',
    isUnmetered: true, // every client sends one each ten seconds
    // Taken and dropped: how fast the client finds us is ours to measure.
    handle: async () => ({ status: 'accepted' }),
  },
];
