import { z } from 'zod';
import { permissionOf } from '../../app/permissions.ts';
import { limits } from '../../domain/limits.ts';
import { httpStatus, type ProblemCode } from '../http/problem.ts';
import { namedAnswerSchemas, namedRequestSchemas } from './fields.ts';
import { ProblemRecord } from './records.ts';
import type {
  OpenApiResponse,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiSchema,
} from './openapi-types.ts';
import type { Route } from './route.ts';

const introduction = `Memory for AI agents that arrives before it is asked for.

Every request carries a credential as \`Authorization: Bearer <credential>\`: an API key opens one instance and nothing else.
Bodies are JSON in UTF-8, times are ISO 8601 with an offset. An unknown field is refused, so that a misspelt one is
noticed; only inside turns and messages it is ignored. Errors are problem documents (RFC 9457): \`code\` is for programs, and \`errors\` names each wrong field.
Every answer has an \`X-Correlation-Id\`: yours when you send one.`;

/** OpenAPI 3.1 of these routes, from the schemas that validate their requests and type their answers. */
export function createOpenApiDocument(routes: readonly Route[]): OpenApiDocument {
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const route of routes) (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Presage',
      version: '1',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ key: [] }],
    tags: [...new Set(routes.map((route) => route.group))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key of the instance.' },
        browser: { type: 'http', scheme: 'bearer', description: 'A browser token, of `POST /v1/tokens`.' },
        admin: { type: 'http', scheme: 'bearer', description: 'An admin token; `x-least-role` says of which role.' },
      },
      schemas: { ...schemasOf(namedRequestSchemas), ...schemasOf(namedAnswerSchemas) },
    },
  };
}

/** Problems that any route can answer with. */
const everywhere: readonly ProblemCode[] = [
  'invalid_input',
  'unauthenticated',
  'forbidden',
  'not_acceptable',
  'misdirected',
  'internal',
  'unavailable',
];
const withBody: readonly ProblemCode[] = ['payload_too_large', 'unsupported_media_type'];

/** Problems that a route can answer with, by its method, body and permission. */
const ofItsKind = ({ body, method, useCase, isForAdministrators }: Route): ProblemCode[] => [
  ...everywhere,
  ...(!isForAdministrators && permissionOf(useCase).browser ? (['token_expired'] as const) : []),
  ...(body ? withBody : []),
  ...(body && method === 'POST' ? (['conflict'] as const) : []), // a key of repetitions that was used for another body
  ...(isForAdministrators ? [] : (['rate_limited'] as const)), // keys are limited, administrators are not
];

function operationOf(route: Route): OpenApiOperation {
  const { body, example } = route;
  const content = body && { schema: referenceTo(namedRequestSchemas, body), ...(example ? { example } : {}) };
  const markdown = route.takesMarkdown ? { 'text/markdown': { schema: { type: 'string' } } } : {};
  return {
    operationId: route.operation,
    tags: [route.group],
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    ...securityOf(route),
    parameters: parametersOf(route),
    ...(content
      ? { requestBody: { required: isNeeded(body), content: { 'application/json': content, ...markdown } } }
      : {}),
    responses: { ...answersOf(route), ...problemsOf(route) },
  };
}

/** The credentials of operations that take others than keys; for the rest the document's default applies. */
function securityOf({ useCase, isForAdministrators }: Route): Pick<OpenApiOperation, 'security' | 'x-least-role'> {
  const { browser, admin } = permissionOf(useCase);
  if (isForAdministrators) return { security: [{ admin: [] }], ...(admin ? { 'x-least-role': admin } : {}) };
  return browser ? { security: [{ key: [] }, { browser: [] }] } : {};
}

/** A body whose every member has a default may be left out. */
const isNeeded = (body: z.ZodType) => !body.safeParse(undefined).success;

const idempotencyKey: OpenApiParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', maxLength: limits.idempotencyKey.max },
  description:
    'Makes it safe to send the request twice: for 24 hours a repetition gets the first answer. Answers that contain ' +
    'memories or entities are not stored: the request runs again, and a change that was made already answers 409.',
};

function parametersOf(route: Route): OpenApiParameter[] {
  const own = [...fieldsOf(route.params, 'path'), ...fieldsOf(route.query, 'query')];
  return route.method === 'POST' ? [...own, idempotencyKey] : own;
}

function fieldsOf(object: z.ZodObject, place: 'path' | 'query'): OpenApiParameter[] {
  const { properties = {}, required = [] } = jsonSchema(object);
  return Object.entries(properties).map(([name, { description, ...schema }]) => {
    const isRequired = place === 'path' || required.includes(name);
    return { name, in: place, required: isRequired, schema, ...(description ? { description } : {}) };
  });
}

const described: Record<number, string> = {
  200: 'Done.',
  201: 'Made.',
  202: 'Accepted: it is done in the background.',
};

const headers = {
  'X-Correlation-Id': { description: 'Yours, else a new one. Quote it to report a fault.', schema: { type: 'string' } },
  RateLimit: {
    description: 'What is left of your rate: `"burst";r=<calls>;t=<seconds until all are back>`.',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'The rate of your key. Polls of a status take nothing of it.',
    schema: { type: 'string' },
  },
};

function answersOf(route: Route): Record<string, OpenApiResponse> {
  const contentOf = (answer: z.ZodType) => ({
    [route.contentType ?? 'application/json']: { schema: referenceTo(namedAnswerSchemas, answer) },
  });
  const answers = route.statuses.map((status) => {
    const content = contentOf(route.answers?.[status] ?? route.answer);
    return [status, { description: described[status] ?? '', headers, content }];
  });
  return Object.fromEntries(answers);
}

/** One entry a status, which may stand for several codes. */
function problemsOf(route: Route): Record<string, OpenApiResponse> {
  const codes = [...new Set([...ofItsKind(route), ...route.errors])];
  const statuses = [...new Set(codes.map((code) => httpStatus[code]))].toSorted((a, b) => a - b);
  const content = { 'application/problem+json': { schema: referenceTo(namedAnswerSchemas, ProblemRecord) } };
  const answers = statuses.map((status) => {
    const named = codes.filter((code) => httpStatus[code] === status);
    return [status, { description: `\`${named.join('`, `')}\``, headers, content }];
  });
  return Object.fromEntries(answers);
}

type NamedSchemas = z.core.$ZodRegistry<{ id: string }>;
const uri = (id: string) => `#/components/schemas/${id}`;

function referenceTo(registry: NamedSchemas, schema: z.ZodType): OpenApiSchema {
  const named = registry.get(schema);
  if (!named) throw new Error('a body that the OpenAPI document describes needs a name');
  return { $ref: uri(named.id) };
}

function schemasOf(registry: NamedSchemas): Record<string, OpenApiSchema> {
  const { schemas } = z.toJSONSchema(registry, { io: 'input', uri, override: withoutSafeBounds });
  // An id of its own would change what the references within it are relative to.
  for (const schema of Object.values(schemas)) {
    delete schema.$id;
    delete schema.$schema;
  }
  return schemas as Record<string, OpenApiSchema>;
}

const jsonSchema = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { io: 'input', override: withoutSafeBounds }) as OpenApiSchema;

/** Leaves out the bounds of whole numbers that fit a double: they go without saying. */
function withoutSafeBounds({ jsonSchema: json }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
}
