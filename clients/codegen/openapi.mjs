// Prints what the clients are typed from: of the OpenAPI document, the bodies, queries and answers of the routes that
// agents call, as the compiled service tells them. Run `npm run build` first.
import { createOpenApiDocument } from '../../dist/transports/rest/openapi.js';
import { reachable } from './reachable.mjs';
import { clientRoutes } from './routes.mjs';

const { paths, components, ...document } = createOpenApiDocument(clientRoutes);
const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
const queries = Object.fromEntries(operations.flatMap(queryOf));
const bodies = operations.flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}));
const succeeded = operations.flatMap(({ responses }) =>
  Object.entries(responses).flatMap(([status, { content }]) => (status < '300' ? Object.values(content ?? {}) : [])),
);
const requests = reachable(components.schemas, bodies);
const answers = reachable(components.schemas, [...succeeded, { $ref: '#/components/schemas/Problem' }]);
const schemas = { ...queries, ...requests, ...answers };
const requestOnly = Object.keys(requests).filter((name) => !answers[name]);
process.stdout.write(
  JSON.stringify({ ...document, paths: {}, components: { schemas: toldOnce(schemas) }, 'x-request-only': requestOnly }),
);

/** What many fields say alike is told whole once, and by its first sentence after that: a package stays small. */
function toldOnce(all) {
  const told = new Set();
  return JSON.parse(
    JSON.stringify(all, (key, value) => {
      if (key !== 'description' || typeof value !== 'string') return value;
      const short = told.has(value) ? value.replace(/(?<=\w\w[.]) .*$/su, '') : value;
      told.add(value);
      return short;
    }),
  );
}

/** The query of an operation as a schema: `memories` becomes `MemoriesQuery`. */
function queryOf({ operationId, parameters }) {
  const own = parameters.filter((parameter) => parameter.in === 'query');
  if (own.every(({ name }) => name === 'user_id' || name === 'customer_id')) return []; // the clients name these themselves
  const properties = own.map(({ name, schema, description }) => {
    const { default: _, ...rest } = schema; // a default is the service's to apply
    return [name, { ...rest, ...(description ? { description } : {}) }];
  });
  const name = `${operationId[0].toUpperCase()}${operationId.slice(1)}Query`;
  const required = own.filter((parameter) => parameter.required).map((parameter) => parameter.name);
  return [[name, { type: 'object', properties: Object.fromEntries(properties), required }]];
}
