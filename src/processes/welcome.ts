import pc from 'picocolors';
import type { Environment } from '../environment.ts';
import { credentialsPath, type Credentials } from './credentials-file.ts';

/** Prints what a newcomer needs next: addresses, the key that was made for them (once), and three commands to copy. */
export function welcomeMessage(
  environment: Environment,
  credentials: Credentials,
  { isFirst: isFirstStart, dashboard }: { isFirst: boolean; dashboard: string | null },
): void {
  const { base_url: base, graphql_url: graphql, grpc_address: grpc, api_key: key } = credentials;
  const shownKey = environment.PRESAGE_API_KEY ? '$PRESAGE_API_KEY' : isFirstStart ? key : '$PRESAGE_KEY';
  const explorer = environment.PRESAGE_ENV === 'production' ? '' : `   explorer: ${pc.cyan(`${graphql}/explorer`)}`;
  const curl = (path: string, body?: string) =>
    `curl -s '${base}${path}' -H "Authorization: Bearer ${shownKey}"` +
    (body ? ` \\\n    -H 'Content-Type: application/json' -d '${body}'` : '');
  const lines = [
    '',
    `${pc.bold('Presage')} is ready.`,
    '',
    `  REST      ${pc.cyan(`${base}/v1`)}   docs: ${pc.cyan(`${base}/docs`)}`,
    `  GraphQL   ${pc.cyan(graphql)}${explorer}`,
    `  gRPC      ${pc.cyan(grpc)}   presage.anticipation.v1.Anticipation`,
    `  Dashboard ${pc.cyan(`${base}${dashboard ?? '/dashboard'}`)}${dashboard ? pc.dim('   (the link opens once)') : ''}`,
    '',
    `  Your key  ${tellKey(environment, key, isFirstStart)}`,
    '',
    pc.bold('  1. Tell it something'),
    `  ${curl('/v1/memories', '{"document": "I live in Leeds and I am allergic to peanuts.", "document_type": "ai-chat-conversation", "user_id": "ada"}')}`,
    pc.bold('  2. See it done') + pc.dim('  (with the ingestion_id of the answer)'),
    `  ${curl('/v1/memories/<ingestion_id>/status?wait=10')}`,
    pc.bold('  3. Ask for it'),
    `  ${curl('/v1/context/fetch', '{"search_queries": ["What must Ada not eat?"], "user_id": "ada"}')}`,
    '',
    `  ${pc.dim('A whole conversation, in colour, from a checkout:')} npm run demo   ${pc.dim('Stop with Ctrl-C.')}`,
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function tellKey(environment: Environment, key: string, isFirstStart: boolean): string {
  if (environment.PRESAGE_API_KEY) return 'is the one of PRESAGE_API_KEY';
  const path = credentialsPath(environment);
  if (isFirstStart) return `${pc.green(key)}   ${pc.dim(`(shown once; kept in ${path})`)}`;
  if (key) return `unchanged since the first start; kept in ${path}`;
  return `is not known on this machine: set PRESAGE_API_KEY=${environment.API_KEY_PREFIX}_<43 letters or digits> and start again`;
}
