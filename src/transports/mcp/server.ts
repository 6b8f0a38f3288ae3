import { McpServer, type CallToolResult, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { App } from '../../app.ts';
import { permissionOf } from '../../app/permissions.ts';
import type { Telemetry } from '../../telemetry.ts';
import { version } from '../../version.ts';
import { hasHiddenReason, toProblem } from '../http/problem.ts';
import type { Connection } from './connection.ts';
import { instructions } from './instructions.ts';
import type { Tool } from './tool.ts';
import { listEntitiesTool, listMemoriesTool } from './tools/browse.ts';
import { correctTool, forgetTool, undoSupersedeTool } from './tools/change.ts';
import { addMessagesTool, compactConversationTool } from './tools/conversations.ts';
import { fetchTool, searchTool } from './tools/look-up.ts';
import { recallTool } from './tools/recall.ts';
import { rememberTool } from './tools/remember.ts';

/** The tools, at most twelve: the more a model is offered, the worse it chooses. */
export const memoryTools: readonly Tool[] = [
  rememberTool,
  recallTool,
  listMemoriesTool,
  listEntitiesTool,
  correctTool,
  undoSupersedeTool,
  forgetTool,
  addMessagesTool,
  compactConversationTool,
  searchTool,
  fetchTool,
];

/** The server that answers one request, with the tools that its credential may call. */
export function createMemoryServer(app: App, { log }: Pick<Telemetry, 'log'>, connection: Connection): McpServer {
  const server = new McpServer(
    { name: 'presage', title: 'Presage memory', version },
    { instructions, capabilities: { tools: { listChanged: false } } },
  );
  const { principal } = connection.access;
  for (const tool of memoryTools.filter(({ useCase }) => permissionOf(useCase)[principal.kind])) {
    const { name, title, description, annotations, output } = tool;
    const inputSchema = published(tool.inputOn(connection));
    server.registerTool(name, { title, description, annotations, inputSchema, outputSchema: output }, async (input) => {
      try {
        return answered(await tool.run({ ...connection, app }, input));
      } catch (error) {
        if (hasHiddenReason(error)) {
          log.error({ error, tool: name, correlation_id: connection.correlationId }, 'failed');
        }
        return refused(error, connection.correlationId);
      }
    });
  }
  return server;
}

/** The schema as it is published; the tool validates by it, so that every API refuses in the same words. */
function published(schema: z.ZodObject): StandardSchemaWithJSON {
  const standard = schema['~standard'];
  return { '~standard': { ...standard, validate: (value: unknown) => ({ value }) } };
}

/** The record as it is, and as text for clients that read nothing else. */
const answered = (record: object): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(record) }],
  structuredContent: { ...record },
});

/** Describes an error in a sentence that a model can act on; an unforeseen one only by the id to look it up by. */
function refused(error: unknown, correlationId: string): CallToolResult {
  const { code, detail, errors } = toProblem(error, correlationId);
  const fields = errors.slice(1).map(({ field, message }) => `\n${field}: ${message}`);
  const trace = code === 'internal' ? ` Correlation id: ${correlationId}` : '';
  return { content: [{ type: 'text', text: `${code}: ${detail}${fields.join('')}${trace}` }], isError: true };
}
