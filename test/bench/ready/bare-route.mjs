// What an answer from memory is measured against: one route of a bare Fastify that returns the same JSON to the same
// request, with or without one indexed read before. A process of its own, as the service is.
import { fastify } from 'fastify';
import { Pool } from 'pg';

process.once('message', async ({ answer, databaseUrl }) => {
  const pool = databaseUrl && new Pool({ connectionString: databaseUrl, max: 10 });
  await pool?.query('CREATE TABLE IF NOT EXISTS bare (id text PRIMARY KEY, value text NOT NULL)');
  await pool?.query(
    `INSERT INTO bare SELECT n::text, repeat('x', 40) FROM generate_series(1, 1000) n ON CONFLICT DO NOTHING`,
  );
  await pool?.query('ANALYZE bare');
  const server = fastify({ logger: false });
  server.post('/v1/context/fetch', async (request) => {
    if (pool) {
      const { rows } = await pool.query({ name: 'read', text: 'SELECT * FROM bare WHERE id = $1', values: ['500'] });
      if (rows.length !== 1 || !request.body) throw new Error('the row is not there');
    }
    return answer;
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  process.send({ port: server.server.address().port });
});
