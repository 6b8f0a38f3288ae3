import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { Pool } from 'pg';
import { ApiKey, connectToCustom, Filters } from 'weaviate-client';
import { vectorBytes } from '../../dist/adapters/pgvector/binary.js';
import { openPglite } from '../../dist/db/pglite.js';
import { instanceIdOf } from '../../dist/domain/ids.js';

/**
 * What a fetch cannot do without, straight through the driver on a copy of the stopped service's database: one scoped
 * nearest-neighbour query and one look-up of a row by id. `run` does both once.
 */
export async function openBarePglite(folder, { userId }) {
  const copy = join(folder, `bare-${userId}`); // each has its own: PGlite shares a folder with nobody
  await cp(join(folder, 'data', 'postgres'), copy, { recursive: true });
  const { pool, close } = await openPglite(copy);
  const { rows: owners } = await pool.query(`SELECT i, owner_no FROM owner WHERE user_id = $1`, [userId]);
  const [{ i, owner_no: owner }] = owners;
  const scope = `i = $1 AND owner_no = ANY($2::int[]) AND valid_until IS NULL`;
  const { rows: counted } = await pool.query(`SELECT count(*)::int FROM memory_vector WHERE ${scope}`, [i, [owner]]);
  const { rows: samples } = await pool.query(
    `SELECT embedding::text FROM memory_vector WHERE ${scope} ORDER BY memory_id LIMIT 50`,
    [i, [owner]],
  );
  const vectors = samples.map(({ embedding }) => vectorBytes(Float32Array.from(JSON.parse(embedding))));
  let runs = 0;
  return {
    /** Vectors that a query of this user goes over. */
    size: counted[0].count,
    async run() {
      const vector = vectors[runs++ % vectors.length];
      const { rows: near } = await pool.query({
        name: 'nearest',
        text: `SELECT memory_id FROM memory_vector WHERE ${scope} ORDER BY embedding <#> $3::vector LIMIT 10`,
        values: [i, [owner], vector],
      });
      const { rows: found } = await pool.query({
        name: 'row',
        text: 'SELECT * FROM memory WHERE i = $1 AND id = $2',
        values: [i, near[0].memory_id],
      });
      if (near.length !== 10 || found.length !== 1) throw new Error('the bare store lacks rows');
    },
    close,
  };
}

/** The same where Weaviate has the vectors and Postgres the rows, of the running servers, through both their clients. */
export async function openBareWeaviate(variables, { userId }) {
  const rows = new Pool({ connectionString: variables.DATABASE_URL, max: 8 }); // as many as call at once
  const { rows: owners } = await rows.query(`SELECT i, owner_no FROM owner WHERE user_id = $1`, [userId]);
  const [{ i, owner_no: owner }] = owners;
  const [http, grpc] = [new URL(variables.WEAVIATE_URL), new URL(variables.WEAVIATE_GRPC_URL)];
  const client = await connectToCustom({
    httpHost: http.hostname,
    httpPort: Number(http.port),
    grpcHost: grpc.hostname,
    grpcPort: Number(grpc.port),
    authCredentials: new ApiKey(variables.WEAVIATE_API_KEY),
  });
  const [{ name }] = await client.collections.listAll();
  const tenant = client.collections.use(name).withTenant(instanceIdOf(BigInt(i)));
  const filters = Filters.and(
    tenant.filter.byProperty('owner').equal(owner),
    tenant.filter.byProperty('until').greaterThan(Date.now()),
  );
  const size = (await tenant.aggregate.overAll({ filters })).totalCount;
  const { objects } = await tenant.query.fetchObjects({ filters, limit: 50, includeVector: true });
  const vectors = objects.map(({ vectors: { default: vector } }) => vector);
  let runs = 0;
  return {
    size,
    async run() {
      const near = await tenant.query.nearVector(vectors[runs++ % vectors.length], {
        limit: 10,
        filters,
        returnProperties: [],
      });
      const { rows: found } = await rows.query({
        name: 'row',
        text: 'SELECT * FROM memory WHERE i = $1 AND id = $2',
        values: [i, near.objects[0].uuid],
      });
      if (near.objects.length !== 10 || found.length !== 1) throw new Error('the bare store lacks rows');
    },
    async close() {
      await client.close();
      await rows.end();
    },
  };
}
