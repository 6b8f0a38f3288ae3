import { createMcpHandler, type AuthInfo } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { App } from '../../app.ts';
import { permissionOf } from '../../app/permissions.ts';
import { DomainError, invalidInputError } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import { credentialIdOf } from '../../domain/tenancy/access.ts';
import type { Telemetry } from '../../telemetry.ts';
import { accessOf, requireInstanceKey } from '../http/authenticate.ts';
import { baseUrlOf } from '../http/base-url.ts';
import { subjectFields, toSubjectIds } from '../http/fields.ts';
import type { Mount } from '../http/server.ts';
import { validate } from '../http/validate.ts';
import { callerLeft, stoppingOf } from '../http/caller-left.ts';
import { subjectOfConnection, type Connection } from './connection.ts';
import { createMemoryServer } from './server.ts';

const path = '/mcp';
const About = z.strictObject(subjectFields);

/**
 * The Model Context Protocol over Streamable HTTP. Every request stands alone, in either era of the protocol, so that any
 * process answers it: there is no session, and no stream that a GET would open. The address may fix whom it is about:
 * `/mcp?user_id=u-42`.
 */
export const mountMcp =
  ({ app, telemetry }: { app: App; telemetry: Telemetry }): Mount =>
  async (server) => {
    const handler = createMcpHandler(({ authInfo }) => createMemoryServer(app, telemetry, connectionIn(authInfo)), {
      onerror: (error) => telemetry.log.debug({ error }, 'an MCP request was refused'),
      maxSubscriptions: 0, // nothing that they tell of ever changes, and they would outlive a revoked key
    });
    const stopping = stoppingOf(server);
    server.addHook('onRequest', requireInstanceKey(app));
    server.addHook('onClose', () => handler.close());
    server.post(
      path,
      { bodyLimit: limits.textBody.max, config: { permission: permissionOf('fetchContext') } },
      async (request, reply) => {
        if (Array.isArray(request.body)) throw new DomainError('invalid_input', 'send one message a request');
        const connection = connectionOf(request, reply, stopping);
        return handler.fetch(asWebRequest(request, connection), {
          parsedBody: request.body,
          authInfo: authInfoOf(connection),
        });
      },
    );
  };

function connectionOf(request: FastifyRequest, reply: FastifyReply, stopping: AbortSignal): Connection {
  const access = accessOf(request);
  const baseUrl = baseUrlOf(request);
  if (!baseUrl) throw invalidInputError('Host', 'must name this server');
  return {
    access,
    fixed: subjectOfConnection(access, toSubjectIds(validate(About, request.query, 'the query'))),
    correlationId: request.id,
    baseUrl,
    left: callerLeft(reply, stopping),
  };
}

const asWebRequest = ({ headers, method, url }: FastifyRequest, { baseUrl, left }: Connection): Request =>
  new Request(new URL(url, baseUrl), {
    method,
    headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      value === undefined || name.startsWith(':') ? [] : [[name, String(value)]],
    ),
    signal: left,
  });

/** The SDK hands on to a server only what it takes for the outcome of an authentication. */
const authInfoOf = (connection: Connection): AuthInfo => ({
  token: '', // what it opened is in the connection
  clientId: credentialIdOf(connection.access.principal),
  scopes: [],
  extra: { connection },
});

function connectionIn(authInfo: AuthInfo | undefined): Connection {
  const connection = authInfo?.extra?.['connection'];
  if (!connection) throw new Error('a request came past the authentication');
  return connection as Connection;
}
