import { defineConfig } from 'prisma-cli/config';

export default defineConfig({
  schema: 'prisma/schema.prisma',
  experimental: { externalTables: true },
  tables: { external: ['public.memory_vector'] },
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env['DATABASE_URL'] ?? 'postgresql://presage@127.0.0.1:5432/presage' },
});
