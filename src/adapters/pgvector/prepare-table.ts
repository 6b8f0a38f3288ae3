import type { DatabaseSession } from '../../db/database-connection.ts';

/** The column type of vectors: pgvector's own where the server has it, else the bytes that it would send. */
export interface VectorColumnType {
  readonly name: 'vector' | 'bytea';
  /** The type's number in this database. */
  readonly oid: number;
}

/** The functions that we compare by came with this one. */
const leastPgvector = [0, 7] as const;

/** Makes the vector table where there is none; what it was made with it keeps. One process at a time. */
export async function prepareVectorTable(session: DatabaseSession): Promise<VectorColumnType> {
  const made = await columnType(session);
  if (made) return made;
  const type = (await takePgvector(session)) ? 'vector' : 'bytea';
  await session.query('BEGIN');
  try {
    for (const statement of statements(type)) await session.query(statement);
    await session.query('COMMIT');
  } catch (error) {
    await session.query('ROLLBACK');
    throw error;
  }
  return (await columnType(session))!;
}

async function columnType(session: DatabaseSession): Promise<VectorColumnType | undefined> {
  const { rows } = await session.query<VectorColumnType>(
    `SELECT t.typname AS name, t.oid::int AS oid FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
     WHERE a.attrelid = to_regclass('memory_vector') AND a.attname = 'embedding'`,
  );
  return rows[0];
}

/** False where the server has none, or an old one, or keeps it from us. */
async function takePgvector(session: DatabaseSession): Promise<boolean> {
  const { rows } = await session.query<{ version: string }>(
    `SELECT coalesce(installed_version, default_version) AS version FROM pg_available_extensions WHERE name = 'vector'`,
  );
  const [major = 0, minor = 0] = (rows[0]?.version ?? '').split('.').map(Number);
  if (major < leastPgvector[0] || (major === leastPgvector[0] && minor < leastPgvector[1])) return false;
  return session.query('CREATE EXTENSION IF NOT EXISTS vector').then(
    () => true,
    () => false,
  );
}

/**
 * PLAIN keeps a column in its row: TOAST would double the time of a scan, for the vector as for the short texts that it
 * is filtered by. A vector too long for that is kept beside the row as it is, since it could hardly be compressed.
 * Statistics about vectors tell nothing and take a second to gather.
 */
const statements = (type: VectorColumnType['name']) => [
  'CREATE SEQUENCE IF NOT EXISTS memory_vector_change',
  `CREATE TABLE memory_vector (
     i bigint NOT NULL, owner_no int NOT NULL, memory_id uuid NOT NULL, type text NOT NULL,
     valid_from timestamptz NOT NULL, valid_until timestamptz, model text NOT NULL, is_complete boolean NOT NULL,
     change bigint NOT NULL DEFAULT nextval('memory_vector_change'),
     embedding ${type}, long_embedding ${type}, CHECK (num_nonnulls(embedding, long_embedding) = 1),
     PRIMARY KEY (i, owner_no, memory_id, model))`,
  `ALTER TABLE memory_vector ALTER embedding SET STORAGE PLAIN, ALTER model SET STORAGE PLAIN,
     ALTER type SET STORAGE PLAIN, ALTER embedding SET STATISTICS 0,
     ALTER long_embedding SET STORAGE EXTERNAL, ALTER long_embedding SET STATISTICS 0`,
  'CREATE INDEX memory_vector_memory ON memory_vector (i, memory_id)',
  'CREATE INDEX memory_vector_changed ON memory_vector (i, owner_no, change)',
  'CREATE INDEX memory_vector_incomplete ON memory_vector (i, model) WHERE NOT is_complete',
];
